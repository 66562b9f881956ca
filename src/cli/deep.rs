//! `queens verify --deep`: every way this machine has to count, against each other.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use queens::method::MethodName;
use queens::method::double_check::DoubleCheck;
use queens::method::join::Kernel;
use queens::run::RunError;
use queens::run::sample::sample;
use queens::{Size, known};

use super::args::Sizes;
use super::counting::Counting;
use super::output::Output;
use super::verify::methods;

/// The boards whose tasks are sampled: what is counted on large machines.
const SAMPLED: RangeInclusive<u32> = 20..=24;

/// The largest of them on which a task of the search takes seconds, not minutes.
const SEARCHED: u32 = 22;

/// Whole boards by every way of every method, then for so many minutes tasks of large ones, by
/// every way too. Prints a row for each, and ends at the first difference.
pub fn run(sizes: Sizes, minutes: Duration, seed: u64, counting: &Counting) -> anyhow::Result<()> {
    let mut output = Output::open(None)?;
    let mut line = |line: String| output.line(line.trim_end());
    line(row(["n", "method", "way", "tasks", "result", "seconds"]))?;
    for size in sizes.iter() {
        for name in methods(size) {
            for way in name.ways(size, Kernel::best())? {
                let start = Instant::now();
                let tally =
                    counting.every_task(&*way.method, format!("n = {size}, {}", way.name))?;
                let result = match known::compare_all(size, tally.solutions) {
                    Ok(true) => "as published".to_owned(),
                    Ok(false) => tally.solutions.to_string(),
                    Err(difference) => bail!("{name}, {}: {difference}", way.name),
                };
                line(row([
                    &size.to_string(),
                    &name.to_string(),
                    &way.name,
                    &tally.tasks.to_string(),
                    &result,
                    &format!("{:.3}", start.elapsed().as_secs_f64()),
                ]))?;
            }
        }
    }
    let sampled: Vec<(Size, MethodName)> = SAMPLED
        .map(|n| Size::new(n).expect("a board size"))
        .flat_map(|size| methods(size).map(move |name| (size, name)))
        .filter(|&(size, name)| name != MethodName::Backtrack || size.get() <= SEARCHED)
        .collect();
    let mut unchecked = Vec::new();
    for (size, name) in &sampled {
        let start = Instant::now();
        let ways = name.ways(*size, Kernel::best())?;
        let names: Vec<&str> = ways.iter().map(|way| way.name.as_str()).collect();
        let names = names.join(", ");
        let every_way = DoubleCheck::new(ways.into_iter().map(|way| way.method).collect());
        let slice = minutes / sampled.len() as u32;
        let (budget, grace) = (slice.mul_f64(0.7), slice.mul_f64(0.3));
        let outcome = sample(
            &every_way,
            counting.pool(),
            counting.cancel(),
            seed,
            budget,
            grace,
        );
        let sample = match outcome {
            Ok(sample) => sample,
            Err(RunError::Cancelled(_)) => {
                return Err(counting.stopped(format!("the check of n = {size}")));
            }
            Err(error) => return Err(error).context(format!("n = {size}, {name}")),
        };
        let result = match sample.tasks {
            0 => {
                unchecked.push(format!("n = {size} by {name}"));
                "none done in its time"
            }
            _ => "all ways agree",
        };
        line(row([
            &size.to_string(),
            &name.to_string(),
            &names,
            &sample.tasks.to_string(),
            result,
            &format!("{:.3}", start.elapsed().as_secs_f64()),
        ]))?;
    }
    output.finish()?;
    if !unchecked.is_empty() {
        bail!(
            "no task was done in its time of {}: give more --minutes",
            unchecked.join(", ")
        );
    }
    Ok(())
}

fn row([n, method, way, tasks, result, seconds]: [&str; 6]) -> String {
    format!("{n:>2}  {method:<9}  {way:<32}  {tasks:>7}  {result:<24}  {seconds:>9}")
}
