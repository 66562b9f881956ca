//! The published totals, to compare a count with.
//!
//! | value | sequence in the On-Line Encyclopedia of Integer Sequences (OEIS) |
//! | --- | --- |
//! | [`Known::all`] | A000170: placements of n non-attacking queens |
//! | [`Known::fundamental`] | A002562: the same up to rotation and reflection |
//! | [`Known::half_turn`] | A032522: those equal to their own half-turn (taken from the other three columns by the identity in [`fundamental`](crate::fundamental)) |
//! | [`Known::quarter_turn`] | A033148: those equal to their own quarter-turn |
//!
//! Nothing in this crate counts by looking here: the table is what a finished count is held
//! against.

use thiserror::Error;

use crate::board::Size;

/// The published values for one board size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// The board size n.
    pub n: u32,
    /// All solutions (OEIS A000170).
    pub all: u128,
    /// Solutions up to rotation and reflection (OEIS A002562).
    pub fundamental: u128,
    /// Solutions equal to their own half-turn (OEIS A032522).
    pub half_turn: u128,
    /// Solutions equal to their own quarter-turn (OEIS A033148).
    pub quarter_turn: u128,
}

/// A count that is not the published one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "n = {n}: counted {counted} {what}, but the published number is {published}: \
     this is a bug in this program or broken hardware; please report it"
)]
pub struct Difference {
    /// The board size n.
    pub n: u32,
    /// What was counted: "solutions", "fundamental solutions".
    pub what: &'static str,
    /// The number this program found.
    pub counted: u128,
    /// The number the literature gives.
    pub published: u128,
}

/// The published values for boards of this size, if there are any (n up to 27).
///
/// ```
/// use queens::{Size, known};
/// assert_eq!(known::published(Size::new(8)?).map(|k| (k.all, k.fundamental)), Some((92, 12)));
/// assert_eq!(known::published(Size::MAX), None);
/// # Ok::<(), queens::SizeError>(())
/// ```
pub fn published(size: Size) -> Option<&'static Known> {
    TABLE.iter().find(|known| known.n == size.get())
}

/// Compares a count of all solutions with the published one.
///
/// `Ok(true)`: they agree. `Ok(false)`: none is published.
///
/// # Errors
/// [`Difference`] if they differ.
pub fn compare_all(size: Size, counted: u128) -> Result<bool, Difference> {
    compare(size, "solutions", counted, |known| known.all)
}

/// Compares a count of fundamental solutions with the published one, as [`compare_all`].
///
/// # Errors
/// [`Difference`] if they differ.
pub fn compare_fundamental(size: Size, counted: u128) -> Result<bool, Difference> {
    compare(size, "fundamental solutions", counted, |known| {
        known.fundamental
    })
}

fn compare(
    size: Size,
    what: &'static str,
    counted: u128,
    value: impl Fn(&Known) -> u128,
) -> Result<bool, Difference> {
    match published(size).map(value) {
        None => Ok(false),
        Some(published) if published == counted => Ok(true),
        Some(published) => Err(Difference {
            n: size.get(),
            what,
            counted,
            published,
        }),
    }
}

/// A row of [`TABLE`], in the order of the fields of [`Known`].
const fn row(n: u32, all: u128, fundamental: u128, half_turn: u128, quarter_turn: u128) -> Known {
    Known {
        n,
        all,
        fundamental,
        half_turn,
        quarter_turn,
    }
}

/// Every board size with a published total.
#[rustfmt::skip]
pub const TABLE: [Known; 27] = [
    row(1, 1, 1, 1, 1),
    row(2, 0, 0, 0, 0),
    row(3, 0, 0, 0, 0),
    row(4, 2, 1, 2, 2),
    row(5, 10, 2, 2, 2),
    row(6, 4, 1, 4, 0),
    row(7, 40, 6, 8, 0),
    row(8, 92, 12, 4, 0),
    row(9, 352, 46, 16, 0),
    row(10, 724, 92, 12, 0),
    row(11, 2_680, 341, 48, 0),
    row(12, 14_200, 1_787, 80, 8),
    row(13, 73_712, 9_233, 136, 8),
    row(14, 365_596, 45_752, 420, 0),
    row(15, 2_279_184, 285_053, 1_240, 0),
    row(16, 14_772_512, 1_846_955, 3_000, 64),
    row(17, 95_815_104, 11_977_939, 8_152, 128),
    row(18, 666_090_624, 83_263_591, 18_104, 0),
    row(19, 4_968_057_848, 621_012_754, 44_184, 0),
    row(20, 39_029_188_884, 4_878_666_808, 144_620, 480),
    row(21, 314_666_222_712, 39_333_324_973, 375_664, 704),
    row(22, 2_691_008_701_644, 336_376_244_042, 1_250_692, 0),
    row(23, 24_233_937_684_440, 3_029_242_658_210, 3_581_240, 0),
    row(24, 227_514_171_973_736, 28_439_272_956_934, 11_675_080, 3_328),
    row(25, 2_207_893_435_808_352, 275_986_683_743_434, 34_132_592, 3_264),
    row(26, 22_317_699_616_364_044, 2_789_712_466_510_289, 115_718_268, 0),
    row(27, 234_907_967_154_122_528, 29_363_495_934_315_694, 320_403_024, 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent_with_the_symmetry_identity() {
        for (index, known) in TABLE.iter().enumerate() {
            assert_eq!(known.n as usize, index + 1);
            if known.n >= 2 {
                let images = known.all + known.half_turn + 2 * known.quarter_turn;
                assert_eq!(known.fundamental * 8, images, "n = {}", known.n);
            }
        }
    }

    #[test]
    fn a_difference_says_both_numbers() {
        let eight = Size::new(8).unwrap();
        assert_eq!(compare_all(eight, 92), Ok(true));
        assert_eq!(compare_all(Size::MAX, 1), Ok(false));
        let message = compare_all(eight, 93).unwrap_err().to_string();
        assert!(
            message.contains("93") && message.contains("92"),
            "{message}"
        );
        let message = compare_fundamental(eight, 11).unwrap_err().to_string();
        assert!(
            message.contains("11 fundamental") && message.contains("12"),
            "{message}"
        );
    }
}
