//! Counts the solutions that a turn of the board leaves as they are.
//!
//! They are rare (3000 half-turn solutions beside 14.8 million at n = 16) and are found by a
//! search of their own: a queen is placed together with all its images under the turn, its
//! *orbit*, so only symmetric placements are ever visited. The squares attacked so far are then
//! symmetric too, so it is enough to look at one queen of the next orbit.
//!
//! An orbit attacks itself in just two cases, which are excluded before the search begins: a
//! queen on a main diagonal attacks its image under the half-turn, and one in the middle row or
//! column of an odd board its image under either turn, unless it is the centre. So the centre
//! of an odd board holds a queen, and no other queen stands on a main diagonal.

use super::{Cancel, Method, TaskError, shuffled};
use crate::board::{Size, queens};
use crate::method::count::Count;

/// A turn of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// By 180 degrees: orbits of two queens.
    Half,
    /// By 90 degrees: orbits of four queens.
    Quarter,
}

/// The search for the solutions equal to their own half-turn or quarter-turn.
///
/// ```
/// use queens::Size;
/// use queens::method::{Cancel, Method, symmetric::{Symmetric, Turn}};
///
/// let search = Symmetric::new(Turn::Half, Size::new(8)?);
/// let cancel = Cancel::new();
/// let mut solutions = 0;
/// for task in 0..search.tasks() {
///     solutions += search.count(task, &cancel)?.solutions;
/// }
/// assert_eq!(solutions, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Symmetric {
    turn: Turn,
    size: Size,
    tasks: Vec<Orbits>,
}

/// The lines that the orbits placed so far occupy, a bit each.
#[derive(Debug, Clone, Copy)]
struct Orbits {
    rows: u32,
    columns: u32,
    /// Bit row + column.
    rising: u64,
    /// Bit (n - 1) - row + column.
    falling: u64,
    /// How many solutions each one found below stands for.
    weight: u64,
}

/// A task is a way to place this many orbits (or all, on small boards).
const SPLIT: usize = 3;

impl Symmetric {
    /// The search on boards of this size.
    pub fn new(turn: Turn, size: Size) -> Symmetric {
        let last = size.get() - 1;
        let centre = if last.is_multiple_of(2) {
            1 << (last / 2)
        } else {
            0
        };
        let empty = Orbits {
            rows: centre,
            columns: centre,
            rising: 1 << last,
            falling: 1 << last,
            weight: 1,
        };
        let mut search = Symmetric {
            turn,
            size,
            tasks: Vec::new(),
        };
        let mut tasks = Vec::new();
        if search.is_full(&empty) {
            tasks.push(empty);
        } else {
            // The mirror image of a symmetric solution is another one: try the left half of
            // the first row and count twice.
            let left_half = (1 << (size.get() / 2)) - 1;
            for column in columns(search.free(&empty, 0) & left_half) {
                let first = Orbits {
                    weight: 2,
                    ..search.place(&empty, 0, column)
                };
                search.split(&first, SPLIT - 1, &mut tasks);
            }
        }
        search.tasks = tasks;
        search
    }

    /// Collects the ways to place `orbits` more orbits.
    fn split(&self, placed: &Orbits, orbits: usize, tasks: &mut Vec<Orbits>) {
        if orbits == 0 || self.is_full(placed) {
            tasks.push(*placed);
            return;
        }
        let row = placed.rows.trailing_ones();
        for column in columns(self.free(placed, row)) {
            self.split(&self.place(placed, row, column), orbits - 1, tasks);
        }
    }

    fn is_full(&self, placed: &Orbits) -> bool {
        placed.rows == self.size.row_mask()
    }

    /// The squares of `row` that no queen attacks.
    fn free(&self, placed: &Orbits, row: u32) -> u32 {
        let diagonals = placed.rising >> row | placed.falling >> (self.size.get() - 1 - row);
        !(placed.columns | diagonals as u32) & self.size.row_mask()
    }

    /// Adds the orbit of the square (row, column).
    fn place(&self, placed: &Orbits, row: u32, column: u32) -> Orbits {
        let last = self.size.get() - 1;
        // The half-turn takes line i to line last - i, and diagonal i to 2·last - i.
        let lines = |line: u32| 1u32 << line | 1 << (last - line);
        let diagonals = |diagonal: u32| 1u64 << diagonal | 1 << (2 * last - diagonal);
        let (rows, columns) = (lines(row), lines(column));
        let (rising, falling) = (diagonals(row + column), diagonals(last - row + column));
        // The quarter-turn exchanges rows with columns and the two kinds of diagonals.
        let (rows, columns, rising, falling) = match self.turn {
            Turn::Half => (rows, columns, rising, falling),
            Turn::Quarter => (
                rows | columns,
                rows | columns,
                rising | falling,
                rising | falling,
            ),
        };
        Orbits {
            rows: placed.rows | rows,
            columns: placed.columns | columns,
            rising: placed.rising | rising,
            falling: placed.falling | falling,
            weight: placed.weight,
        }
    }

    /// The number of ways to fill the rest of the board.
    fn completions(&self, placed: &Orbits, cancel: &Cancel) -> Result<u64, TaskError> {
        if self.is_full(placed) {
            return Ok(1);
        }
        cancel.check()?;
        let row = placed.rows.trailing_ones();
        let mut solutions = 0u64;
        for column in columns(self.free(placed, row)) {
            // Each orbit takes two columns or more, so that below the three of a task there are
            // at most 26·24·…·2 < 2^46 ways, even at n = 32.
            solutions += self.completions(&self.place(placed, row, column), cancel)?;
        }
        Ok(solutions)
    }
}

impl Method for Symmetric {
    fn name(&self) -> &'static str {
        match self.turn {
            Turn::Half => "half-turn",
            Turn::Quarter => "quarter-turn",
        }
    }

    fn scheme(&self) -> u32 {
        1
    }

    fn tasks(&self) -> u64 {
        self.tasks.len() as u64
    }

    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
        let task = &self.tasks[shuffled(task, self.tasks()) as usize];
        let mut count = Count::ZERO;
        count.add(task.weight, self.completions(task, cancel)?)?;
        Ok(count)
    }
}

/// The columns of a row mask, lowest first.
fn columns(squares: u32) -> impl Iterator<Item = u32> {
    queens(squares).map(u32::trailing_zeros)
}
