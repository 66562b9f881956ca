//! One count with everything around it: threads, signals, progress, time.

use std::time::{Duration, Instant};

use queens::Size;
use queens::conditions::Conditions;
use queens::fundamental::fundamental;
use queens::method::conditioned::Conditioned;
use queens::method::join::Kernel;
use queens::method::symmetric::{Symmetric, Turn};
use queens::method::{Method, MethodName};
use queens::run::pool::Pool;
use queens::run::tally::Tally;
use queens::run::{self, RunError};

use super::args::Work;
use super::interrupt::Interrupt;
use super::progress::Progress;

/// What counts need, set up once for all of them.
pub struct Counting {
    work: Work,
    pool: Pool,
    interrupt: Interrupt,
}

/// A finished count of all solutions.
pub struct Total {
    /// How many solutions there are.
    pub all: u128,
    /// The tasks they were counted in.
    pub tasks: u64,
    /// The time it took, setting up included.
    pub time: Duration,
}

impl Counting {
    /// Starts the threads.
    pub fn new(work: Work) -> anyhow::Result<Counting> {
        let threads = work
            .threads
            .map_or_else(|| num_cpus::get().min(Pool::MOST), usize::from);
        // Signals first: whatever a run sets up after this, they find a way to end it.
        let interrupt = Interrupt::install()?;
        Ok(Counting {
            pool: Pool::new(threads)?,
            interrupt,
            work,
        })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Whether only errors may be said.
    pub fn is_quiet(&self) -> bool {
        self.work.quiet
    }

    /// Counts all solutions. Nothing is compared with the published total yet.
    pub fn all(&self, size: Size, method: MethodName, kernel: Kernel) -> anyhow::Result<Total> {
        let start = Instant::now();
        let method = method.with_kernel(size, kernel)?;
        let tally = self.every_task(&*method, format!("n = {size}"))?;
        Ok(Total {
            all: tally.solutions,
            tasks: tally.tasks,
            time: start.elapsed(),
        })
    }

    /// The number of fundamental solutions, where `all` is that of all. The symmetric ones are
    /// counted for it.
    pub fn fundamental(&self, size: Size, all: u128) -> anyhow::Result<u128> {
        let symmetric = |turn| {
            let search = Symmetric::new(turn, size);
            self.every_task(&search, format!("n = {size}, {}", search.name()))
        };
        let (half_turn, quarter_turn) = (symmetric(Turn::Half)?, symmetric(Turn::Quarter)?);
        Ok(fundamental(
            size,
            all,
            half_turn.solutions,
            quarter_turn.solutions,
        )?)
    }

    /// Counts the solutions that meet these conditions.
    pub fn with_conditions(&self, conditions: &Conditions) -> anyhow::Result<Total> {
        let start = Instant::now();
        let method = Conditioned::new(conditions);
        let what = format!("n = {} with conditions", conditions.size());
        let tally = self.every_task(&method, what)?;
        Ok(Total {
            all: tally.solutions,
            tasks: tally.tasks,
            time: start.elapsed(),
        })
    }

    /// Counts every task of a method, with progress under the name `what`.
    fn every_task(&self, method: &dyn Method, what: String) -> anyhow::Result<Tally> {
        let tasks = method.tasks();
        let progress = Progress::start(&self.work, what.clone(), tasks);
        let sink = |_, count: &_| progress.task_done(count);
        run::run(method, 0..tasks, &self.pool, self.interrupt.cancel(), &sink).map_err(|error| {
            match error {
                RunError::Cancelled(tally) => self.interrupt.interrupted(what, tally.tasks, tasks),
                error => error.into(),
            }
        })
    }
}
