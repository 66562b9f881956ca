//! `--compare`: these medians against those of an earlier run, and whether the spread of the runs
//! allows to call one faster.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::record::Record;
use super::statistics::{confidence, median, usual};
use super::table;
use crate::cli::args::Usage;

/// The records of an earlier run.
pub struct Earlier {
    name: String,
    rows: Vec<Row>,
}

/// What is read of a record.
#[derive(Debug, Deserialize)]
struct Row {
    n: u32,
    method: String,
    kernel: Option<String>,
    threads: usize,
    date: String,
    run_seconds: String,
    processor: String,
    logical_cores: usize,
    version: String,
    revision: String,
    #[serde(skip)]
    runs: Vec<f64>,
}

impl Earlier {
    /// Reads what `--export-csv` wrote.
    pub fn read(path: &Path) -> Result<Earlier, Usage> {
        let name = path.display().to_string();
        let wrong = |error: &dyn std::fmt::Display| {
            let error = error.to_string().replace('\n', " ");
            Usage(format!(
                "cannot compare with {name}: {error}; it must be a file written by --export-csv"
            ))
        };
        let mut reader = csv::Reader::from_path(path).map_err(|error| wrong(&error))?;
        let mut rows = Vec::new();
        for row in reader.deserialize() {
            let mut row: Row = row.map_err(|error| wrong(&error))?;
            row.runs = row
                .run_seconds
                .split(' ')
                .map(|run| {
                    run.parse()
                        .ok()
                        .filter(|run: &f64| run.is_finite() && *run > 0.0)
                })
                .collect::<Option<_>>()
                .ok_or_else(|| wrong(&format!("'{}' are no times of runs", row.run_seconds)))?;
            rows.push(row);
        }
        if rows.is_empty() {
            let what = if path.is_dir() {
                "it is a folder"
            } else {
                "it has no rows"
            };
            return Err(wrong(&what));
        }
        Ok(Earlier { name, rows })
    }

    /// Whether there is anything to compare with for one method at one size.
    pub fn has(&self, n: u32, method: &str, threads: usize) -> bool {
        self.rows
            .iter()
            .any(|row| (row.n, row.method.as_str(), row.threads) == (n, method, threads))
    }

    /// The error where it has nothing of what is to be measured.
    pub fn nothing_in_common(&self) -> Usage {
        Usage(format!(
            "cannot compare with {}: it has no size, method and number of threads in common with \
             this command line",
            self.name
        ))
    }

    /// The row to hold a record against: with the same kernel if there is one.
    fn counterpart(&self, record: &Record) -> Option<&Row> {
        let figures = &record.figures;
        let meant = (figures.n, figures.method.as_str(), figures.threads);
        let alike = |row: &&Row| (row.n, row.method.as_str(), row.threads) == meant;
        let same_kernel = |row: &&Row| row.kernel.as_deref() == figures.kernel;
        let rows = || self.rows.iter().rev().filter(alike);
        rows().find(same_kernel).or_else(|| rows().next())
    }

    /// Where and when the rows were measured.
    pub fn origin(&self) -> String {
        let origins: BTreeSet<String> = self
            .rows
            .iter()
            .map(|row| {
                let day = row.date.split('T').next().unwrap_or_default();
                format!(
                    "{day}, {}, {} logical cores, queens {} (revision {})",
                    row.processor, row.logical_cores, row.version, row.revision
                )
            })
            .collect();
        let origins: Vec<String> = origins.into_iter().collect();
        format!("{}: {}", self.name, origins.join("; "))
    }

    /// The lines of a table with one row a record.
    pub fn table(&self, records: &[Record]) -> Vec<String> {
        let line = |[n, method, kernel, threads, old, new, ratio, claim]: [&str; 8]| {
            format!(
                "{n:>2}  {method:<15}  {kernel:<8}  {threads:>7}  {old:>8}  {new:>8}  \
                 {ratio:>7}  {claim}"
            )
        };
        let heads = [
            "n", "method", "kernel", "threads", "old", "new", "new/old", "claim",
        ];
        let mut lines = vec![line(heads)];
        for record in records {
            let figures = &record.figures;
            let new = table::time(figures.median_seconds);
            let (old, ratio, claim) = match self.counterpart(record) {
                None => (
                    "-".to_owned(),
                    "-".to_owned(),
                    "none: no such row".to_owned(),
                ),
                Some(row) => {
                    let old = median(&row.runs);
                    let mut claim = claim(&row.runs, &record.run_seconds).to_owned();
                    let kernel = row.kernel.as_deref();
                    if kernel != figures.kernel {
                        claim += &format!(" (old kernel {})", kernel.unwrap_or("unknown"));
                    }
                    let ratio = format!("{:.3}", figures.median_seconds / old);
                    (table::time(old), ratio, claim)
                }
            };
            lines.push(line([
                &figures.n.to_string(),
                &figures.method,
                figures.kernel.unwrap_or("-"),
                &figures.threads.to_string(),
                &old,
                &new,
                &ratio,
                &claim,
            ]));
        }
        lines
    }
}

/// What may be said of new runs against old ones: something only where the intervals in which
/// the two medians lie are apart, and the usual runs are as well. Many runs tell a median well,
/// but not how far it moves from one hour to the next on a machine that has other work; where
/// single runs differ as much as the medians do, that is no news.
fn claim(old: &[f64], new: &[f64]) -> &'static str {
    let (Some(old_median), Some(new_median)) = (confidence(old), confidence(new)) else {
        return "none: too few runs";
    };
    let (old, new) = (usual(old), usual(new));
    if new_median.1 < old_median.0 && new.1 < old.0 {
        "faster"
    } else if old_median.1 < new_median.0 && old.1 < new.0 {
        "slower"
    } else {
        "none: within the spread"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_needs_runs_that_are_apart() {
        let near = |middle: f64| [0.98, 0.99, 1.0, 1.01, 1.02].map(|spread| spread * middle);
        assert_eq!(claim(&near(1.0), &near(0.9)), "faster");
        assert_eq!(claim(&near(1.0), &near(1.1)), "slower");
        assert_eq!(claim(&near(1.0), &near(1.03)), "none: within the spread");
        assert_eq!(claim(&[1.0], &near(2.0)), "none: too few runs");
        // Medians that many runs tell well, but runs of either kind are found among the other.
        let wide = |from: u32| (from..from + 50).map(f64::from).collect::<Vec<_>>();
        assert_eq!(claim(&wide(100), &wide(130)), "none: within the spread");
        assert_eq!(claim(&wide(100), &wide(150)), "slower");
    }
}
