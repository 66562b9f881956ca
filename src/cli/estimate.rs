//! `queens estimate`: how many solutions, about, and how long the count will take.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::ValueEnum;
use queens::Size;
use queens::estimate::{Estimate, estimate};
use queens::method::{MethodName, TaskError};
use queens::run::RunError;
use queens::run::sample::sample;
use serde::Serialize;

use super::args::{MethodChoice, Usage, Work, method, seconds};
use super::counting::Counting;
use super::output::Output;

/// Estimate the number of solutions and the time to count them
///
/// The number comes from Knuth's random probing, with its standard error; the time from tasks of
/// the method, chosen at random and counted on every thread. Where one task takes too long for
/// that, it is extrapolated from smaller boards, by the solutions they have.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    queens estimate 20                 number and time, in some seconds\n  \
    queens estimate 27 --format json   for a program to read")]
pub struct Args {
    /// Board size from 1 to 32
    #[arg(value_name = "N", allow_negative_numbers = true)]
    size: Size,

    /// The method whose time is estimated
    #[arg(short, long, value_name = "METHOD", default_value = "auto", value_parser = method())]
    method: MethodChoice,

    /// Where the random choices begin
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 1,
        value_parser = seed,
        allow_negative_numbers = true
    )]
    seed: u64,

    /// The standard error at which probing ends, in per cent
    #[arg(long, value_name = "PERCENT", default_value = "0.25", value_parser = percent, allow_negative_numbers = true)]
    precision: f64,

    /// Seconds to spend on sampled tasks
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = seconds, allow_negative_numbers = true)]
    sample: Duration,

    /// How the answer is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Plain)]
    format: Format,

    #[command(flatten)]
    work: Work,
}

/// How the answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Two lines to read
    Plain,
    /// One JSON object
    Json,
}

/// What is told.
#[derive(Debug, Serialize)]
struct Record {
    n: u32,
    solutions: f64,
    standard_error: f64,
    probes: u64,
    seed: u64,
    method: String,
    threads: usize,
    tasks: u64,
    #[serde(flatten)]
    time: Time,
    version: &'static str,
}

/// How long a count will take.
#[derive(Debug, Serialize)]
struct Time {
    seconds: f64,
    seconds_low: f64,
    seconds_high: f64,
    sampled_tasks: u64,
    /// The board whose tasks were sampled.
    sampled_n: u32,
}

/// Prints both estimates.
pub fn run(args: Args) -> anyhow::Result<()> {
    let mut output = Output::open(None)?;
    let (size, method) = (args.size, args.method.for_size(args.size));
    let tasks = method.for_size(size);
    let tasks = tasks.map_err(|error| Usage(error.to_string()))?.tasks();
    let estimator = Estimator {
        counting: Counting::new(args.work)?,
        method,
        seed: args.seed,
        precision: args.precision / 100.0,
        budget: args.sample,
    };
    let number = estimator.solutions(size)?;
    let time = estimator.time(size, &number)?;
    let record = Record {
        n: size.get(),
        solutions: number.solutions,
        standard_error: number.standard_error,
        probes: number.probes,
        seed: args.seed,
        method: method.to_string(),
        threads: estimator.counting.threads(),
        tasks,
        time,
        version: env!("CARGO_PKG_VERSION"),
    };
    let text = match args.format {
        Format::Plain => record.plain(),
        Format::Json => serde_json::to_string(&record)?,
    };
    output.line(&text)?;
    output.finish()
}

/// An even board that is sampled in a moment, and so is the odd one before it.
fn quick(method: MethodName) -> u32 {
    match method {
        MethodName::Backtrack => 14,
        MethodName::Join => 18,
    }
}

/// The fewest tasks whose mean is worth anything.
const FEWEST: u64 = 8;

/// A precision that is good enough to choose a board by.
const COARSE: f64 = 0.03;

struct Estimator {
    counting: Counting,
    method: MethodName,
    seed: u64,
    precision: f64,
    budget: Duration,
}

impl Estimator {
    fn solutions(&self, size: Size) -> anyhow::Result<Estimate> {
        let (pool, cancel) = (self.counting.pool(), self.counting.cancel());
        estimate(size, self.seed, self.precision, pool, cancel).map_err(|error| match error {
            TaskError::Interrupted => self.stopped(size),
            error => error.into(),
        })
    }

    /// The time a count takes by its sampled tasks; None if they take too long.
    fn sampled(&self, size: Size) -> anyhow::Result<Option<Time>> {
        let start = Instant::now();
        let method = self.method.for_size(size)?;
        let setup = start.elapsed().as_secs_f64();
        let (pool, cancel) = (self.counting.pool(), self.counting.cancel());
        let (budget, grace) = (self.budget, self.budget);
        let sample = sample(&*method, pool, cancel, self.seed, budget, grace);
        let sample = sample.map_err(|error| match error {
            RunError::Cancelled(_) => self.stopped(size),
            error => error.into(),
        })?;
        let enough = sample.tasks >= FEWEST || sample.tasks == method.tasks();
        Ok((sample.complete && enough).then(|| {
            let all = method.tasks() as f64 / pool.threads() as f64;
            let seconds = setup + all * sample.mean;
            // Two standard errors, and what a machine differs from minute to minute.
            let margin = 2.0 * all * sample.standard_error + 0.1 * seconds;
            Time {
                seconds,
                seconds_low: (seconds - margin).max(0.0),
                seconds_high: seconds + margin,
                sampled_tasks: sample.tasks,
                sampled_n: size.get(),
            }
        }))
    }

