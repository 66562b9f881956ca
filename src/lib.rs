//! Counts the solutions of the n-queens problem: the ways to place n queens on a board of n
//! rows and n columns so that none attacks another.
//!
//! ```
//! use queens::Size;
//!
//! let eight = Size::new(8)?;
//! assert_eq!(queens::count(eight)?, 92);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A count is a sum over independent tasks: a [`method`] lists and counts them, and a [`run`]
//! spreads any set of them over the threads of a pool, can be cancelled, and tells of every
//! finished task. [`known`] has the published totals, [`fundamental`] the step to the solutions
//! up to rotation and reflection, and [`board`] the boards themselves.
//!
//! [`Solutions`] lists the boards one by one, [`Conditions`] ask for queens on some squares and
//! for none on others, and [`method::textbook`] has the solvers that textbooks teach.

pub mod board;
pub mod conditions;
pub mod estimate;
pub mod fundamental;
pub mod known;
pub mod method;
pub mod run;
pub mod solve;

pub use board::{Placement, PlacementError, Size, SizeError, Symmetry};
pub use conditions::{Conditions, ConditionsError, Square};
pub use solve::Solutions;

use method::{Cancel, MethodName};
use run::pool::{Pool, PoolError};
use thiserror::Error;

/// Why [`count`] has no total.
#[derive(Debug, Error)]
pub enum CountError {
    /// No threads to count on.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// No method for the size; there is one for each, so that this is a bug.
    #[error(transparent)]
    Method(#[from] method::MethodError),
    /// The run failed.
    #[error(transparent)]
    Run(#[from] run::RunError),
    /// The total is not the published one.
    #[error(transparent)]
    Difference(#[from] known::Difference),
}

/// Counts all solutions on a board of this size, by the fastest method and on every core, and
/// compares the total with the published one where there is one.
///
/// For progress, cancellation, parts of a count or a number of threads use [`run::run`].
///
/// # Errors
/// [`CountError`]; never for want of solutions: on boards of 2 and 3 there are 0.
pub fn count(size: Size) -> Result<u128, CountError> {
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(Pool::MOST);
    let method = MethodName::fastest(size).for_size(size)?;
    let tasks = 0..method.tasks();
    let tally = run::run(
        &*method,
        tasks,
        &Pool::new(threads)?,
        &Cancel::new(),
        &|_, _| (),
    )?;
    known::compare_all(size, tally.solutions)?;
    Ok(tally.solutions)
}
