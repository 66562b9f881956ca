//! `queens bench`: the ways to count side by side, how much each does and how long it takes.

mod compare;
mod contest;
mod contestant;
mod machine;
#[cfg(feature = "plot")]
mod plot;
mod progress;
mod record;
mod report;
mod statistics;
mod table;
mod thread_counts;

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use queens::method::join::Kernel;
use queens::run::pool::Pool;
use queens::{Size, known};

use super::args::{self, Sizes, Usage};
use super::interrupt::Interrupt;
use super::output::{Output, resolved};
use compare::Earlier;
use contest::{Contest, Entrant};
use contestant::{Contestant, Selection};
use machine::Machine;
use record::{Export, Form};
use report::Report;
use table::{Shown, Table};
use thread_counts::ThreadCounts;

/// Time the textbook solvers and the methods of this program side by side
///
/// Prints, for each size, method and number of threads: the solutions; the candidate squares
/// tested or the nodes of the search tree where the method counts them; the median, the smallest
/// and the largest time; outliers of runs; the solutions a second; the nanoseconds a solution and core (the median,
/// times the threads, by the solutions); the speed-up over one thread; and the ratio to the
/// smallest median at that size.
///
/// Every method runs once to warm up, then all run in turn, round after round, so that a change
/// in the machine meets all of them. A count under 10 ms is repeated until 10 ms are over, and the
/// mean taken for the time of the run. The time given is the median of the runs. It is steady
/// when it is known within 5 %: when the two runs that stand, among k in order of time, √k
/// places to either side of the middle are no farther apart (a 95 % confidence interval). There
/// are at least 5 rounds; then they go on until every time is steady, but no new one begins after
/// 50 rounds or 20 seconds at one size, and a time that is not steady is marked with ~. A count
/// of over 60 s runs once. Outliers are runs that lie more than three times the distance of the
/// quartiles beyond one of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    queens bench                              everything, n = 8 to 12\n  \
    queens bench 8 --method textbook          the textbook solvers\n  \
    queens bench 16..=18 -m join -t scale     how it scales with threads\n  \
    queens bench 14 -m backtrack,join --export-csv old.csv\n  \
    queens bench 14 -m backtrack,join --compare old.csv")]
pub struct Args {
    /// Board sizes: N, A..=B or A-B, from 1 to 32
    #[arg(
        value_name = "N | A..=B",
        default_value = "8..=12",
        allow_negative_numbers = true
    )]
    sizes: Sizes,

    /// What to run: all, textbook, or methods by name, separated by commas
    ///
    /// Of all, those that cannot count boards of a size are left out there.
    #[arg(short, long, value_name = "NAMES", default_value = "all")]
    method: Selection,

    /// Numbers of threads, separated by commas, or scale: 1, 2, 4 and so on, and all cores
    ///
    /// They are for the methods of this program; the textbook solvers have one thread.
    #[arg(
        short,
        long,
        value_name = "COUNTS",
        default_value = "1",
        allow_negative_numbers = true
    )]
    threads: ThreadCounts,

    /// Kernels for the join, separated by commas [default: the fastest of this machine]
    #[arg(long, value_name = "KERNELS", value_delimiter = ',', value_parser = args::kernel)]
    kernel: Vec<Kernel>,

    /// How the table is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Plain)]
    format: Format,

    /// Write the records to FILE as well, as --format csv prints them
    ///
    /// Each has the time of every run, the machine and the build. The file is complete after each
    /// size, so that an interrupted command leaves what it finished.
    #[arg(long, value_name = "FILE")]
    export_csv: Option<PathBuf>,

    /// The same as --format json prints them: a JSON object a line
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,

    /// Compare with the records in FILE, which an earlier --export-csv wrote
    ///
    /// A second table has the ratio of the medians, and claims that one is faster only if the
    /// intervals in which they lie with 95 % confidence are apart, and so are four of five runs
    /// of each. What else changed between then and now (the machine, its load) it cannot know.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

    /// Draw time against n, and speed-up against threads, as an SVG picture
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// Seconds between two progress lines where stderr is no terminal
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = args::seconds, allow_negative_numbers = true)]
    progress_every: Duration,

    /// Say nothing on stderr but errors
    #[arg(short, long)]
    quiet: bool,
}

/// How the table is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Aligned columns for people
    Plain,
    /// Comma-separated values with a header, times in seconds
    Csv,
    /// One JSON object a line, times in seconds
    Json,
}

/// What runs at each size.
type Plan = Vec<(Size, Vec<Contestant>)>;