    /// The time for this board, if need be from a smaller one. Odd and even boards are cut in
    /// different ways, so it is smaller by an even number.
    fn time(&self, size: Size, number: &Estimate) -> anyhow::Result<Time> {
        let smaller = |by: u32| {
            let n = size.get().checked_sub(by);
            n.and_then(|n| Size::new(n).ok())
        };
        let mut by = self.first_to_sample(size)?;
        loop {
            let size = smaller(by).ok_or_else(|| anyhow!("no board is small enough to sample"))?;
            if let Some(time) = self.sampled(size)? {
                if by == 0 {
                    return Ok(time);
                }
                // The time for a solution grows a little from board to board: as it did here.
                let per_solution = |size, time: &Time| {
                    let number = self.solutions(size)?.solutions;
                    Ok::<_, anyhow::Error>(time.seconds / number)
                };
                let base = per_solution(size, &time)?;
                let before = smaller(by + 2).map(|before| (before, self.sampled(before)));
                let growth = match before {
                    // Beyond these bounds it is not the board that grew, but the sample too small.
                    Some((before, Ok(Some(earlier)))) => {
                        (base / per_solution(before, &earlier)?).clamp(0.8, 1.25)
                    }
                    Some((_, Err(error))) => return Err(error),
                    _ => 1.0,
                };
                let steps = f64::from(by) / 2.0;
                let plain = number.solutions / (time.seconds / base);
                let scale = |growth: f64| plain * growth.powf(steps);
                let (less, more) = (growth.min(1.0), growth.max(1.0).powi(2));
                return Ok(Time {
                    seconds: time.seconds * scale(growth),
                    seconds_low: time.seconds_low * scale(less),
                    seconds_high: time.seconds_high * scale(more),
                    ..time
                });
            }
            by += 2;
        }
    }

    /// By how much the first board to sample is smaller: so much that its tasks, judged by those
    /// of a board that is counted in a moment, take half of the budget at most.
    fn first_to_sample(&self, size: Size) -> anyhow::Result<u32> {
        let (pool, cancel) = (self.counting.pool(), self.counting.cancel());
        let about = |size| {
            let outcome = estimate(size, self.seed, COARSE, pool, cancel);
            let outcome = outcome.map(|estimate| estimate.solutions);
            outcome.map_err(|_| self.stopped(size))
        };
        let small = Size::new(quick(self.method) - size.get() % 2)?;
        if size <= small {
            return Ok(0);
        }
        let Some(time) = self.sampled(small)? else {
            return Ok(0);
        };
        let per_solution = time.seconds * pool.threads() as f64 / about(small)?;
        let mut by = 0;
        while size.get() - by > small.get() {
            let smaller = Size::new(size.get() - by)?;
            let tasks = self.method.for_size(smaller)?.tasks() as f64;
            if per_solution * about(smaller)? / tasks <= self.budget.as_secs_f64() / 2.0 {
                break;
            }
            by += 2;
        }
        Ok(by)
    }

    fn stopped(&self, size: Size) -> anyhow::Error {
        self.counting
            .stopped(format!("the estimate for n = {size}"))
    }
}

impl Record {
    fn plain(&self) -> String {
        let percent = match self.solutions {
            0.0 => 0.0,
            solutions => 100.0 * self.standard_error / solutions,
        };
        let Time {
            seconds,
            seconds_low,
            seconds_high,
            sampled_tasks,
            sampled_n,
        } = &self.time;
        let of = if *sampled_n == self.n {
            format!("{sampled_tasks} of {} tasks sampled", self.tasks)
        } else {
            format!("extrapolated from n = {sampled_n}")
        };
        format!(
            "solutions: about {}, standard error {percent:.2} % ({} probes, seed {})\n\
             time: about {}, from {} to {} (method {}, {} threads; {of})",
            rounded(self.solutions),
            self.probes,
            self.seed,
            duration(*seconds),
            duration(*seconds_low),
            duration(*seconds_high),
            self.method,
            self.threads,
        )
    }
}

/// A number with the digits that mean something.
fn rounded(number: f64) -> String {
    if number < 1e6 {
        format!("{number:.0}")
    } else {
        format!("{number:.3e}")
    }
}

/// A time in the unit that a person would use.
fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] = [
        (31_557_600.0, "years"),
        (86_400.0, "days"),
        (3600.0, "hours"),
        (60.0, "minutes"),
        (1.0, "s"),
    ];
    // Two of a unit at least: 90 minutes say more than 1.5 hours.
    let (length, unit) = UNITS
        .into_iter()
        .find(|(length, _)| seconds >= 2.0 * length)
        .unwrap_or((1.0, "s"));
    let number = seconds / length;
    match number {
        0.0..10.0 => format!("{number:.2} {unit}"),
        10.0..100.0 => format!("{number:.1} {unit}"),
        100.0..1e6 => format!("{number:.0} {unit}"),
        _ => format!("{number:.1e} {unit}"),
    }
}

/// Reads a seed.
fn seed(text: &str) -> Result<u64, String> {
    let whole = text.parse();
    whole.map_err(|_| "it must be a whole number from 0 to 2^64 - 1".to_owned())
}

fn percent(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|percent| (0.01..=100.0).contains(percent))
        .ok_or_else(|| "it must be a number of per cent from 0.01 to 100".to_owned())
}
