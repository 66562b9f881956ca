//! One count with everything around it: threads, signals, progress, time.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use queens::Size;
use queens::conditions::Conditions;
use queens::fundamental::fundamental;
use queens::method::conditioned::Conditioned;
use queens::method::join::Kernel;
use queens::method::symmetric::{Symmetric, Turn};
use queens::method::{Cancel, Method, MethodName};
use queens::run::checkpoint::Purpose;
use queens::run::pool::Pool;
use queens::run::record::Counted;
use queens::run::shard::{Plan, Shard};
use queens::run::tally::{Count, Tally};
use queens::run::{self, RunError};

use super::args::Work;
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::saving::{LongRun, SaveRequests, Saving};
use super::tell;

/// What counts need, set up once for all of them.
pub struct Counting {
    work: Work,
    pool: Pool,
    interrupt: Interrupt,
    /// There if a count may have a checkpoint.
    save_requests: Option<SaveRequests>,
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

/// A finished part of a count.
pub struct Part {
    /// What it is a part of.
    pub plan: Plan,
    /// The result.
    pub counted: Counted,
    /// How many of its tasks a checkpoint had already.
    pub resumed: u64,
    /// The kernel that counted.
    pub kernel: &'static str,
}

/// The method as the options want it.
pub fn chosen(
    name: MethodName,
    size: Size,
    kernel: Kernel,
    long: &LongRun,
) -> anyhow::Result<Box<dyn Method>> {
    Ok(if long.double_check {
        Box::new(name.double_checked(size, kernel)?)
    } else {
        name.with_kernel(size, kernel)?
    })
}

impl Counting {
    /// Starts the threads, for counts without a checkpoint.
    pub fn new(work: Work) -> anyhow::Result<Counting> {
        Counting::for_long_run(work, &LongRun::default())
    }

    /// Starts the threads, for a count with these options.
    pub fn for_long_run(work: Work, long: &LongRun) -> anyhow::Result<Counting> {
        let threads = work
            .threads
            .map_or_else(|| num_cpus::get().min(Pool::MOST), usize::from);
        // Signals first: whatever a run sets up after this, they find a way to end it, and a
        // request to save does not end it.
        let save_requests = long.checkpoint.as_ref().map(|_| SaveRequests::install());
        let save_requests = save_requests.transpose()?;
        let interrupt = Interrupt::install()?;
        Ok(Counting {
            pool: Pool::new(threads)?,
            interrupt,
            save_requests,
            work,
        })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The threads.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The switch that a signal trips.
    pub fn cancel(&self) -> &Cancel {
        self.interrupt.cancel()
    }

    /// The error to end with when a signal stopped something that has no tasks to tell of.
    pub fn stopped(&self, what: String) -> anyhow::Error {
        self.interrupt.stopped(what)
    }

    /// Whether only errors may be said.
    pub fn is_quiet(&self) -> bool {
        self.work.quiet
    }

    /// Counts all solutions. Nothing is compared with the published total yet.
    pub fn all(
        &self,
        size: Size,
        method: MethodName,
        kernel: Kernel,
        long: &LongRun,
    ) -> anyhow::Result<Total> {
        let start = Instant::now();
        let method = chosen(method, size, kernel, long)?;
        let part = self.part(size, &*method, Shard::WHOLE, long, start)?;
        Ok(Total {
            all: part.counted.solutions,
            tasks: part.counted.tasks,
            time: Duration::try_from_secs_f64(part.counted.seconds)
                .context("the time is too long for this program's clock")?,
        })
    }

    /// Counts the tasks of a shard, those that a checkpoint does not have already. The time began
    /// at `start`.
    pub fn part(
        &self,
        size: Size,
        method: &dyn Method,
        shard: Shard,
        long: &LongRun,
        start: Instant,
    ) -> anyhow::Result<Part> {
        let purpose = Purpose {
            plan: Plan::new(size, method),
            shard,
            double_check: long.double_check,
            kernel: method.kernel().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let plan = purpose.plan.clone();
        let tasks = shard.tasks_of(plan.tasks);
        let what = match shard {
            Shard::WHOLE => format!("n = {size}"),
            shard => format!("n = {size}, shard {shard}"),
        };
        let (saving, resumed) =
            Saving::open(long, purpose, self.save_requests.as_ref(), self.is_quiet())?;
        if let Some(path) = saving.as_ref().and_then(Saving::path)
            && resumed.counted().tasks > 0
            && !self.is_quiet()
        {
            tell(format_args!(
                "queens: {what}: going on from {}: {} of {tasks} tasks are done, after {:.0} s",
                path.display(),
                resumed.counted().tasks,
                resumed.counted().seconds,
            ));
        }
        let before = *resumed.counted();
        let left = resumed.tasks_left(&plan, shard);
        let progress = Progress::start(&self.work, what.clone(), tasks, &before);
        // The sum, and the first thing that went wrong with it.
        let state = Mutex::new((resumed, None));
        let sink = |task, count: &Count| {
            let (state, failure) = &mut *state.lock().expect("adding does not panic");
            if let Err(error) = state.add(shard, task, count, long.double_check) {
                failure.get_or_insert(error);
            }
            progress.task_done(count);
        };
        let snapshot = || {
            let mut state = state.lock().expect("adding does not panic").0.clone();
            state.set_seconds(before.seconds + start.elapsed().as_secs_f64());
            state
        };
        let count = || run::run(method, left, &self.pool, self.interrupt.cancel(), &sink);
        let (outcome, saved) = match &saving {
            Some(saving) => saving.during(&snapshot, count),
            None => (count(), false),
        };
        let counted = *snapshot().counted();
        drop(progress);
        match outcome {
            Ok(_) => {}
            Err(RunError::Cancelled(_)) => {
                if let Some(path) = saving.as_ref().and_then(Saving::path)
                    && saved
                    && !self.is_quiet()
                {
                    let path = path.display();
                    let but = if long.force_new {
                        " without --force-new"
                    } else {
                        ""
                    };
                    tell(format_args!(
                        "queens: saved in {path}: the same command{but} goes on from there"
                    ));
                }
                return Err(self.interrupt.interrupted(what, counted.tasks, tasks));
            }
            Err(error) => return Err(error.into()),
        }
        if let Some(failure) = state.into_inner().expect("adding does not panic").1 {
            return Err(failure.into());
        }
        counted.tally().check()?;
        if counted.tasks != tasks {
            bail!("{what}: {} of {tasks} tasks were counted", counted.tasks);
        }
        Ok(Part {
            plan,
            counted,
            resumed: before.tasks,
            kernel: method.kernel(),
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
    pub fn every_task(&self, method: &dyn Method, what: String) -> anyhow::Result<Tally> {
        let tasks = method.tasks();
        let progress = Progress::start(&self.work, what.clone(), tasks, &Counted::default());
        let sink = |_, count: &_| progress.task_done(count);
        run::run(method, 0..tasks, &self.pool, self.interrupt.cancel(), &sink).map_err(|error| {
            match error {
                RunError::Cancelled(tally) => self.interrupt.interrupted(what, tally.tasks, tasks),
                error => error.into(),
            }
        })
    }
}
