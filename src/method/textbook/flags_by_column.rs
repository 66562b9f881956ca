//! Three arrays of flags again, but placing column by column: for each column a row is sought.
//!
//! It is [`flags`](super::flags) with rows and columns exchanged, as many books have it, and
//! takes exactly as many tests. It finds the same boards, but in lexicographic order of the row
//! list: its k-th board is the k-th of the others reflected in the falling main diagonal.

use std::ops::ControlFlow;

use super::{Effort, Visit};
use crate::board::Size;

/// Visits every solution; the effort is candidate squares tested, by column.
pub fn search(size: Size, visit: &mut Visit) -> Effort {
    let mut board = Board {
        n: size.get() as usize,
        columns: [0; 32],
        row: [false; 32],
        rising: [false; 63],
        falling: [false; 63],
        tests: Effort::default(),
    };
    let _ = board.fill(0, visit);
    board.tests
}

struct Board {
    n: usize,
    /// The column of each row's queen, for rows that have one.
    columns: [u8; 32],
    /// Flag r: a queen stands in row r.
    row: [bool; 32],
    /// Flag row + column.
    rising: [bool; 63],
    /// Flag row - column, with n - 1 added so that it starts at 0.
    falling: [bool; 63],
    tests: Effort,
}

impl Board {
    fn fill(&mut self, column: usize, visit: &mut Visit) -> ControlFlow<()> {
        if column == self.n {
            return visit(&self.columns[..self.n]);
        }
        for row in 0..self.n {
            self.tests.0[column] += 1;
            let (rising, falling) = (row + column, row + self.n - 1 - column);
            if self.row[row] || self.rising[rising] || self.falling[falling] {
                continue;
            }
            self.columns[row] = column as u8;
            self.row[row] = true;
            self.rising[rising] = true;
            self.falling[falling] = true;
            self.fill(column + 1, visit)?;
            self.row[row] = false;
            self.rising[rising] = false;
            self.falling[falling] = false;
        }
        ControlFlow::Continue(())
    }
}
