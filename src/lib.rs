//! Counts the solutions of the n-queens problem: the ways to place n queens on a board of n
//! rows and n columns so that none attacks another.
//!
//! # Counting
//!
//! [`count`] does all of it: the fastest method, every core, and a comparison with the published
//! total.
//!
//! ```
//! use queens::Size;
//!
//! let eight = Size::new(8)?;
//! assert_eq!(queens::count(eight)?, 92);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Listing
//!
//! [`Solutions`] finds the boards one by one, in lexicographic order and in flat memory.
//! [`Conditions`] ask for queens on some squares and for none on others, and
//! [`method::textbook`] has the solvers that textbooks teach.
//!
//! ```
//! use queens::{Size, Solutions};
//!
//! let first = Solutions::new(Size::new(8)?).next();
//! assert_eq!(first.ok_or("8 has solutions")?.columns(), [0, 4, 7, 5, 2, 6, 1, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Long counts, in parts
//!
//! A count is a sum over independent tasks: a [`method`] lists and counts them, and a [`run`]
//! spreads any set of them over the threads of a pool, can be cancelled, and tells of every
//! finished task. What the tasks of a method stand for depends on the board alone, so a count can
//! be stopped and go on later, on another machine or number of threads. A
//! [`Checkpoint`](run::checkpoint::Checkpoint) keeps what is done in a file:
//!
//! ```
//! use std::sync::Mutex;
//!
//! use queens::method::{Cancel, MethodName};
//! use queens::run::checkpoint::{Checkpoint, Purpose};
//! use queens::run::shard::{Plan, Shard};
//! use queens::run::{self, pool::Pool};
//! use queens::{Size, known};
//!
//! let size = Size::new(10)?;
//! let method = MethodName::Backtrack.for_size(size)?;
//! let plan = Plan::new(size, &*method);
//! let purpose = Purpose {
//!     plan: plan.clone(),
//!     shard: Shard::WHOLE,
//!     double_check: false,
//!     kernel: method.kernel().to_owned(),
//!     version: "example".to_owned(),
//! };
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("ten.checkpoint");
//!
//! // The first time, only seven tasks are counted; the second time, all that are left.
//! for tasks in [7, u64::MAX] {
//!     let (mut checkpoint, state) = Checkpoint::open(&path, purpose.clone())?;
//!     let left = state.tasks_left(&plan, Shard::WHOLE).take(tasks as usize);
//!     let state = Mutex::new(state);
//!     let note = |task, count: &_| {
//!         let mut state = state.lock().expect("no thread panics while it adds");
//!         state.add(Shard::WHOLE, task, count, false).expect("the sum fits");
//!     };
//!     run::run(&*method, left, &Pool::new(2)?, &Cancel::new(), &note)?;
//!     checkpoint.save(&state.into_inner()?)?;
//! }
//!
//! let (_, state) = Checkpoint::open(&path, purpose)?;
//! let total = state.counted().tally();
//! assert_eq!(total.tasks, plan.tasks);
//! assert!(known::compare_all(size, total.solutions)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`run::shard`] cuts a count into parts for several machines and [`run::merge`] puts them
//! together; [`mod@estimate`] says beforehand how many solutions there may be.
//!
//! # The rest
//!
//! [`known`] has the published totals, [`fundamental`] the step to the solutions up to rotation
//! and reflection, and [`board`] the boards themselves.
//!
//! # Features
//!
//! `cli` and `plot`, both on by default, are for the program `queens`: the library is the same
//! without them, free of command-line crates. The oldest supported Rust is 1.89, the first with
//! AVX-512.

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
