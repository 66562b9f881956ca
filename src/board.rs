//! The board: its size, a placement of queens on it, and the eight symmetries of the square.
//!
//! Rows and columns are numbered from 0 here; what a user reads or types is numbered from 1.
//! A *rising* diagonal holds the squares with the same `row + column`, a *falling* one those
//! with the same `row - column`.

use std::fmt;
use std::num::IntErrorKind;
use std::str::FromStr;

use thiserror::Error;

/// The number n of rows and of columns of a board, from 1 to 32.
///
/// 32 is the most that one row's squares may number in a `u32` mask; the largest board ever
/// counted is 27.
///
/// ```
/// use queens::Size;
/// assert_eq!(Size::new(8)?.get(), 8);
/// assert_eq!("8".parse::<Size>()?, Size::new(8)?);
/// assert!(Size::new(33).is_err());
/// # Ok::<(), queens::SizeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(u8);

/// Why something is not a board size.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SizeError {
    /// A whole number, but none that a board can have.
    #[error("board size {0} is out of range: it must be from 1 to 32")]
    OutOfRange(String),
    /// No whole number in decimal digits.
    #[error("board size '{0}' is not a whole number: it must be from 1 to 32")]
    NotANumber(String),
}

impl Size {
    /// The smallest board.
    pub const MIN: Size = Size(1);
    /// The largest board.
    pub const MAX: Size = Size(32);

    /// The size of a board of `n` rows and `n` columns.
    ///
    /// # Errors
    /// [`SizeError::OutOfRange`] unless n is from 1 to 32.
    pub fn new(n: u32) -> Result<Size, SizeError> {
        if (1..=32).contains(&n) {
            Ok(Size(n as u8))
        } else {
            Err(SizeError::OutOfRange(n.to_string()))
        }
    }

    /// The number itself.
    pub fn get(self) -> u32 {
        u32::from(self.0)
    }

    /// One bit for each column of a row, column 0 lowest.
    pub fn row_mask(self) -> u32 {
        u32::MAX >> (32 - self.get())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        match text.parse::<i64>() {
            Ok(n) => u32::try_from(n)
                .ok()
                .and_then(|n| Size::new(n).ok())
                .ok_or_else(|| SizeError::OutOfRange(n.to_string())),
            Err(error) => match error.kind() {
                IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
                    Err(SizeError::OutOfRange(text.to_owned()))
                }
                _ => Err(SizeError::NotANumber(text.to_owned())),
            },
        }
    }
}

/// One queen in every row: the column of each row's queen, from row 0 on.
///
/// Nothing is promised about attacks: [`Placement::is_solution`] tells. The order is that of
/// the column list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    columns: Vec<u8>,
}

/// Why a list of columns is no placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlacementError {
    /// The number of rows is no board size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A queen stands beside the board.
    #[error("column {column} of row {row} is off the board: columns go from 0 to {last}")]
    OffBoard {
        /// The row, from 0.
        row: usize,
        /// The column given for it.
        column: u8,
        /// The last column there is.
        last: u32,
    },
}

impl Placement {
    /// The placement with these columns, row by row.
    ///
    /// # Errors
    /// [`PlacementError`] if the length is no board size or a column is off the board.
    ///
    /// ```
    /// use queens::Placement;
    /// assert!(Placement::new(vec![1, 3, 0, 2])?.is_solution());
    /// assert!(!Placement::new(vec![0, 1, 2, 3])?.is_solution());
    /// # Ok::<(), queens::PlacementError>(())
    /// ```
    pub fn new(columns: Vec<u8>) -> Result<Placement, PlacementError> {
        let size = Size::new(u32::try_from(columns.len()).unwrap_or(u32::MAX))?;
        match columns.iter().position(|&c| u32::from(c) >= size.get()) {
            None => Ok(Placement { columns }),
            Some(row) => Err(PlacementError::OffBoard {
                row,
                column: columns[row],
                last: size.get() - 1,
            }),
        }
    }

    /// The column of each row's queen.
    pub fn columns(&self) -> &[u8] {
        &self.columns
    }

    /// Whether no queen attacks another.
    pub fn is_solution(&self) -> bool {
        let n = self.columns.len();
        let (mut columns, mut rising, mut falling) = (0u64, 0u64, 0u64);
        self.columns.iter().enumerate().all(|(row, &column)| {
            let column = usize::from(column);
            let queen = [
                1 << column,
                1 << (row + column),
                1 << (n - 1 + row - column),
            ];
            let free = columns & queen[0] == 0 && rising & queen[1] == 0 && falling & queen[2] == 0;
            columns |= queen[0];
            rising |= queen[1];
            falling |= queen[2];
            free
        })
    }