/// Prints the rows of each size when it is done.
pub fn run(args: Args) -> anyhow::Result<()> {
    let plan = plan(&args)?;
    let threads = args.threads.get();
    let earlier = earlier(&args, &plan)?;
    check_files(&args)?;
    let pools = threads
        .iter()
        .map(|&threads| Pool::new(threads))
        .collect::<Result<Vec<_>, _>>()?;
    let interrupt = Interrupt::install()?;
    let mut report = Report {
        output: Output::open(None)?,
        form: match args.format {
            Format::Plain => None,
            Format::Csv => Some(Form::Csv),
            Format::Json => Some(Form::Json),
        },
        table: Table::new(&shown(&plan, threads)),
        exports: Vec::new(),
        machine: Machine::this(),
        records: Vec::new(),
        quiet: args.quiet,
    };
    for (path, form) in [
        (&args.export_csv, Form::Csv),
        (&args.export_json, Form::Json),
    ] {
        if let Some(path) = path {
            report.exports.push(Export::open(path, form)?);
        }
    }
    report.begin(threads)?;
    let contest = Contest {
        interrupt: &interrupt,
        progress_every: (!args.quiet).then_some(args.progress_every),
    };
    let mut result = Ok(());
    for (size, contestants) in plan {
        let entrants = entrants(&contestants, &pools);
        let measured;
        (measured, result) = contest.run(size, &entrants);
        report.add(record::records(size, &measured, &report.machine))?;
        if result.is_err() {
            break;
        }
    }
    #[cfg(feature = "plot")]
    if let Some(path) = &args.plot
        && !report.records.is_empty()
    {
        let mut file = Output::open(Some(path))?;
        file.line(&plot::draw(&report.records, &report.machine)?)?;
        file.finish()?;
    }
    report.end(earlier.as_ref())?;
    result
}

/// What runs at each size, or why it cannot.
fn plan(args: &Args) -> Result<Plan, Usage> {
    if !args.kernel.is_empty() && !args.method.has_join() {
        return Err(Usage(
            "--kernel goes with the method join: no other has kernels".to_owned(),
        ));
    }
    let kernels = match args.kernel.as_slice() {
        [] => vec![Kernel::best()],
        kernels => kernels.to_vec(),
    };
    let at = |size| {
        let contestants = args.method.at(size, &kernels);
        Ok((size, contestants.map_err(|error| Usage(error.to_string()))?))
    };
    args.sizes.iter().map(at).collect()
}

/// The records to compare with, which must have something in common with the plan.
fn earlier(args: &Args, plan: &Plan) -> Result<Option<Earlier>, Usage> {
    let Some(path) = &args.compare else {
        return Ok(None);
    };
    if args.format != Format::Plain {
        return Err(Usage(
            "--compare adds a table for people: it cannot go with --format csv or json".to_owned(),
        ));
    }
    let earlier = Earlier::read(path)?;
    let threads = args.threads.get();
    let is_there = |size: Size, contestant: &Contestant| {
        let threads: &[usize] = if contestant.is_parallel() {
            threads
        } else {
            &[1]
        };
        threads
            .iter()
            .any(|&threads| earlier.has(size.get(), &contestant.method(), threads))
    };
    let in_common = plan
        .iter()
        .any(|(size, contestants)| contestants.iter().any(|c| is_there(*size, c)));
    if !in_common {
        return Err(earlier.nothing_in_common());
    }
    Ok(Some(earlier))
}

/// Refuses files that could not all be written, before anything is timed.
fn check_files(args: &Args) -> anyhow::Result<()> {
    let mut files: Vec<&PathBuf> = [&args.export_csv, &args.export_json]
        .into_iter()
        .flatten()
        .collect();
    #[cfg(feature = "plot")]
    if let Some(path) = &args.plot {
        if path.extension().is_none_or(|extension| extension != "svg") {
            let path = path.display();
            return Err(Usage(format!("--plot {path}: the name must end in .svg")).into());
        }
        Output::open(Some(path))?;
        files.push(path);
    }
    files.sort_by_key(|file| resolved(file));
    let same = |pair: &&[&PathBuf]| resolved(pair[0]) == resolved(pair[1]);
    if let Some(pair) = files.windows(2).find(same) {
        let path = pair[0].display();
        return Err(Usage(format!(
            "{path} is named twice: each output needs a file of its own"
        ))
        .into());
    }
    Ok(())
}

/// The columns that have something to say.
fn shown(plan: &Plan, threads: &[usize]) -> Shown {
    let contestants = || plan.iter().flat_map(|(_, contestants)| contestants);
    Shown {
        method_width: contestants()
            .map(|c| c.method().len())
            .max()
            .unwrap_or(0)
            .max("method".len()),
        kernels: contestants().any(|c| c.kernel().is_some()),
        threads: threads != [1],
        effort: contestants().any(|c| !c.is_parallel()),
        digits: plan
            .iter()
            .filter_map(|(size, _)| known::published(*size))
            .map(|known| known.all.to_string().len())
            .max()
            .unwrap_or(18),
    }
}

/// Each contestant with each pool it can make use of.
fn entrants<'a>(contestants: &[Contestant], pools: &'a [Pool]) -> Vec<Entrant<'a>> {
    contestants
        .iter()
        .flat_map(|&contestant| {
            let pools = if contestant.is_parallel() {
                pools
            } else {
                &pools[..1]
            };
            pools.iter().map(move |pool| Entrant { contestant, pool })
        })
        .collect()
}
