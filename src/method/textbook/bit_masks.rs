//! One word a direction: bit masks of the squares of a row that the queens above attack.
//!
//! Bit c of the three words says that square c of the next row is attacked along a column, a
//! rising or a falling diagonal. From one row to the next a diagonal moves one square aside,
//! which is a shift of the whole word; so a queen is set with three ORs and two shifts, and the
//! free squares of a row are one expression. Its lowest set bit is the first free square: x & -x.
//! A node costs a handful of instructions, no attacked square is ever looked at, and nothing has
//! to be undone, since each call has words of its own.

use std::ops::ControlFlow;

use super::{Effort, Visit};
use crate::board::Size;

/// Visits every solution; the effort is nodes: queens placed.
pub fn search(size: Size, visit: &mut Visit) -> Effort {
    let mut board = Board {
        n: size.get() as usize,
        squares: size.row_mask(),
        columns: [0; 32],
        nodes: Effort::default(),
    };
    let _ = board.fill(0, [0; 3], visit);
    board.nodes
}

struct Board {
    n: usize,
    /// A bit for each square of a row.
    squares: u32,
    /// The column of each row's queen.
    columns: [u8; 32],
    nodes: Effort,
}

impl Board {
    fn fill(
        &mut self,
        row: usize,
        [column, rising, falling]: [u32; 3],
        visit: &mut Visit,
    ) -> ControlFlow<()> {
        if row == self.n {
            return visit(&self.columns[..self.n]);
        }
        let mut free = self.squares & !(column | rising | falling);
        while free != 0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.nodes.0[row] += 1;
            self.columns[row] = queen.trailing_zeros() as u8;
            let attacked = [
                column | queen,
                (rising | queen) >> 1,
                (falling | queen) << 1,
            ];
            self.fill(row + 1, attacked, visit)?;
        }
        ControlFlow::Continue(())
    }
}
