//! Runs taken in turn until their times are steady.
//!
//! All contestants run once a round, so that a machine that slows down for a while slows down
//! all of them. A time is told by its median, which a few disturbed runs do not move, and how
//! well the median is known by order statistics: a run falls below the true median with chance
//! 1/2, so among k runs the number that do is k/2 with a standard deviation of √k/2, and with
//! 95 % confidence the true median lies between the runs that stand √k places to either side of
//! the middle. This interval shrinks as runs are added, on a busy machine too.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use queens::Size;
use queens::run::pool::Pool;

use super::contestant::{Contestant, Counted};
use crate::cli::interrupt::Interrupt;

/// Rounds before anything is called steady, and the most there are.
const ROUNDS: std::ops::RangeInclusive<usize> = 5..=50;
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
    pub pool: Pool,
    pub interrupt: &'a Interrupt,
    pub quiet: bool,
}

/// What one contestant did at one size.
pub struct Measured {
    pub contestant: Contestant,
    pub threads: usize,
    pub counted: Counted,
    /// Seconds of each run, in order.
    pub runs: Vec<f64>,
}

impl Contest<'_> {
    /// Lets the contestants run until their times are steady.
    pub fn run(&self, size: Size, contestants: &[Contestant]) -> anyhow::Result<Vec<Measured>> {
        let progress = match self.quiet {
            true => ProgressBar::hidden(),
            // Drawn between runs only, and on a terminal only.
            false => ProgressBar::new_spinner(),
        };
        let mut measured = Vec::new();
        for &contestant in contestants {
            progress.set_message(format!("n = {size}, warm-up: {contestant}"));
            progress.tick();
            let start = Instant::now();
            let counted = self.count(size, contestant)?;
            let time = start.elapsed();
            measured.push(Measured {
                contestant,
                threads: contestant.threads(&self.pool),
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
        for round in 1..=*ROUNDS.end() {
            for entry in measured.iter_mut().filter(|entry| !entry.is_long()) {
                progress.set_message(format!("n = {size}, round {round}: {}", entry.contestant));
                progress.tick();
                let (start, mut counts) = (Instant::now(), 0);
                while counts == 0 || start.elapsed() < QUICK {
                    self.count(size, entry.contestant)?;
                    counts += 1;
                }
                let mean = start.elapsed().as_secs_f64() / f64::from(counts);
                entry.runs.push(mean);
            }
            let settled = |entry: &Measured| entry.is_long() || entry.is_steady();
            if round >= *ROUNDS.start()
                && (start.elapsed() > TIME_A_SIZE || measured.iter().all(settled))
            {
                break;
            }
        }
        progress.finish_and_clear();
        Ok(measured)
    }

    fn count(&self, size: Size, contestant: Contestant) -> anyhow::Result<Counted> {
        contestant
            .count(size, &self.pool, self.interrupt.cancel())?
            .ok_or_else(|| {
                let what = format!("the runs for n = {size}: no times for this size");
                self.interrupt.stopped(what)
            })
    }
}

impl Measured {
    /// The median time, in seconds.
    pub fn median(&self) -> f64 {
        from_middle(&self.runs, 0.0)
    }

    /// Whether there are enough runs to know the median well, with 95 % confidence.
    pub fn is_steady(&self) -> bool {
        let places = (self.runs.len() as f64).sqrt();
        let width = from_middle(&self.runs, places) - from_middle(&self.runs, -places);
        self.runs.len() >= *ROUNDS.start() && width <= STEADY * self.median()
    }

    fn is_long(&self) -> bool {
        self.runs
            .first()
            .is_some_and(|&run| run > LONG.as_secs_f64())
    }
}

/// The value that stands so many places above the middle of the sorted values; between two of
/// them in proportion.
fn from_middle(values: &[f64], places: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = (sorted.len() - 1) as f64;
    let place = (last / 2.0 + places).clamp(0.0, last);
    let (below, above) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_the_middle() {
        let values = [4.0, 1.0, 3.0, 2.0];
        let places = [-9.0, -1.0, 0.0, 0.75, 9.0].map(|places| from_middle(&values, places));
        assert_eq!(places, [1.0, 1.5, 2.5, 3.25, 4.0]);
        assert_eq!(from_middle(&[7.0], 1.0), 7.0);
    }

    fn measured(runs: &[f64]) -> Measured {
        Measured {
            contestant: Contestant::Method(queens::method::MethodName::Backtrack),
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
