//! Ways to count, all behind one interface: a count is a sum over independent *tasks*.
//!
//! A [`Method`] says, for the board it was made for, how many tasks there are, and counts any
//! one of them. Whatever else a long count needs (threads, progress, parts counted elsewhere)
//! knows only task numbers, and so works the same for every method. A method never prints,
//! reads a clock or knows a thread.

pub mod backtrack;
pub mod conditioned;
pub mod count;
pub mod double_check;
pub mod join;
pub mod symmetric;
pub mod textbook;

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::board::Size;
use count::Count;

/// A way to count the solutions of one board in independent tasks.
pub trait Method: Send + Sync {
    /// The method's name.
    fn name(&self) -> &'static str;

    /// The version of the task scheme, from 1: raised whenever the number of tasks of any board,
    /// their order or what one stands for changes, so that parts counted by different schemes
    /// are never added up.
    fn scheme(&self) -> u32;

    /// The kernel that counts: what of the processor the inner loops use; "none" for a method
    /// without kernels. It makes no difference to any count.
    fn kernel(&self) -> &'static str {
        "none"
    }

    /// The number of tasks. They are numbered from 0; their number and what each one stands
    /// for depend on the board and the [scheme](Method::scheme) alone, never on threads,
    /// machine or build.
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

/// Why a method cannot count a board, or not on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MethodError {
    /// The method does not count boards of this size.
    #[error("method {method} counts boards of size {} to {}, not {n}", sizes.start(), sizes.end())]
    Size {
        /// The method.
        method: MethodName,
        /// The size asked for.
        n: u32,
        /// The sizes it can count.
        sizes: RangeInclusive<u32>,
    },
    /// The machine lacks what the kernel is made for.
    #[error("this machine cannot run kernel {0}: it has {here}", here = join::Kernel::here().join(", "))]
    Kernel(join::Kernel),
}

/// The methods by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodName {
    /// [`backtrack::Backtrack`].
    Backtrack,
    /// [`join::Join`].
    Join,
}

impl MethodName {
    /// Every method that counts all solutions.
    pub const ALL: [MethodName; 2] = [MethodName::Backtrack, MethodName::Join];

    /// The name, as the command line takes it.
    pub const fn name(self) -> &'static str {
        match self {
            MethodName::Backtrack => "backtrack",
            MethodName::Join => "join",
        }
    }

    /// The board sizes that the method can count.
    pub fn sizes(self) -> RangeInclusive<u32> {
        match self {
            MethodName::Backtrack => Size::MIN.get()..=Size::MAX.get(),
            MethodName::Join => join::Join::SIZES,
        }
    }

    /// The fastest method for boards of this size: a choice that depends on n alone, so that
    /// parts of one count fit together wherever they were counted.
    pub fn fastest(size: Size) -> MethodName {
        if (JOIN_FROM..=*join::Join::SIZES.end()).contains(&size.get()) {
            MethodName::Join
        } else {
            MethodName::Backtrack
        }
    }

    /// The method, made ready for boards of this size, with the fastest kernel of this machine.
    ///
    /// # Errors
    /// [`MethodError::Size`] if the method does not count such boards.
    pub fn for_size(self, size: Size) -> Result<Box<dyn Method>, MethodError> {
        self.with_kernel(size, join::Kernel::best())
    }

    /// The same with a kernel of the caller's choice, where the method has any.
    ///
    /// # Errors
    /// [`MethodError`].
    pub fn with_kernel(
        self,
        size: Size,
        kernel: join::Kernel,
    ) -> Result<Box<dyn Method>, MethodError> {
        Ok(match self {
            MethodName::Backtrack => Box::new(backtrack::Backtrack::new(size)),
            MethodName::Join => Box::new(join::Join::new(size, kernel, join::Options::default())?),
        })
    }
}

/// The smallest board that the join clearly counts faster than the search, by
/// `queens bench 9..=14 --method backtrack,join`: at 13 they are alike, at 14 the join takes a
/// third of the time.
const JOIN_FROM: u32 = 14;

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The task that comes at a place of a method's order, as a number in the order in which the
/// method finds its tasks: a shuffle of the numbers below `tasks`, always the same one.
///
/// A search finds its tasks in lexicographic order, where neighbours are alike and the first ones
/// (queens in corners) smaller than the rest. Shuffled, those at any run of places or at every
/// k-th place are a fair sample of all: progress is even, and shards are alike.
///
/// Multiplying by an odd number and folding the upper half of the bits onto the lower one each
/// map the numbers of so many bits onto themselves. Repeated until the number is below `tasks`,
/// which takes less than two rounds on average, they map those below `tasks` onto themselves too.
fn shuffled(place: u64, tasks: u64) -> u64 {
    assert!(place < tasks);
    let bits = u64::BITS - (tasks - 1).leading_zeros();
    let (mask, half) = ((1u64 << bits) - 1, bits / 2 + 1);
    let mut number = place;
    loop {
        for odd in [
            0x9e37_79b9_7f4a_7c15_u64,
            0xbf58_476d_1ce4_e5b9,
            0x94d0_49bb_1331_11eb,
        ] {
            number = number.wrapping_mul(odd).wrapping_add(odd >> 32) & mask;
            number ^= number >> half;
        }
        if number < tasks {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_keeps_every_task_once() {
        for tasks in (1..200).chain([13_510, 1 << 16]) {
            let mut numbers: Vec<u64> = (0..tasks).map(|place| shuffled(place, tasks)).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..tasks), "{tasks} tasks");
        }
    }

    #[test]
    fn every_part_of_the_shuffle_is_a_fair_sample() {
        let tasks = 13_510;
        let mean = |part: &mut dyn Iterator<Item = u64>| {
            let numbers: Vec<u64> = part.map(|place| shuffled(place, tasks)).collect();
            numbers.iter().sum::<u64>() as f64 / numbers.len() as f64 / tasks as f64
        };
        for k in 2..=50 {
            // Of m evenly distributed numbers below 1 the mean is 1/2, give or take
            // 1/sqrt(12 m): 0.018 for the 270 of a fiftieth.
            let every_kth = mean(&mut (k / 2..tasks).step_by(k as usize));
            let run = mean(&mut (0..tasks / k));
            for mean in [every_kth, run] {
                assert!((mean - 0.5).abs() < 0.08, "{mean} for k = {k}");
            }
        }
    }
}
