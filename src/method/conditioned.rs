//! Counts the solutions that meet [`Conditions`]: queens that must stand, squares that must stay
//! empty.
//!
//! It is the search of [`backtrack`](super::backtrack) on rows that do not allow every square,
//! and without the symmetry, which conditions break.
//!
//! *Tasks.* A task is a placement of non-attacking queens in the first rows: as many rows as it
//! takes to have [`ENOUGH_TASKS`] of them, since a row whose queen is given splits nothing. But
//! the last eight rows are never split: they are a moment's search.

use super::backtrack::{Attacked, completions};
use super::{Cancel, Method, TaskError, shuffled};
use crate::board::queens;
use crate::conditions::Conditions;
use crate::method::count::Count;

/// The row-by-row search under conditions.
#[derive(Debug)]
pub struct Conditioned {
    conditions: Conditions,
    /// How many rows the tasks settle.
    rows: usize,
    tasks: Vec<Task>,
}

/// Queens in the first rows; the last of them stands apart, for the search places it.
#[derive(Debug, Clone, Copy)]
struct Task {
    above: Attacked,
    queen: u32,
}

/// Rows are split until there are this many tasks or eight rows are left.
pub const ENOUGH_TASKS: usize = 4000;

impl Conditioned {
    /// The search for the solutions that meet these conditions.
    pub fn new(conditions: &Conditions) -> Conditioned {
        let allowed = conditions.allowed();
        let children = |above: Attacked, row: usize| {
            queens(above.free(allowed[row])).map(move |queen| Task { above, queen })
        };
        let mut tasks: Vec<Task> = Vec::new();
        if !conditions.are_hopeless() {
            tasks.extend(children(Attacked::default(), 0));
        }
        let mut rows = 1;
        while rows + 8 < allowed.len() && (1..ENOUGH_TASKS).contains(&tasks.len()) {
            tasks = tasks
                .iter()
                .flat_map(|task| children(task.above.with(task.queen), rows))
                .collect();
            rows += 1;
        }
        Conditioned {
            conditions: conditions.clone(),
            rows,
            tasks,
        }
    }
}

impl Method for Conditioned {
    fn name(&self) -> &'static str {
        "backtrack"
    }

    fn scheme(&self) -> u32 {
        1
    }

    fn tasks(&self) -> u64 {
        self.tasks.len() as u64
    }

    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
        let Task { above, queen } = self.tasks[shuffled(task, self.tasks()) as usize];
        let allowed = self.conditions.allowed();
        let left = allowed.len() - self.rows;
        completions::count(allowed, left, above, queen, 1, cancel)
    }
}
