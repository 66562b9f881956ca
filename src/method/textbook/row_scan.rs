//! A row's free squares, worked out afresh from the earlier queens whenever the row is entered.
//!
//! Each earlier queen attacks up to three squares of a row: straight below it, and as far to
//! either side as the row is below. These are struck out, and what is left is free. That costs
//! one pass over the earlier queens a node, not one a candidate square as in
//! [`pairwise`](super::pairwise), and nothing has to be undone as in [`flags`](super::flags).

use std::ops::ControlFlow;

use super::{Effort, Visit};
use crate::board::Size;

/// Visits every solution; the effort is nodes: queens placed.
pub fn search(size: Size, visit: &mut Visit) -> Effort {
    let mut columns = [0; 32];
    let mut nodes = Effort::default();
    let _ = fill(&mut columns[..size.get() as usize], 0, &mut nodes.0, visit);
    nodes
}

fn fill(columns: &mut [u8], row: usize, nodes: &mut [u64], visit: &mut Visit) -> ControlFlow<()> {
    let n = columns.len();
    if row == n {
        return visit(columns);
    }
    let mut free = [true; 32];
    for (other_row, &column) in columns[..row].iter().enumerate() {
        let (column, distance) = (usize::from(column), row - other_row);
        free[column] = false;
        if column >= distance {
            free[column - distance] = false;
        }
        if column + distance < n {
            free[column + distance] = false;
        }
    }
    for column in (0..n).filter(|&column| free[column]) {
        nodes[row] += 1;
        columns[row] = column as u8;
        fill(columns, row + 1, nodes, visit)?;
    }
    ControlFlow::Continue(())
}
