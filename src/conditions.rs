//! Conditions on a board: queens that must stand, and squares that must stay empty.
//!
//! Whatever is asked for comes down to one mask for each row: the squares where its queen may
//! still stand. A queen that must stand leaves its row one square, and takes from the other rows
//! those it attacks. A row that is left one square by blocked ones is a queen that must stand,
//! and so on until nothing changes; what a search then finds no square for is hopeless early.

use std::fmt;

use thiserror::Error;

use crate::board::Size;

/// A square of the board, row and column numbered from 0.
///
/// It is displayed as users read it, numbered from 1.
///
/// ```
/// use queens::Square;
/// assert_eq!(Square { row: 0, column: 4 }.to_string(), "(1, 5)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The row, from 0.
    pub row: u32,
    /// The column, from 0.
    pub column: u32,
}

impl Square {
    fn is_on_board(self, size: Size) -> bool {
        self.row < size.get() && self.column < size.get()
    }

    /// Whether queens on the two squares attack each other; a queen does not attack itself.
    pub fn attacks(self, other: Square) -> bool {
        let (rows, columns) = (
            self.row.abs_diff(other.row),
            self.column.abs_diff(other.column),
        );
        self != other && (rows == 0 || columns == 0 || rows == columns)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, column) = (u64::from(self.row) + 1, u64::from(self.column) + 1);
        write!(f, "({row}, {column})")
    }
}

/// The squares of each row where its queen may stand.
///
/// ```
/// use queens::{Conditions, Size, Square};
///
/// let corner = Square { row: 0, column: 0 };
/// let conditions = Conditions::new(Size::new(8)?, &[corner], &[])?;
/// assert_eq!(queens::Solutions::with_conditions(&conditions).count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conditions {
    size: Size,
    allowed: [u32; 32],
}

/// Why conditions make no sense. Squares are named as users read them, numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ConditionsError {
    /// A square beside the board.
    #[error("square {square} is off the board: rows and columns go from 1 to {size}")]
    OffBoard {
        /// The square.
        square: Square,
        /// The board.
        size: Size,
    },
    /// Two queens that cannot both stand.
    #[error("the queens on {0} and {1} attack each other: at most one of them can stand")]
    Attack(Square, Square),
    /// A queen on a square that must stay empty.
    #[error("square {0} is blocked and has a queen: it must be one or the other")]
    QueenOnBlocked(Square),
}

impl Conditions {
    /// The board on which nothing is asked for.
    pub fn none(size: Size) -> Conditions {
        let mut allowed = [0; 32];
        allowed[..size.get() as usize].fill(size.row_mask());
        Conditions { size, allowed }
    }

    /// The board on which these queens stand and these squares stay empty. To say the same
    /// twice does no harm.
    ///
    /// # Errors
    /// [`ConditionsError`] if a square is off the board, two queens attack each other, or a
    /// queen stands on a blocked square. Conditions that no solution meets are no error.
    pub fn new(
        size: Size,
        queens: &[Square],
        blocked: &[Square],
    ) -> Result<Conditions, ConditionsError> {
        let mut both = queens.iter().chain(blocked);
        if let Some(&square) = both.find(|square| !square.is_on_board(size)) {
            return Err(ConditionsError::OffBoard { square, size });
        }
        for (index, &queen) in queens.iter().enumerate() {
            if let Some(&other) = queens[..index].iter().find(|other| other.attacks(queen)) {
                return Err(ConditionsError::Attack(other, queen));
            }
            if blocked.contains(&queen) {
                return Err(ConditionsError::QueenOnBlocked(queen));
            }
        }
        let mut conditions = Conditions::none(size);
        for queen in queens {
            conditions.allowed[queen.row as usize] = 1 << queen.column;
        }
        for square in blocked {
            conditions.allowed[square.row as usize] &= !(1 << square.column);
        }
        conditions.settle();
        Ok(conditions)
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The squares of each row, from row 0 on, where its queen may stand: bit c for column c.
    pub fn allowed(&self) -> &[u32] {
        &self.allowed[..self.size.get() as usize]
    }

    /// Whether a row has no square left, so that there is no solution.
    pub fn are_hopeless(&self) -> bool {
        self.allowed().contains(&0)
    }

    /// Takes the squares that a row's only possible queen attacks from all other rows, until
    /// every such queen is settled.
    fn settle(&mut self) {
        let n = self.size.get() as usize;
        let mut settled = [false; 32];
        while let Some(row) =
            (0..n).find(|&row| !settled[row] && self.allowed[row].is_power_of_two())
        {
            settled[row] = true;
            let queen = self.allowed[row];
            for other in (0..n).filter(|&other| other != row) {
                let distance = other.abs_diff(row);
                self.allowed[other] &= !(queen | queen << distance | queen >> distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(row: u32, column: u32) -> Square {
        Square { row, column }
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        let eight = Size::new(8).unwrap();
        let refused = |queens: &[Square], blocked: &[Square]| {
            Conditions::new(eight, queens, blocked)
                .unwrap_err()
                .to_string()
        };
        for off in [square(8, 0), square(0, 8), square(u32::MAX, 0)] {
            assert!(refused(&[off], &[]).contains(&off.to_string()));
            assert!(refused(&[], &[off]).contains("from 1 to 8"));
        }
        for other in [square(2, 7), square(7, 3), square(4, 5), square(0, 5)] {
            let message = refused(&[square(2, 3), other], &[]);
            assert!(message.contains("(3, 4)") && message.contains(&other.to_string()));
        }
        let both = [square(2, 3)];
        assert!(refused(&both, &both).contains("(3, 4)"));
        assert!(Conditions::new(eight, &[both[0], both[0]], &[]).is_ok());
    }

    #[test]
    fn a_queen_that_blocked_squares_force_is_settled() {
        let four = Size::new(4).unwrap();
        let blocked = [square(0, 0), square(0, 2), square(0, 3)];
        let conditions = Conditions::new(four, &[], &blocked).unwrap();
        // The queen on (0, 1) forces all others.
        assert_eq!(conditions.allowed(), [0b0010, 0b1000, 0b0001, 0b0100]);
        assert_eq!(
            Conditions::new(four, &[square(0, 1)], &[]),
            Ok(conditions.clone())
        );
        assert!(!conditions.are_hopeless());
        // Two queens are forced, on one diagonal.
        let three = Size::new(3).unwrap();
        let corner = Conditions::new(three, &[square(0, 0)], &[]).unwrap();
        assert!(corner.are_hopeless());
    }
}
