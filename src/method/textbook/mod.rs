//! The classic solvers, as textbooks teach them, side by side: one short file each.
//!
//! Each lists all solutions, one after the other, to a visitor that may stop it; none uses the
//! symmetry of the board, threads, or anything from the rest of this crate but the board size.
//! They differ in how they see that a square is attacked, and so in what a step costs. Each
//! says its [`Unit`] of effort: candidate squares tested, or nodes (queens placed).
//!
//! Solvers that go row by row find the boards in lexicographic order of the column list, all in
//! the same order. The one that goes column by column finds them in that of the row list.

pub mod bit_masks;
pub mod flags;
pub mod flags_by_column;
pub mod iterative;
pub mod pairwise;
pub mod row_scan;

use std::fmt;
use std::ops::ControlFlow;

use crate::board::{Placement, Size};

/// What a solver calls with the column of each row's queen, from row 0 on, for every solution.
/// It stops where the answer is [`ControlFlow::Break`].
pub type Visit<'a> = dyn FnMut(&[u8]) -> ControlFlow<()> + 'a;

/// What a solver did in each row (column, for the one that goes by columns), in its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort([u64; 32]);

/// What a solver counts as its effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Candidate squares tested.
    Tests,
    /// Nodes of the search tree: queens placed, each attacked by none of those before it.
    Nodes,
}

/// The classic solvers by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Textbook {
    /// [`pairwise`].
    Pairwise,
    /// [`iterative`].
    Iterative,
    /// [`flags`].
    Flags,
    /// [`flags_by_column`].
    FlagsByColumn,
    /// [`row_scan`].
    RowScan,
    /// [`bit_masks`].
    BitMasks,
}

impl Textbook {
    /// All of them, in the order in which textbooks come to them.
    pub const ALL: [Textbook; 6] = [
        Textbook::Pairwise,
        Textbook::Iterative,
        Textbook::Flags,
        Textbook::FlagsByColumn,
        Textbook::RowScan,
        Textbook::BitMasks,
    ];

    /// What this solver counts.
    pub fn unit(self) -> Unit {
        match self {
            Textbook::RowScan | Textbook::BitMasks => Unit::Nodes,
            _ => Unit::Tests,
        }
    }

    /// Visits every solution until the visitor stops it, and says what that took.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use queens::{Size, method::textbook::Textbook};
    ///
    /// let mut solutions = 0;
    /// let effort = Textbook::Pairwise.search(Size::new(8)?, &mut |_columns| {
    ///     solutions += 1;
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((solutions, effort.total()), (92, 15720));
    /// # Ok::<(), queens::SizeError>(())
    /// ```
    pub fn search(self, size: Size, visit: &mut Visit) -> Effort {
        match self {
            Textbook::Pairwise => pairwise::search(size, visit),
            Textbook::Iterative => iterative::search(size, visit),
            Textbook::Flags => flags::search(size, visit),
            Textbook::FlagsByColumn => flags_by_column::search(size, visit),
            Textbook::RowScan => row_scan::search(size, visit),
            Textbook::BitMasks => bit_masks::search(size, visit),
        }
    }

    /// The number of solutions, by visiting them all, and what that took.
    pub fn count(self, size: Size) -> (u64, Effort) {
        let mut solutions = 0;
        let effort = self.search(size, &mut |_| {
            solutions += 1;
            ControlFlow::Continue(())
        });
        (solutions, effort)
    }

    /// All solutions, in the order in which this solver finds them.
    pub fn list(self, size: Size) -> Vec<Placement> {
        let mut boards = Vec::new();
        self.search(size, &mut |columns| {
            boards.push(placement(columns));
            ControlFlow::Continue(())
        });
        boards
    }

    /// The first solution that this solver finds, if there is one, and what that took.
    pub fn first(self, size: Size) -> (Option<Placement>, Effort) {
        let mut first = None;
        let effort = self.search(size, &mut |columns| {
            first = Some(placement(columns));
            ControlFlow::Break(())
        });
        (first, effort)
    }
}

fn placement(columns: &[u8]) -> Placement {
    Placement::new(columns.to_vec()).expect("a column for every row")
}

impl Effort {
    /// What was done in each row, from row 0 on.
    pub fn per_row(&self) -> &[u64; 32] {
        &self.0
    }

    /// What was done in all rows.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Unit::Tests => "tests",
            Unit::Nodes => "nodes",
        })
    }
}

impl fmt::Display for Textbook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Textbook::Pairwise => "pairwise",
            Textbook::Iterative => "iterative",
            Textbook::Flags => "flags",
            Textbook::FlagsByColumn => "flags-by-column",
            Textbook::RowScan => "row-scan",
            Textbook::BitMasks => "bit-masks",
        })
    }
}
