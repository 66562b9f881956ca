//! Counts by search: one queen a row, from the first row down, with three bit masks.
//!
//! The masks hold the squares of the next row that the queens above attack: along the columns,
//! along the rising diagonals (which move one column up a row) and along the falling ones (one
//! column down). Placing a queen and going to the next row is then two ORs and two shifts.
//!
//! *Tasks.* The tree is split at the first two rows, and for large boards further: a task is a
//! placement of non-attacking queens in the first [`split_rows`] rows. Mirror symmetry halves
//! them: the mirror image of a solution is another one for n >= 2, so only a first-row queen in
//! the left half is tried, with weight 2; where it stands in the middle column of an odd board,
//! the mirror image moves the second-row queen instead, and only those left of the middle are
//! tried.

use super::{Cancel, Method, TaskError, evenly_spread};
use crate::board::Size;
use crate::run::tally::Count;

/// The row-by-row search.
#[derive(Debug)]
pub struct Backtrack {
    size: Size,
    tasks: Vec<Prefix>,
}

/// Queens in the first rows, as the next row sees them.
#[derive(Debug, Clone, Copy)]
struct Prefix {
    attacked: Attacked,
    weight: u64,
}

/// The squares of a row that the queens above it attack, a mask for each direction.
#[derive(Debug, Clone, Copy)]
struct Attacked {
    columns: u32,
    rising: u32,
    falling: u32,
}

impl Attacked {
    /// What the next row sees once a queen stands here too. What leaves the board to the right
    /// is dropped by the shift, to the left by the row mask at every use.
    fn with(self, queen: u32) -> Attacked {
        Attacked {
            columns: self.columns | queen,
            rising: (self.rising | queen) >> 1,
            falling: (self.falling | queen) << 1,
        }
    }

    fn free(self, board: u32) -> u32 {
        board & !(self.columns | self.rising | self.falling)
    }
}
/// How many rows a task settles: two, and from n = 17 on four, so that there are thousands of
/// tasks (8 500 at n = 17, 170 000 at n = 32) and none is long.
pub fn split_rows(size: Size) -> u32 {
    if size.get() < 17 {
        size.get().min(2)
    } else {
        4
    }
}

impl Backtrack {
    /// The search on boards of this size.
    pub fn new(size: Size) -> Backtrack {
        let mut search = Backtrack {
            size,
            tasks: Vec::new(),
        };
        let n = size.get();
        let none = Attacked {
            columns: 0,
            rising: 0,
            falling: 0,
        };
        let left_half = (1 << (n / 2)) - 1;
        let mut tasks = Vec::new();
        for queen in queens(left_half) {
            search.split(none.with(queen), 1, 2, &mut tasks);
        }
        if n % 2 == 1 {
            let first = none.with(1 << (n / 2));
            if n == 1 {
                tasks.push(Prefix {
                    attacked: first,
                    weight: 1,
                });
            }
            for queen in queens(first.free(left_half)) {
                search.split(first.with(queen), 2, 2, &mut tasks);
            }
        }
        search.tasks = evenly_spread(&tasks);
        search
    }

    fn split(&self, attacked: Attacked, rows: u32, weight: u64, tasks: &mut Vec<Prefix>) {
        if rows == split_rows(self.size) {
            tasks.push(Prefix { attacked, weight });
            return;
        }
        for queen in queens(attacked.free(self.size.row_mask())) {
            self.split(attacked.with(queen), rows + 1, weight, tasks);
        }
    }
}

fn completions(board: u32, attacked: Attacked) -> u64 {
    if attacked.columns == board {
        return 1;
    }
    queens(attacked.free(board))
        .map(|queen| completions(board, attacked.with(queen)))
        .sum()
}

impl Method for Backtrack {
    fn name(&self) -> &'static str {
        "backtrack"
    }

    fn tasks(&self) -> u64 {
        self.tasks.len() as u64
    }

    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
        let prefix = &self.tasks[task as usize];
        cancel.check()?;
        let mut count = Count::ZERO;
        count.add(
            prefix.weight,
            completions(self.size.row_mask(), prefix.attacked),
        )?;
        Ok(count)
    }
}

fn queens(mut free: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        (queen != 0).then_some(queen)
    })
}
