//! A run: any set of a method's tasks, counted on a pool of threads, and their sum.
//!
//! Threads, cancellation and the sink for finished tasks are arguments, never globals. The sum
//! does not depend on the order in which tasks finish, so parts counted on different days,
//! machines and thread counts add up to the whole.

pub mod checkpoint;
mod locked_file;
pub mod merge;
pub mod pool;
pub mod record;
pub mod sample;
pub mod shard;
pub mod tally;
pub mod task_set;

use std::sync::Mutex;

use rayon::iter::{ParallelBridge, ParallelIterator};
use thiserror::Error;

use crate::method::{Cancel, Method, TaskError};
use pool::Pool;
use tally::{Count, Tally, TallyError};

/// Why a run has no total.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RunError {
    /// The run was cancelled.
    #[error("stopped after {} tasks", .0.tasks)]
    Cancelled(
        /// What the tasks finished until then add up to; every one went to the sink.
        Tally,
    ),
    /// The method has no such task.
    #[error("there is no task {task}: the tasks are numbered from 0 to below {tasks}")]
    NoSuchTask {
        /// The number asked for.
        task: u64,
        /// How many there are.
        tasks: u64,
    },
    /// A task failed.
    #[error("task {task} has no count")]
    Task {
        /// Its number.
        task: u64,
        /// What went wrong.
        source: TaskError,
    },
    /// The sum cannot be trusted.
    #[error(transparent)]
    Tally(#[from] TallyError),
}

/// Counts these tasks of `method`, each given once, and adds them up.
///
/// Every finished task is told to `sink` with its count, once, from the thread that counted it
/// and before it is part of the sum. The tasks are started in the order given, each when a
/// thread is free, so that no thread waits while another has a queue.
///
/// # Errors
/// [`RunError`]; there is a total only if every task was finished and the sum fits its residue.
///
/// ```
/// use queens::method::{Cancel, MethodName};
/// use queens::run::{self, pool::Pool};
/// use queens::Size;
///
/// let method = MethodName::Backtrack.for_size(Size::new(8)?)?;
/// let (pool, cancel) = (Pool::new(2)?, Cancel::new());
/// let tally = run::run(&*method, 0..method.tasks(), &pool, &cancel, &|_task, _count| ())?;
/// assert_eq!(tally.solutions, 92);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<Tasks>(
    method: &dyn Method,
    tasks: Tasks,
    pool: &Pool,
    cancel: &Cancel,
    sink: &(dyn Fn(u64, &Count) + Sync),
) -> Result<Tally, RunError>
where
    Tasks: IntoIterator<Item = u64>,
    Tasks::IntoIter: Send,
{
    let total = Mutex::new(Tally::ZERO);
    let failure = Mutex::new(None);
    let finished = |task: u64| -> Result<(), RunError> {
        if task >= method.tasks() {
            return Err(RunError::NoSuchTask {
                task,
                tasks: method.tasks(),
            });
        }
        // A method looks at the switch now and then; a quick task might not.
        let count = cancel
            .check()
            .and_then(|()| method.count(task, cancel))
            .map_err(|source| RunError::Task { task, source })?;
        if !count.is_consistent() {
            let what = format!("{} solutions, residue {}", count.solutions, count.residue);
            let source = TaskError::Inconsistent(what);
            return Err(RunError::Task { task, source });
        }
        sink(task, &count);
        let mut total = total.lock().expect("no thread panics while it adds");
        Ok(total.add(&count)?)
    };
    let finished_or_failed = |task| {
        finished(task).map_err(|error| {
            // A failed check must not pass for a cancellation that came at the same time.
            let mut failure = failure
                .lock()
                .expect("no thread panics while it holds this");
            if failure.as_ref().is_none_or(is_interruption) {
                *failure = Some(error);
            }
        })
    };
    let tasks = tasks.into_iter();
    // Fails as soon as one task does, so that no more are started.
    let _ = pool.install(|| tasks.par_bridge().try_for_each(finished_or_failed));
    let total = total.into_inner().expect("no thread panics while it adds");
    match failure
        .into_inner()
        .expect("no thread panics while it holds this")
    {
        Some(error) if !is_interruption(&error) => Err(error),
        interruption => {
            total.check()?;
            interruption.map_or(Ok(total), |_| Err(RunError::Cancelled(total)))
        }
    }
}

fn is_interruption(error: &RunError) -> bool {
    matches!(
        error,
        RunError::Task {
            source: TaskError::Interrupted,
            ..
        }
    )
}
