//! The table of a contest: rows for people, for spreadsheets, and for programs.

use std::time::Duration;

use queens::Size;
use queens::method::textbook::Unit;
use serde::Serialize;

use super::contest::Measured;

/// A row: one method at one size. All times are in seconds.
#[derive(Debug, Serialize)]
pub struct Row {
    n: u32,
    method: String,
    threads: usize,
    solutions: u128,
    /// Candidate squares tested, where the method counts them.
    tests: Option<u64>,
    /// Nodes of the search tree, where the method counts them.
    nodes: Option<u64>,
    /// The median of the runs.
    seconds: f64,
    smallest: f64,
    largest: f64,
    runs: usize,
    /// Whether the runs became steady by the rule of the command.
    pub steady: bool,
    /// The median in multiples of the fastest method's at this size.
    ratio: f64,
    version: &'static str,
}

pub const CSV_HEADER: &str = "n,method,threads,solutions,tests,nodes,seconds,smallest,largest,\
    runs,steady,ratio,version";

/// The rows of one size, in the order of the contestants.
pub fn rows(size: Size, measured: &[Measured]) -> Vec<Row> {
    let medians = measured.iter().map(Measured::median);
    let fastest = medians.fold(f64::INFINITY, f64::min);
    let row = |entry: &Measured| {
        let effort = |unit| {
            let counted = entry.counted.effort.filter(|&(counted, _)| counted == unit);
            counted.map(|(_, effort)| effort)
        };
        let nanoseconds = |seconds: f64| (seconds * 1e9).round() / 1e9;
        Row {
            n: size.get(),
            method: entry.contestant.to_string(),
            threads: entry.threads,
            solutions: entry.counted.solutions,
            tests: effort(Unit::Tests),
            nodes: effort(Unit::Nodes),
            seconds: nanoseconds(entry.median()),
            smallest: nanoseconds(entry.runs.iter().copied().fold(f64::INFINITY, f64::min)),
            largest: nanoseconds(entry.runs.iter().copied().fold(0.0, f64::max)),
            runs: entry.runs.len(),
            steady: entry.is_steady(),
            ratio: (entry.median() / fastest * 1000.0).round() / 1000.0,
            version: env!("CARGO_PKG_VERSION"),
        }
    };
    measured.iter().map(row).collect()
}

/// The heads of the plain table's columns.
pub fn plain_header() -> String {
    line([
        "n",
        "method",
        "solutions",
        "tests",
        "nodes",
        "time",
        "ratio",
    ])
}

fn line([n, method, solutions, tests, nodes, time, ratio]: [&str; 7]) -> String {
    format!(
        "{n:>2}  {method:<15}  {solutions:>12}  {tests:>12}  {nodes:>12}  {time:>10}  {ratio:>8}"
    )
}

impl Row {
    /// Aligned with [`plain_header`].
    pub fn plain(&self) -> String {
        let count = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |c| c.to_string());
        let mark = if self.steady { "" } else { "~" };
        line([
            &self.n.to_string(),
            &self.method,
            &self.solutions.to_string(),
            &count(self.tests),
            &count(self.nodes),
            &format!("{mark}{}", time(self.seconds)),
            &format!("{:.2}", self.ratio),
        ])
    }

    /// In the order of [`CSV_HEADER`].
    pub fn csv(&self) -> String {
        let count = |count: Option<u64>| count.map_or_else(String::new, |c| c.to_string());
        format!(
            "{},{},{},{},{},{},{:.9},{:.9},{:.9},{},{},{:.3},{}",
            self.n,
            self.method,
            self.threads,
            self.solutions,
            count(self.tests),
            count(self.nodes),
            self.seconds,
            self.smallest,
            self.largest,
            self.runs,
            self.steady,
            self.ratio,
            self.version,
        )
    }
}

/// A time with three digits and the unit that suits it.
fn time(seconds: f64) -> String {
    let time = Duration::from_secs_f64(seconds);
    let (number, unit) = match time.as_nanos() {
        0..1_000 => (seconds * 1e9, "ns"),
        1_000..1_000_000 => (seconds * 1e6, "us"),
        1_000_000..1_000_000_000 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    let digits = match number {
        ..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    format!("{number:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let times = [4.2e-7, 1.2345e-5, 0.123_45, 7.0, 61.2, 345.6].map(time);
        assert_eq!(
            times,
            ["420 ns", "12.3 us", "123 ms", "7.00 s", "61.2 s", "346 s"]
        );
    }
}
