//! `queens bench`: the ways to count side by side, how much each does and how long it takes.

mod contest;
mod contestant;
mod table;

use std::num::NonZeroUsize;

use clap::ValueEnum;
use queens::run::pool::Pool;

use super::args::{self, Sizes};
use super::interrupt::Interrupt;
use super::output::Output;
use super::tell;
use contest::Contest;
use contestant::Selection;

/// Time the textbook solvers and the methods of this program side by side
///
/// Prints, for each size and method: the solutions, the candidate squares tested or the nodes
/// of the search tree where the method counts them, the time, and its ratio to the fastest
/// method at that size.
///
/// Every method runs once to warm up, then all run in turn, round after round, so that a change
/// in the machine meets all of them. A count under 10 ms is repeated until 10 ms are over, and the
/// mean taken for the time of the run. The time given is the median of the runs. It is steady
/// when it is known within 5 %: when the two runs that stand, among k in order of time, √k
/// places to either side of the middle are no farther apart (a 95 % confidence interval). There
/// are at least 5 rounds; then they go on until every time is steady, but no new one begins after
/// 50 rounds or 20 seconds at one size, and a time that is not steady is marked with ~. A count
/// of over 60 s runs once.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    queens bench                              everything, n = 8 to 12\n  \
    queens bench 8 --method textbook          the textbook solvers\n  \
    queens bench 6..=8 -m pairwise,backtrack --format csv")]
pub struct Args {
    /// Board sizes: N, A..=B or A-B, from 1 to 32
    #[arg(
        value_name = "N | A..=B",
        default_value = "8..=12",
        allow_negative_numbers = true
    )]
    sizes: Sizes,

    /// What to run: all, textbook, or methods by name, separated by commas
    #[arg(short, long, value_name = "NAMES", default_value = "all")]
    method: Selection,

    /// Threads for the methods of this program; the textbook solvers have one
    #[arg(short, long, value_name = "COUNT", default_value = "1", value_parser = args::threads, allow_negative_numbers = true)]
    threads: NonZeroUsize,

    /// How the table is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Plain)]
    format: Format,

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

/// Prints the rows of each size when it is done.
pub fn run(args: Args) -> anyhow::Result<()> {
    let mut output = Output::open(None)?;
    let interrupt = Interrupt::install()?;
    let contest = Contest {
        pool: Pool::new(args.threads.get())?,
        interrupt: &interrupt,
        quiet: args.quiet,
    };
    let mut line = |line: &str| output.line(line);
    match args.format {
        Format::Plain => line(&table::plain_header())?,
        Format::Csv => line(table::CSV_HEADER)?,
        Format::Json => {}
    }
    let mut unsteady = 0;
    for size in args.sizes.iter() {
        let results = contest.run(size, &args.method.0)?;
        for row in table::rows(size, &results) {
            line(&match args.format {
                Format::Plain => row.plain(),
                Format::Csv => row.csv(),
                Format::Json => serde_json::to_string(&row)?,
            })?;
            unsteady += u32::from(!row.steady);
        }
    }
    output.finish()?;
    if unsteady > 0 && !args.quiet {
        tell(format_args!(
            "~ {unsteady} of the times did not get steady: they are known less well than within \
             5 %; a machine with less to do beside may help"
        ));
    }
    Ok(())
}
