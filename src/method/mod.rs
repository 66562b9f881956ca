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
    /// The method's name.
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

    /// The name, as the command line takes it.
    pub const fn name(self) -> &'static str {
        match self {
            MethodName::Backtrack => "backtrack",
        }
    }

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
        f.pad(self.name())
    }
}

/// The same tasks in an order in which those at any run of places, or at every k-th place, are
/// a fair sample of all: so progress is even, and shards are alike.
///
/// A search finds its tasks in lexicographic order, where the first ones (queens in corners) are
/// the smallest and neighbours are alike. This shuffles them, by the same random numbers always.
fn shuffled<Task: Copy>(tasks: &[Task]) -> Vec<Task> {
    let mut order: Vec<u64> = (0..tasks.len() as u64).collect();
    order.sort_by_key(|&place| splitmix64(place));
    order
        .into_iter()
        .map(|place| tasks[place as usize])
        .collect()
}

/// The output number `index` of the random number generator SplitMix64 seeded with 0: a
/// bijection, so that no two indices tie.
fn splitmix64(index: u64) -> u64 {
    let z = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_keeps_every_task_once() {
        for count in 0..200 {
            let tasks: Vec<usize> = (0..count).collect();
            let mut shuffled = shuffled(&tasks);
            shuffled.sort_unstable();
            assert_eq!(shuffled, tasks);
        }
    }
}
