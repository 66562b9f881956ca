//! Backtracking without recursion: advance to the next row when a queen has found a square, step
//! back and move the earlier queen on when it has not.
//!
//! It is [`pairwise`](super::pairwise) with the call stack taken away: the array of columns
//! already says all there is to know, for the queen of a row that is come back to stands where
//! its search stopped. Tests and their cost are the same, one loop replaces the calls.

use super::{Effort, Visit};
use crate::board::Size;

/// Visits every solution; the effort is candidate squares tested.
pub fn search(size: Size, visit: &mut Visit) -> Effort {
    let n = size.get() as usize;
    let mut columns = [0u8; 32];
    let mut tests = Effort::default();
    let mut row = 0;
    // The column to try next in this row.
    let mut candidate = 0;
    loop {
        if usize::from(candidate) < n {
            tests.0[row] += 1;
            columns[row] = candidate;
            if !last_is_free(&columns[..=row]) {
                candidate += 1;
            } else if row + 1 < n {
                row += 1;
                candidate = 0;
            } else {
                if visit(&columns[..n]).is_break() {
                    return tests;
                }
                candidate += 1;
            }
        } else if row > 0 {
            row -= 1;
            candidate = columns[row] + 1;
        } else {
            return tests;
        }
    }
}

/// Whether none of the other queens attacks the last one.
fn last_is_free(columns: &[u8]) -> bool {
    let (&last, above) = columns.split_last().expect("the last queen");
    above
        .iter()
        .rev()
        .zip(1..)
        .all(|(&other, rows)| other != last && other.abs_diff(last) != rows)
}
