//! How long tasks take, from a few that are chosen at random and counted for real.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::pool::Pool;
use super::tally::Count;
use super::{RunError, run};
use crate::method::{Cancel, Method, TaskError};

/// The time that sampled tasks took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// How many tasks were finished.
    pub tasks: u64,
    /// Whether every task that was started was finished: without the long ones, the mean says
    /// nothing.
    pub complete: bool,
    /// The mean time of a task on its thread while the others were busy too, in seconds.
    pub mean: f64,
    /// The standard error of that mean.
    pub standard_error: f64,
}

/// Counts tasks chosen at random on every thread of the pool, and starts new ones until the
/// budget is used up or there are no more; those that are not done after the time of grace are
/// given up.
///
/// # Errors
/// [`RunError`] if it was cancelled or a task failed.
pub fn sample(
    method: &dyn Method,
    pool: &Pool,
    cancel: &Cancel,
    seed: u64,
    budget: Duration,
    grace: Duration,
) -> Result<Sample, RunError> {
    let timed = Timed {
        method,
        seconds: Mutex::new(Vec::new()),
    };
    let start = Instant::now();
    let tasks = random_tasks(method.tasks(), seed).take_while(|_| start.elapsed() < budget);
    let stop = Cancel::new();
    let (done, is_done) = mpsc::channel::<()>();
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            // Both the caller's switch and the time stop it.
            let is_done = is_done;
            while is_done.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Timeout) {
                if cancel.is_tripped() || start.elapsed() > budget + grace {
                    stop.trip();
                }
            }
        });
        let outcome = run(&timed, tasks, pool, &stop, &|_, _| ());
        drop(done);
        outcome
    });
    let complete = match outcome {
        Ok(_) => true,
        Err(RunError::Cancelled(_)) if !cancel.is_tripped() => false,
        Err(error) => return Err(error),
    };
    let seconds = timed.seconds.into_inner().expect("pushing does not panic");
    let tasks = seconds.len() as f64;
    let mean = seconds.iter().sum::<f64>() / tasks.max(1.0);
    let squares: f64 = seconds.iter().map(|time| (time - mean).powi(2)).sum();
    // Of those that were not sampled: whoever sampled all knows the mean.
    let unknown = 1.0 - tasks / method.tasks().max(1) as f64;
    Ok(Sample {
        tasks: seconds.len() as u64,
        complete,
        mean,
        standard_error: (squares / (tasks - 1.0).max(1.0) / tasks.max(1.0) * unknown).sqrt(),
    })
}

/// How often the time is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Every task once, in a random order: choices until half are taken, then the rest in turn.
fn random_tasks(tasks: u64, seed: u64) -> impl Iterator<Item = u64> + Send {
    let mut rng = Rng::with_seed(seed);
    let mut taken = HashSet::new();
    let mut rest = 0;
    std::iter::from_fn(move || {
        if 2 * (taken.len() as u64) < tasks {
            return std::iter::repeat_with(|| rng.u64(0..tasks)).find(|&task| taken.insert(task));
        }
        while rest < tasks {
            rest += 1;
            if taken.insert(rest - 1) {
                return Some(rest - 1);
            }
        }
        None
    })
}

/// A method that notes how long each task took.
struct Timed<'a> {
    method: &'a dyn Method,
    seconds: Mutex<Vec<f64>>,
}

impl Method for Timed<'_> {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn scheme(&self) -> u32 {
        self.method.scheme()
    }

    fn tasks(&self) -> u64 {
        self.method.tasks()
    }

    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
        let start = Instant::now();
        let count = self.method.count(task, cancel)?;
        let mut seconds = self.seconds.lock().expect("pushing does not panic");
        seconds.push(start.elapsed().as_secs_f64());
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::method::backtrack::Backtrack;

    #[test]
    fn every_task_comes_once_in_any_seeds_order() {
        for tasks in [0, 1, 2, 3, 100] {
            for seed in 0..5 {
                let mut random: Vec<u64> = random_tasks(tasks, seed).collect();
                random.sort_unstable();
                assert!(random.into_iter().eq(0..tasks));
            }
        }
    }

    #[test]
    fn a_small_board_is_sampled_whole_and_a_huge_task_not_at_all() {
        let (pool, cancel) = (Pool::new(2).unwrap(), Cancel::new());
        let minute = Duration::from_secs(60);
        let small = Backtrack::new(Size::new(8).unwrap());
        let all = sample(&small, &pool, &cancel, 1, minute, minute).unwrap();
        assert_eq!((all.tasks, all.standard_error), (small.tasks(), 0.0));
        assert!(all.complete);
        let huge = Backtrack::new(Size::MAX);
        let moment = Duration::from_millis(20);
        let none = sample(&huge, &pool, &cancel, 1, moment, moment).unwrap();
        assert_eq!((none.tasks, none.complete), (0, false));
        cancel.trip();
        let stopped = sample(&small, &pool, &cancel, 1, minute, minute);
        assert!(matches!(stopped, Ok(_) | Err(RunError::Cancelled(_))));
    }
}
