//! Ways to count, all behind one seam: a count is a sum over independent *tasks*.
//!
//! A [`Method`] says, for the board it was made for, how many tasks there are, and counts any
//! one of them. Whatever else a long count needs (threads, progress, parts counted elsewhere)
//! knows only task numbers, and so works the same for every method. A method never prints,
//! reads a clock or knows a thread.

pub mod backtrack;
pub mod conditioned;
pub mod symmetric;
pub mod textbook;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::board::Size;
use crate::run::tally::Count;

/// A way to count the solutions of one board in independent tasks.
pub trait Method: Send + Sync {
    /// The method's name, as `--method` takes it.
    fn name(&self) -> &'static str;

    /// The number of tasks. They are numbered from 0; their number and what each one stands
    /// for depend on the board alone, never on threads, machine or build.
    fn tasks(&self) -> u64;

    /// Counts the solutions that task number `task` stands for, symmetry weight included.
    ///
    /// # Errors
    /// [`TaskError::Interrupted`] within 100 ms of [`Cancel::trip`]; the others when the count
    /// cannot be trusted.
    ///
    /// # Panics
    /// May panic if `task` is not below [`Method::tasks`]; [`run`](crate::run::run) checks it.
    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError>;
}

/// Why a task has no count.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TaskError {
    /// The run was cancelled.
    #[error("interrupted")]
    Interrupted,
    /// A number outgrew its type.
    #[error("the count is too large for this program's numbers")]
    Overflow,
    /// Two ways to the same number disagree.
    #[error("a count failed its own check ({0}): this is a bug in this program or broken hardware")]
    Inconsistent(String),
}

/// A switch that stops a run: tripped once, by any thread, and seen by every task.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// A switch that is not tripped.
    pub const fn new() -> Cancel {
        Cancel(AtomicBool::new(false))
    }

    /// Asks every task that looks at this switch to stop.
    pub fn trip(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the switch is tripped.
    pub fn is_tripped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Fails once the switch is tripped.
    ///
    /// # Errors
    /// [`TaskError::Interrupted`] then.
    pub fn check(&self) -> Result<(), TaskError> {
        if self.is_tripped() {
            Err(TaskError::Interrupted)
        } else {
            Ok(())
        }
    }
}

/// The methods by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodName {
    /// [`backtrack::Backtrack`].
    Backtrack,
}

impl MethodName {
    /// Every method that counts all solutions.
    pub const ALL: [MethodName; 1] = [MethodName::Backtrack];

    /// The fastest method for boards of this size: a choice that depends on n alone, so that
    /// parts of one count fit together wherever they were counted.
    pub fn fastest(_size: Size) -> MethodName {
        MethodName::Backtrack
    }

    /// The method, made ready for boards of this size.
    pub fn for_size(self, size: Size) -> Box<dyn Method> {
        match self {
            MethodName::Backtrack => Box::new(backtrack::Backtrack::new(size)),
        }
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            MethodName::Backtrack => "backtrack",
        })
    }
}

/// The same tasks in an order in which any run of consecutive ones, and every k-th one for any
/// k, is a fair sample of all: so progress is even, and shards are alike.
///
/// The search finds tasks in lexicographic order, where the first ones (queens in corners) are
/// the smallest. Here place i goes to the task i·s modulo their number, with a step s near the
/// golden section of that number, whose multiples spread most evenly, and prime to it, so that
/// each task comes once.
fn evenly_spread<Task: Copy>(tasks: &[Task]) -> Vec<Task> {
    let count = tasks.len();
    let golden = (count as f64 * 0.618_033_988_749_895) as usize;
    let step = (golden.max(1)..)
        .find(|&step| gcd(step, count) == 1)
        .expect("count + 1 is prime to it");
    (0..count)
        .map(|place| tasks[place * step % count])
        .collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreading_keeps_every_task_once() {
        for count in 0..200 {
            let tasks: Vec<usize> = (0..count).collect();
            let mut spread = evenly_spread(&tasks);
            spread.sort_unstable();
            assert_eq!(spread, tasks);
        }
    }
}
