//! Solutions up to rotation and reflection.
//!
//! Two solutions are of one class if a symmetry of the board takes one to the other. By
//! Burnside's lemma the number of classes is the mean, over the eight symmetries, of the number
//! of solutions that a symmetry leaves as they are. The identity leaves all; the half-turn and
//! the two quarter-turns those that [`symmetric`](crate::method::symmetric) counts; a
//! reflection none for n >= 2: mirrored along the middle, every queen off the middle column
//! would share its row with its image, and reflected in a main diagonal, a diagonal. Hence
//!
//! ```text
//! fundamental = (all + half_turn + 2·quarter_turn) / 8
//! ```
//!
//! and for n = 1, where every symmetry leaves the one solution as it is, 1.

use thiserror::Error;

use crate::board::{Placement, Size, Symmetry};

/// Three counts that cannot all be right, since they are not those of any set of classes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "n = {n}: {all} solutions, {half_turn} equal to their half-turn and {quarter_turn} to their \
     quarter-turn make no whole number of classes: one of the three counts is wrong; this is a \
     bug in this program or broken hardware"
)]
pub struct NotWhole {
    /// The board size n.
    pub n: u32,
    /// The count of all solutions.
    pub all: u128,
    /// The count of solutions equal to their own half-turn.
    pub half_turn: u128,
    /// The count of solutions equal to their own quarter-turn.
    pub quarter_turn: u128,
}

/// The number of fundamental solutions, from the number of all and of the symmetric ones.
///
/// # Errors
/// [`NotWhole`] if a class of symmetry has a number that its size does not divide.
///
/// ```
/// use queens::{Size, fundamental::fundamental};
/// assert_eq!(fundamental(Size::new(8)?, 92, 4, 0)?, 12);
/// assert!(fundamental(Size::new(8)?, 93, 4, 0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fundamental(
    size: Size,
    all: u128,
    half_turn: u128,
    quarter_turn: u128,
) -> Result<u128, NotWhole> {
    if size == Size::MIN && (all, half_turn, quarter_turn) == (1, 1, 1) {
        return Ok(1);
    }
    // Classes have 8 members without symmetry, 4 with the half-turn alone, 2 with both turns;
    // a quarter-turn solution is a half-turn solution, and a half-turn solution is a solution.
    let plain = all.checked_sub(half_turn);
    let half_alone = half_turn.checked_sub(quarter_turn);
    match (plain, half_alone) {
        (Some(plain), Some(half_alone))
            if plain.is_multiple_of(8)
                && half_alone.is_multiple_of(4)
                && quarter_turn.is_multiple_of(2) =>
        {
            Ok(plain / 8 + half_alone / 4 + quarter_turn / 2)
        }
        _ => Err(NotWhole {
            n: size.get(),
            all,
            half_turn,
            quarter_turn,
        }),
    }
}

/// The number of solutions in the class of this one: 8, 4, 2 or 1.
///
/// It is 8 divided by the number of symmetries that leave the board as it is.
///
/// # Panics
/// If two queens share a column, as [`Placement::transformed`].
pub fn class_size(solution: &Placement) -> u32 {
    let unchanged = Symmetry::ALL
        .iter()
        .filter(|&&symmetry| solution.transformed(symmetry) == *solution)
        .count();
    8 / unchanged as u32
}

/// Whether this solution is the one that stands for its class: the one with the smallest column
/// list.
///
/// # Panics
/// If two queens share a column, as [`Placement::transformed`].
pub fn is_representative(solution: &Placement) -> bool {
    Symmetry::ALL
        .iter()
        .all(|&symmetry| *solution <= solution.transformed(symmetry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_count_of_any_kind_is_seen() {
        let twelve = Size::new(12).unwrap();
        assert_eq!(fundamental(twelve, 14200, 80, 8), Ok(1787));
        let wrong = [
            (14201, 80, 8),
            (14200, 84, 8),
            (14200, 80, 9),
            (14200, 80, 88),
            (72, 80, 8),
        ];
        for (all, half, quarter) in wrong {
            assert!(
                fundamental(twelve, all, half, quarter).is_err(),
                "{all} {half} {quarter}"
            );
        }
    }
}
