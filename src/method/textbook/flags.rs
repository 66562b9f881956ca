//! Three arrays of flags: is the column taken, the rising diagonal, the falling diagonal?
//!
//! The squares of a rising diagonal share row + column, those of a falling one row - column, so
//! each of the 2n - 1 diagonals of a kind has a number. A queen raises its three flags when it
//! is set and lowers them when it is taken away. A test then looks at three flags however many
//! queens stand: n tests a node as in [`pairwise`](super::pairwise), at a constant cost.

use std::ops::ControlFlow;

use super::{Effort, Visit};
use crate::board::Size;

/// Visits every solution; the effort is candidate squares tested.
pub fn search(size: Size, visit: &mut Visit) -> Effort {
    let mut board = Board {
        n: size.get() as usize,
        columns: [0; 32],
        column: [false; 32],
        rising: [false; 63],
        falling: [false; 63],
        tests: Effort::default(),
    };
    let _ = board.fill(0, visit);
    board.tests
}

struct Board {
    n: usize,
    /// The column of each row's queen.
    columns: [u8; 32],
    /// Flag c: a queen stands in column c.
    column: [bool; 32],
    /// Flag row + column.
    rising: [bool; 63],
    /// Flag row - column, with n - 1 added so that it starts at 0.
    falling: [bool; 63],
    tests: Effort,
}

impl Board {
    fn fill(&mut self, row: usize, visit: &mut Visit) -> ControlFlow<()> {
        if row == self.n {
            return visit(&self.columns[..self.n]);
        }
        for column in 0..self.n {
            self.tests.0[row] += 1;
            let (rising, falling) = (row + column, row + self.n - 1 - column);
            if self.column[column] || self.rising[rising] || self.falling[falling] {
                continue;
            }
            self.columns[row] = column as u8;
            self.column[column] = true;
            self.rising[rising] = true;
            self.falling[falling] = true;
            self.fill(row + 1, visit)?;
            self.column[column] = false;
            self.rising[rising] = false;
            self.falling[falling] = false;
        }
        ControlFlow::Continue(())
    }
}