    /// The same queens after a symmetry of the board.
    ///
    /// # Panics
    /// If two queens share a column: turned by a quarter they would share a row.
    pub fn transformed(&self, symmetry: Symmetry) -> Placement {
        let last = self.columns.len() - 1;
        let mut columns = vec![u8::MAX; self.columns.len()];
        for (row, &column) in self.columns.iter().enumerate() {
            let (row, column) = symmetry.square(last, row, usize::from(column));
            assert!(columns[row] == u8::MAX, "two queens in one column");
            columns[row] = column as u8;
        }
        Placement { columns }
    }
}

/// One of the eight ways to lay a square onto itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Nothing moves.
    Identity,
    /// A quarter-turn clockwise.
    QuarterTurn,
    /// A half-turn.
    HalfTurn,
    /// A quarter-turn counter-clockwise.
    ThreeQuarterTurn,
    /// Left and right exchanged.
    Mirror,
    /// Top and bottom exchanged.
    Flip,
    /// Reflection in the falling main diagonal: rows become columns.
    Transpose,
    /// Reflection in the rising main diagonal.
    AntiTranspose,
}

impl Symmetry {
    /// All eight.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::QuarterTurn,
        Symmetry::HalfTurn,
        Symmetry::ThreeQuarterTurn,
        Symmetry::Mirror,
        Symmetry::Flip,
        Symmetry::Transpose,
        Symmetry::AntiTranspose,
    ];

    /// Where the square (row, column) goes, on a board whose last row is `last`.
    fn square(self, last: usize, row: usize, column: usize) -> (usize, usize) {
        match self {
            Symmetry::Identity => (row, column),
            Symmetry::QuarterTurn => (column, last - row),
            Symmetry::HalfTurn => (last - row, last - column),
            Symmetry::ThreeQuarterTurn => (last - column, row),
            Symmetry::Mirror => (row, last - column),
            Symmetry::Flip => (last - row, column),
            Symmetry::Transpose => (column, row),
            Symmetry::AntiTranspose => (last - column, last - row),
        }
    }
}

/// The single bits of a row mask, each a queen on one of its squares, lowest column first.
pub(crate) fn queens(mut squares: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let queen = squares & squares.wrapping_neg();
        squares ^= queen;
        (queen != 0).then_some(queen)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_refused() {
        assert_eq!("1".parse::<Size>(), Ok(Size::MIN));
        assert_eq!("32".parse::<Size>(), Ok(Size::MAX));
        for out in [
            "0",
            "-1",
            "33",
            "99999999999999999999",
            "-99999999999999999999",
        ] {
            let error = out.parse::<Size>().unwrap_err();
            assert_eq!(error, SizeError::OutOfRange(out.to_owned()));
        }
        for text in ["", "abc", "1e3", "16.5", " 8", "8 ", "0x8"] {
            let error = text.parse::<Size>().unwrap_err();
            assert_eq!(error, SizeError::NotANumber(text.to_owned()));
        }
    }

    #[test]
    fn row_masks_have_one_bit_a_column() {
        for n in 1..=32 {
            assert_eq!(Size::new(n).unwrap().row_mask().count_ones(), n);
        }
    }

    #[test]
    fn the_symmetries_form_the_group_of_the_square() {
        let board = Placement::new(vec![0, 3, 1, 4, 2, 5]).unwrap();
        let after = |symmetries: &[Symmetry]| {
            symmetries
                .iter()
                .fold(board.clone(), |b, &s| b.transformed(s))
        };
        use Symmetry::*;
        assert_eq!(after(&[QuarterTurn, QuarterTurn]), after(&[HalfTurn]));
        assert_eq!(after(&[QuarterTurn, HalfTurn]), after(&[ThreeQuarterTurn]));
        assert_eq!(after(&[QuarterTurn, ThreeQuarterTurn]), board);
        assert_eq!(after(&[Mirror, Flip]), after(&[HalfTurn]));
        assert_eq!(after(&[Transpose, Mirror]), after(&[QuarterTurn]));
        assert_eq!(after(&[AntiTranspose, HalfTurn]), after(&[Transpose]));
    }

    #[test]
    fn a_solution_is_told_from_an_attack() {
        let placement = |columns: &[u8]| Placement::new(columns.to_vec()).unwrap();
        assert!(placement(&[0]).is_solution());
        assert!(placement(&[1, 3, 0, 2]).is_solution());
        assert!(!placement(&[0, 0, 2, 2]).is_solution());
        assert!(!placement(&[0, 2, 1, 3]).is_solution());
        assert!(Placement::new(vec![0, 4, 1, 2]).is_err());
        assert!(Placement::new(vec![]).is_err());
    }
}
