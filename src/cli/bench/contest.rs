//! Runs taken in turn until their times are steady.
//!
//! All entrants run once a round, so that a machine that slows down for a while slows down all of
//! them. A time is told by its median, which a few disturbed runs do not move, and is steady when
//! [`confidence`] says that the median is known well.

use std::time::{Duration, Instant};

use queens::Size;
use queens::run::pool::Pool;

use super::contestant::{Contestant, Counted};
use super::progress::Progress;
use super::statistics::{self, FEWEST_RUNS, confidence};
use super::table;
use crate::cli::interrupt::Interrupt;

/// The most rounds there are.
const MOST_ROUNDS: usize = 50;
/// No new round begins after this time at one size, once there are enough.
const TIME_A_SIZE: Duration = Duration::from_secs(20);
/// A count is repeated until this time is over, and its mean is the time of the run.
const QUICK: Duration = Duration::from_millis(10);
/// A count that takes longer is run once.
const LONG: Duration = Duration::from_secs(60);
/// How wide the interval in which the median lies may be where it is steady, in medians.
const STEADY: f64 = 0.05;

/// What the runs need.
pub struct Contest<'a> {
    pub interrupt: &'a Interrupt,
    /// The time between two progress lines off a terminal; `None` for no progress.
    pub progress_every: Option<Duration>,
}

/// A contestant with the threads it runs on.
#[derive(Clone, Copy)]
pub struct Entrant<'a> {
    pub contestant: Contestant,
    pub pool: &'a Pool,
}

/// What one entrant did at one size.
pub struct Measured {
    pub contestant: Contestant,
    pub threads: usize,
    pub counted: Counted,
    /// Seconds of each run, in order.
    pub runs: Vec<f64>,
}

impl Contest<'_> {
    /// Lets the entrants run until their times are steady. What is measured well enough to be
    /// told is returned beside an error too.
    pub fn run(&self, size: Size, entrants: &[Entrant]) -> (Vec<Measured>, anyhow::Result<()>) {
        let progress = Progress::start(self.progress_every);
        let mut measured = Vec::new();
        let result = self.rounds(size, entrants, &mut measured, &progress);
        measured.retain(|entry| entry.is_long() || entry.runs.len() >= FEWEST_RUNS);
        (measured, result)
    }

    fn rounds(
        &self,
        size: Size,
        entrants: &[Entrant],
        measured: &mut Vec<Measured>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        for entrant in entrants {
            progress.says(format!("n = {size}, warm-up: {}", entrant.name()));
            let start = Instant::now();
            let counted = self.count(size, entrant, progress)?;
            let time = start.elapsed();
            measured.push(Measured {
                contestant: entrant.contestant,
                threads: entrant.threads(),
                counted,
                // A long run is its own figure.
                runs: if time > LONG {
                    vec![time.as_secs_f64()]
                } else {
                    Vec::new()
                },
            });
        }
        let start = Instant::now();
        for round in 1..=MOST_ROUNDS {
            for (entrant, entry) in entrants.iter().zip(measured.iter_mut()) {
                if entry.is_long() {
                    continue;
                }
                progress.says(format!("n = {size}, round {round}: {}", entrant.name()));
                let (start, mut counts) = (Instant::now(), 0);
                while counts == 0 || start.elapsed() < QUICK {
                    self.count(size, entrant, progress)?;
                    counts += 1;
                }
                let mean = start.elapsed().as_secs_f64() / f64::from(counts);
                entry.runs.push(mean);
            }
            let settled = |entry: &Measured| entry.is_long() || entry.is_steady();
            if measured.iter().all(settled)
                || (round >= FEWEST_RUNS && start.elapsed() > TIME_A_SIZE)
            {
                break;
            }
        }
        Ok(())
    }

    fn count(&self, size: Size, entrant: &Entrant, progress: &Progress) -> anyhow::Result<Counted> {
        entrant
            .contestant
            .count(size, entrant.pool, self.interrupt.cancel(), progress)?
            .ok_or_else(|| {
                let what = format!("the runs for n = {size}: no times for what was not finished");
                self.interrupt.stopped(what)
            })
    }
}

impl Entrant<'_> {
    /// How many threads it uses.
    fn threads(&self) -> usize {
        match self.contestant.is_parallel() {
            true => self.pool.threads(),
            false => 1,
        }
    }

    fn name(&self) -> String {
        format!("{}, {}", self.contestant, table::threads(self.threads()))
    }
}

impl Measured {
    /// The median time, in seconds.
    pub fn median(&self) -> f64 {
        statistics::median(&self.runs)
    }

    /// Whether there are enough runs to know the median well.
    pub fn is_steady(&self) -> bool {
        confidence(&self.runs).is_some_and(|(low, high)| high - low <= STEADY * self.median())
    }

    /// Whether it is not repeated because it takes too long.
    fn is_long(&self) -> bool {
        self.runs.len() == 1 && self.runs[0] > LONG.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(runs: &[f64]) -> Measured {
        Measured {
            contestant: Contestant::Method(queens::method::MethodName::Backtrack, None),
            threads: 1,
            counted: Counted {
                solutions: 0,
                effort: None,
            },
            runs: runs.to_vec(),
        }
    }

    #[test]
    fn steady_is_what_the_rule_says() {
        assert!(measured(&[1.0, 1.01, 1.02, 1.03, 1.04]).is_steady());
        assert!(!measured(&[1.0, 1.0, 1.0, 1.0]).is_steady(), "too few");
        assert!(!measured(&[1.0, 1.0, 1.0, 1.0, 9.0]).is_steady());
        // One disturbed run in many says little.
        let many = [[1.0; 12].as_slice(), &[9.0]].concat();
        assert!(measured(&many).is_steady());
    }
}
