//! What is kept of a contest: one record for each size, method and number of threads, with every
//! single run, the machine and the build.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use queens::Size;
use queens::method::textbook::Unit;
use serde::Serialize;

use super::contest::Measured;
use super::machine::Machine;
use super::statistics;
use crate::cli::output::Output;

/// One method at one size on so many threads.
#[derive(Debug)]
pub struct Record {
    pub figures: Figures,
    /// The time of each run, in order.
    pub run_seconds: Vec<f64>,
    machine: Machine,
}

/// The figures of a record.
#[derive(Debug, Serialize)]
pub struct Figures {
    pub n: u32,
    pub method: String,
    /// The join's inner loops; null for a method that has none.
    pub kernel: Option<&'static str>,
    pub threads: usize,
    pub solutions: u128,
    /// Candidate squares tested, where the method counts them.
    pub tests: Option<u64>,
    /// Nodes of the search tree, where the method counts them.
    pub nodes: Option<u64>,
    pub median_seconds: f64,
    pub smallest_seconds: f64,
    pub largest_seconds: f64,
    pub runs: usize,
    pub outliers: usize,
    /// Whether the runs became steady by the rule of the command.
    pub steady: bool,
    pub solutions_per_second: f64,
    /// How many times faster the median is than that on one thread, where that was measured.
    pub speedup: Option<f64>,
    /// The median, times the threads, by the solutions, where there are any.
    pub core_nanoseconds_per_solution: Option<f64>,
    /// The median in multiples of the smallest at this size.
    pub ratio: f64,
    /// When the runs at this size ended, in UTC.
    pub date: String,
}

impl Figures {
    /// The method, with its kernel if it has any.
    pub fn name(&self) -> String {
        match self.kernel {
            Some(kernel) => format!("{} ({kernel})", self.method),
            None => self.method.clone(),
        }
    }
}

/// The names of the CSV columns: the fields of [`Figures`], every run (separated by spaces),
/// the machine.
fn csv_header() -> String {
    const FIGURES: &str = "n,method,kernel,threads,solutions,tests,nodes,median_seconds,\
        smallest_seconds,largest_seconds,runs,outliers,steady,solutions_per_second,speedup,\
        core_nanoseconds_per_solution,ratio,date";
    format!("{FIGURES},run_seconds,{}", Machine::FIELDS)
}

/// The records of one size, in the order of the entrants.
pub fn records(size: Size, measured: &[Measured], machine: &Machine) -> Vec<Record> {
    let medians = || measured.iter().map(Measured::median);
    let fastest = medians().fold(f64::INFINITY, f64::min);
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let record = |entry: &Measured| {
        let effort = |unit| {
            let counted = entry.counted.effort.filter(|&(counted, _)| counted == unit);
            counted.map(|(_, effort)| effort)
        };
        let on_one_thread = measured
            .iter()
            .find(|other| other.contestant == entry.contestant && other.threads == 1);
        let (median, solutions) = (entry.median(), entry.counted.solutions);
        let core_nanoseconds = 1e9 * median * entry.threads as f64 / solutions as f64;
        Record {
            figures: Figures {
                n: size.get(),
                method: entry.contestant.method(),
                kernel: entry.contestant.kernel(),
                threads: entry.threads,
                solutions,
                tests: effort(Unit::Tests),
                nodes: effort(Unit::Nodes),
                median_seconds: nanoseconds(median),
                smallest_seconds: nanoseconds(
                    entry.runs.iter().copied().fold(f64::INFINITY, f64::min),
                ),
                largest_seconds: nanoseconds(entry.runs.iter().copied().fold(0.0, f64::max)),
                runs: entry.runs.len(),
                outliers: statistics::outliers(&entry.runs).len(),
                steady: entry.is_steady(),
                solutions_per_second: (solutions as f64 / median).round(),
                speedup: on_one_thread.map(|one| thousandths(one.median() / median)),
                core_nanoseconds_per_solution: (solutions > 0)
                    .then(|| thousandths(core_nanoseconds)),
                ratio: thousandths(median / fastest),
                date: date.clone(),
            },
            run_seconds: entry.runs.iter().copied().map(nanoseconds).collect(),
            machine: machine.clone(),
        }
    };
    measured.iter().map(record).collect()
}

fn nanoseconds(seconds: f64) -> f64 {
    (seconds * 1e9).round() / 1e9
}

fn thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}

/// How records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A header, and a line a record.
    Csv,
    /// A JSON object a line and record.
    Json,
}

impl Form {
    /// What stands above the records.
    pub fn header(self) -> Option<String> {
        (self == Form::Csv).then(csv_header)
    }

    /// The line of one record, with the same fields in the same order in each form.
    pub fn line(self, record: &Record) -> anyhow::Result<String> {
        let Record {
            figures,
            run_seconds,
            machine,
        } = record;
        match self {
            Form::Json => {
                #[derive(Serialize)]
                struct Line<'a> {
                    #[serde(flatten)]
                    figures: &'a Figures,
                    run_seconds: &'a [f64],
                    #[serde(flatten)]
                    machine: &'a Machine,
                }
                let line = Line {
                    figures,
                    run_seconds,
                    machine,
                };
                Ok(serde_json::to_string(&line)?)
            }
            Form::Csv => {
                let runs: Vec<String> = run_seconds.iter().map(f64::to_string).collect();
                let mut writer = csv::WriterBuilder::new()
                    .has_headers(false)
                    .from_writer(Vec::new());
                writer.serialize((figures, runs.join(" "), machine))?;
                let line = String::from_utf8(writer.into_inner()?)?;
                Ok(line.trim_end().to_owned())
            }
        }
    }
}

/// A file of records, complete after each size: what is finished stays, whatever comes after.
pub struct Export {
    form: Form,
    target: Target,
}

enum Target {
    /// Replaced as a whole each time.
    File { path: PathBuf, text: String },
    /// A device or pipe, to which each line goes once.
    Stream(Output),
}

impl Export {
    /// Checks that the file can be written; an older one stays until there are records.
    pub fn open(path: &Path, form: Form) -> anyhow::Result<Export> {
        let mut text: String = form.header().into_iter().collect();
        let target = match Output::open(Some(path))? {
            Output::File(..) => {
                if !text.is_empty() {
                    text.push('\n');
                }
                let path = path.to_owned();
                Target::File { path, text }
            }
            mut stream => {
                if !text.is_empty() {
                    stream.line(&text)?;
                }
                Target::Stream(stream)
            }
        };
        Ok(Export { form, target })
    }

    /// Adds records.
    pub fn add(&mut self, records: &[Record]) -> anyhow::Result<()> {
        let lines: Vec<String> = records
            .iter()
            .map(|record| self.form.line(record))
            .collect::<anyhow::Result<_>>()?;
        match &mut self.target {
            Target::Stream(stream) => lines.iter().try_for_each(|line| stream.line(line)),
            Target::File { path, text } => {
                for line in lines {
                    *text += &line;
                    text.push('\n');
                }
                let mut file = Output::open(Some(path))?;
                file.line(text.trim_end())?;
                file.finish()
            }
        }
    }
}
