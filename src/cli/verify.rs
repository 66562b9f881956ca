//! `queens verify`: is this program right on this machine?

use std::time::Duration;

use anyhow::bail;
use queens::Size;
use queens::fundamental::NotWhole;
use queens::known::{self, Difference};
use queens::method::MethodName;
use queens::method::join::Kernel;

use super::args::{Sizes, Work};
use super::counting::Counting;
use super::deep;
use super::output::Output;
use super::saving::LongRun;

/// Count by every method and compare with the published totals
///
/// Counts each size by every method, all solutions and those up to rotation and reflection, and
/// holds them against the published values and each other. Exit status 1 if any differ.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    queens verify             sizes 1 to 17\n  \
    queens verify 18          a larger one\n  \
    queens verify --deep --minutes 30")]
pub struct Args {
    /// Board sizes: N, A..=B or A-B, from 1 to 32
    #[arg(
        value_name = "N | A..=B",
        default_value = "1..=17",
        allow_negative_numbers = true
    )]
    sizes: Sizes,

    /// Every kernel and way of every method, and tasks of large boards, against each other
    ///
    /// For a new machine before a long run, and to stress one. Besides the sizes, tasks of
    /// n = 20 to 24 (by backtrack to 22), chosen at random, are counted by every way for --minutes;
    /// a row tells how many. A difference ends it with exit status 1, and so does a row for which
    /// not one task was done in its time. Needs 2 GB of memory.
    #[arg(long)]
    deep: bool,

    /// How long tasks of large boards are counted
    #[arg(long, value_name = "MINUTES", default_value = "2", value_parser = minutes, allow_negative_numbers = true, requires = "deep")]
    minutes: Duration,

    /// Where the random choice of tasks begins
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 1,
        allow_negative_numbers = true,
        requires = "deep"
    )]
    seed: u64,

    #[command(flatten)]
    work: Work,
}

/// Prints a table with a row for each size and method.
pub fn run(args: Args) -> anyhow::Result<()> {
    let counting = Counting::new(args.work)?;
    if args.deep {
        return deep::run(args.sizes, args.minutes, args.seed, &counting);
    }
    let mut output = Output::open(None)?;
    let mut line = |line: String| output.line(line.trim_end());
    line(row([
        "n",
        "method",
        "all",
        "fundamental",
        "published",
        "seconds",
    ]))?;
    let mut differences = Vec::new();
    for size in args.sizes.iter() {
        let mut first = None;
        for method in methods(size) {
            let total = counting.all(size, method, Kernel::best(), &LongRun::default())?;
            let (classes, mark) = match counting.fundamental(size, total.all) {
                Ok(classes) => {
                    let mark = match compare(size, total.all, classes) {
                        Ok(true) => "agrees",
                        Ok(false) => "none",
                        Err(difference) => {
                            differences.push(format!("{method}: {difference}"));
                            DIFFERENT
                        }
                    };
                    (classes.to_string(), mark)
                }
                Err(error) if error.is::<NotWhole>() => {
                    differences.push(format!("n = {size}, {method}: {error}"));
                    ("-".to_owned(), DIFFERENT)
                }
                Err(error) => return Err(error),
            };
            let (other, all) = *first.get_or_insert((method, total.all));
            if total.all != all {
                let counts = format!("{method} counts {}, {other} {all}", total.all);
                differences.push(format!("n = {size}: {counts}"));
            }
            let (n, all) = (size.to_string(), total.all.to_string());
            let seconds = format!("{:.3}", total.time.as_secs_f64());
            line(row([
                &n,
                &method.to_string(),
                &all,
                &classes,
                mark,
                &seconds,
            ]))?;
        }
    }
    output.finish()?;
    if !differences.is_empty() {
        bail!("{}", differences.join("\nqueens: "));
    }
    Ok(())
}

fn minutes(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|minutes| (0.001..=100_000.0).contains(minutes))
        .map(|minutes| Duration::from_secs_f64(60.0 * minutes))
        .ok_or_else(|| "it must be a number of minutes from 0.001 to 100000".to_owned())
}

const DIFFERENT: &str = "DIFFERENT";

/// The methods that can count boards of this size.
pub fn methods(size: Size) -> impl Iterator<Item = MethodName> {
    MethodName::ALL
        .into_iter()
        .filter(move |method| method.sizes().contains(&size.get()))
}

/// Whether both numbers are the published ones; `Ok(false)` where none are published.
fn compare(size: Size, all: u128, fundamental: u128) -> Result<bool, Difference> {
    Ok(known::compare_all(size, all)? && known::compare_fundamental(size, fundamental)?)
}

fn row([n, method, all, fundamental, published, seconds]: [&str; 6]) -> String {
    format!("{n:>2}  {method:<9}  {all:>20}  {fundamental:>19}  {published:<9}  {seconds:>9}")
}
