//! Counts by search: one queen a row, from the first row down, with three bit masks.
//!
//! The masks hold the squares of the next row that the queens above attack: along the columns,
//! along the rising diagonals (one column lower in the next row) and along the falling ones (one
//! column higher). Placing a queen and going to the next row is then three ORs and two shifts.
//!
//! *Tasks.* The tree is split at the first two rows, and for large boards further: a task is a
//! placement of non-attacking queens in the first two rows, or four. Mirror symmetry halves
//! them: the mirror image of a solution is another one for n >= 2, so only a first-row queen in
//! the left half is tried, with weight 2; where it stands in the middle column of an odd board,
//! the mirror image moves the second-row queen instead, and only those left of the middle are
//! tried.

pub(super) mod completions;

use super::{Cancel, Method, MethodName, TaskError, shuffled};
use crate::board::{Size, queens};
use crate::method::count::Count;
use completions::Whole;

/// The row-by-row search.
#[derive(Debug)]
pub struct Backtrack {
    size: Size,
    tasks: Vec<Task>,
}

/// Queens in the first rows; the last of them stands apart, for the search places it.
#[derive(Debug, Clone, Copy)]
struct Task {
    above: Attacked,
    queen: u32,
    rows: u32,
    weight: u64,
}

impl Task {
    /// The same queens with left and right exchanged, which exchanges the two kinds of diagonals.
    fn mirrored(self, size: Size) -> Task {
        let mirror = |row: u32| (row & size.row_mask()).reverse_bits() >> (32 - size.get());
        Task {
            above: Attacked {
                columns: mirror(self.above.columns),
                rising: mirror(self.above.falling),
                falling: mirror(self.above.rising),
            },
            queen: mirror(self.queen),
            ..self
        }
    }
}

/// The squares of a row that the queens above it attack, a mask for each direction. Bits beyond
/// the last column may be set in `falling`; they only ever move away from the board.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attacked {
    columns: u32,
    rising: u32,
    falling: u32,
}

impl Attacked {
    /// What the next row sees once a queen stands in this one.
    #[inline(always)]
    pub(super) fn with(self, queen: u32) -> Attacked {
        Attacked {
            columns: self.columns | queen,
            rising: (self.rising | queen) >> 1,
            falling: (self.falling | queen) << 1,
        }
    }

    /// The squares attacked along diagonals in the row `ahead` rows further down.
    #[inline(always)]
    fn diagonals(self, ahead: u32) -> u32 {
        self.rising >> ahead | self.falling << ahead
    }

    /// The squares of this row that no queen attacks.
    #[inline(always)]
    pub(super) fn free(self, board: u32) -> u32 {
        board & !(self.columns | self.diagonals(0))
    }
}

/// How many rows a task settles: two (fewer where the board has fewer), and from n = 17 on four,
/// so that there are thousands of tasks.
fn split_rows(size: Size) -> u32 {
    if size.get() < 17 {
        size.get().min(2)
    } else {
        4
    }
}

impl Backtrack {
    /// The search on boards of this size.
    pub fn new(size: Size) -> Backtrack {
        let n = size.get();
        let left_half = (1 << (n / 2)) - 1;
        let mut search = Backtrack {
            size,
            tasks: Vec::new(),
        };
        for queen in queens(left_half) {
            search.split(Task {
                above: Attacked::default(),
                queen,
                rows: 1,
                weight: 2,
            });
        }
        if n % 2 == 1 {
            let middle = Task {
                above: Attacked::default(),
                queen: 1 << (n / 2),
                rows: 1,
                weight: 2,
            };
            let second = middle.above.with(middle.queen);
            for queen in queens(second.free(left_half)) {
                search.split(Task {
                    above: second,
                    queen,
                    rows: 2,
                    weight: 2,
                });
            }
            if n == 1 {
                // The one board that is its own mirror image.
                search.split(Task {
                    weight: 1,
                    ..middle
                });
            }
        }
        search
    }

    /// The same search in the mirrored tree: each task is the mirror image of the one with its
    /// number in [`Backtrack::new`], and so has as many solutions, which are found at other
    /// squares and in another order. The two check each other.
    pub fn mirrored(size: Size) -> Backtrack {
        let mut search = Backtrack::new(size);
        for task in &mut search.tasks {
            *task = task.mirrored(size);
        }
        search
    }

    /// Adds the tasks that begin as this one does.
    fn split(&mut self, task: Task) {
        if task.rows == split_rows(self.size) {
            self.tasks.push(task);
            return;
        }
        let above = task.above.with(task.queen);
        for queen in queens(above.free(self.size.row_mask())) {
            self.split(Task {
                above,
                queen,
                rows: task.rows + 1,
                ..task
            });
        }
    }
}

impl Method for Backtrack {
    fn name(&self) -> &'static str {
        MethodName::Backtrack.name()
    }

    fn scheme(&self) -> u32 {
        1
    }

    fn tasks(&self) -> u64 {
        self.tasks.len() as u64
    }

    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
        let Task {
            above,
            queen,
            rows,
            weight,
        } = self.tasks[shuffled(task, self.tasks()) as usize];
        let board = Whole(self.size.row_mask());
        let left = (self.size.get() - rows) as usize;
        completions::count(board, left, above, queen, weight, cancel)
    }
}

/// The number of partial placements with k queens in the first k rows, for k = 1 to `rows`: the
/// first levels of the tree that a plain row-by-row search walks (OEIS A319284). The n-th is the
/// number of solutions.
///
/// It walks all of those levels, about 80 steps a solution: meant for small boards, to check other
/// ways of counting by.
///
/// ```
/// use queens::{Size, method::backtrack::partial_placements};
/// assert_eq!(partial_placements(Size::new(4)?, 4), [4, 6, 4, 2]);
/// # Ok::<(), queens::SizeError>(())
/// ```
pub fn partial_placements(size: Size, rows: u32) -> Vec<u64> {
    fn walk(board: u32, attacked: Attacked, levels: &mut [u64]) {
        let Some((level, below)) = levels.split_first_mut() else {
            return;
        };
        for queen in queens(attacked.free(board)) {
            *level += 1;
            walk(board, attacked.with(queen), below);
        }
    }
    let mut levels = vec![0; rows as usize];
    walk(size.row_mask(), Attacked::default(), &mut levels);
    levels
}
