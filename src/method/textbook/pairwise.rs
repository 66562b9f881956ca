//! The first program one writes: an array with the column of each row's queen, and every new
//! queen compared with every earlier one.
//!
//! Two queens attack each other if their columns are equal or as far apart as their rows. Row by
//! row each column is tested in turn; where no earlier queen attacks it, a queen is set there and
//! the function calls itself for the next row. A test costs up to as many comparisons as there
//! are queens, so a board of n costs n tests a node, of up to n comparisons each. In return there
//! is nothing to undo: a queen that is replaced is forgotten.

use std::ops::ControlFlow;

use super::{Effort, Visit};
use crate::board::Size;

/// Visits every solution; the effort is candidate squares tested.
pub fn search(size: Size, visit: &mut Visit) -> Effort {
    let mut columns = [0; 32];
    let mut tests = Effort::default();
    let _ = fill(&mut columns[..size.get() as usize], 0, &mut tests.0, visit);
    tests
}

fn fill(columns: &mut [u8], row: usize, tests: &mut [u64], visit: &mut Visit) -> ControlFlow<()> {
    if row == columns.len() {
        return visit(columns);
    }
    for column in 0..columns.len() as u8 {
        tests[row] += 1;
        if is_free(&columns[..row], row, column) {
            columns[row] = column;
            fill(columns, row + 1, tests, visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// Whether none of the queens above attacks the square.
fn is_free(above: &[u8], row: usize, column: u8) -> bool {
    above.iter().enumerate().all(|(other_row, &other)| {
        other != column && usize::from(other.abs_diff(column)) != row - other_row
    })
}
