//! `queens N` and `queens count N`: the main job.

use std::path::PathBuf;

use clap::ValueEnum;
use queens::method::join::Kernel;
use queens::method::{MethodError, MethodName};
use queens::run::shard::Shard;
use queens::{Size, Square, known};
use serde::Serialize;

use super::args::{self, MethodChoice, Sizes, Usage, Work, method};
use super::conditions::ConditionArgs;
use super::counting::{Counting, Total};
use super::output::{Output, resolved};
use super::saving::LongRun;
use super::{shard, tell};

/// Count the solutions for one board size or a range of them
///
/// Prints the bare total, or `n total` lines for a range. A total with a published value is
/// compared with it; a difference is an error and no total is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    queens count 16                       the total for n = 16\n  \
    queens count 8..=12 --format json     one JSON object a size\n  \
    queens count 14 --fundamental         up to rotation and reflection\n  \
    queens count 13 --checkpoint 13.json  can be stopped and gone on with\n  \
    queens count 12 --shard 0/4           the first of four parts")]
pub struct Args {
    /// Board size from 1 to 32, or a range A..=B or A-B
    #[arg(value_name = "N | A..=B", allow_negative_numbers = true)]
    sizes: Option<Sizes>,

    /// How to count
    ///
    /// `auto` takes the method that is fastest for the board size, on any machine the same.
    #[arg(short, long, value_name = "METHOD", default_value = "auto", value_parser = method())]
    method: MethodChoice,

    /// The join's inner loops: auto, portable, avx2 or avx512
    ///
    /// `auto` takes the fastest that this machine has (`queens --version` lists them). The method
    /// backtrack has no kernels.
    #[arg(long, value_name = "KERNEL", value_parser = args::kernel)]
    kernel: Option<Kernel>,

    /// Print the number of solutions up to rotation and reflection
    #[arg(long)]
    fundamental: bool,

    /// How the answer is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Plain)]
    format: Format,

    /// Write the answer to FILE, which appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Tell on stderr how long each count took
    ///
    /// The time is that of counting all solutions, without the symmetric ones that --fundamental
    /// adds.
    #[arg(long)]
    time: bool,

    /// Count only the tasks whose number is RES modulo MOD, and print a shard record
    ///
    /// The MOD shards of one MOD are the whole count; `queens merge` adds up their records. With
    /// -o FILE, a complete record of the shard that is there already is left alone.
    #[arg(long, value_name = "RES/MOD", conflicts_with_all = ["fundamental", "format", "time"])]
    shard: Option<Shard>,

    #[command(flatten)]
    long: LongRun,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    conditions: ConditionArgs,
}

/// How the answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The bare number; for a range, lines of n and number
    Plain,
    /// Comma-separated values with a header
    Csv,
    /// One JSON object a line and size
    Json,
}

/// What is told of one size.
#[derive(Debug, Serialize)]
struct Record {
    n: u32,
    all: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    fundamental: Option<u128>,
    method: String,
    /// The join's inner loops; null for a method that has none.
    kernel: Option<&'static str>,
    threads: usize,
    tasks: u64,
    seconds: f64,
    /// Whether the published total agrees; null where none is published.
    agrees_with_published: Option<bool>,
    version: &'static str,
    /// The conditions, where there are any: `all` are then the solutions that meet them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    queens: Vec<[u32; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked: Vec<[u32; 2]>,
}

/// Counts each size and prints it.
pub fn run(args: Args) -> anyhow::Result<()> {
    let Some(sizes) = args.sizes else {
        let example = "a board size from 1 to 32 is needed, for instance: queens 8";
        return Err(Usage(example.to_owned()).into());
    };
    check_conditions(&args, sizes)?;
    check_method(&args, sizes)?;
    let kernel = args.kernel.unwrap_or_else(Kernel::best);
    let conditions = &args.conditions;
    check_long_run(&args, sizes)?;
    if let (Some(shard), Some(size)) = (args.shard, sizes.single()) {
        let part = shard::Job {
            size,
            method: args.method.for_size(size),
            kernel,
            shard,
            output: args.output.as_deref(),
            long: &args.long,
        };
        return shard::run(&part, &Counting::for_long_run(args.work, &args.long)?);
    }
    let counting = Counting::for_long_run(args.work, &args.long)?;
    let mut output = Output::open(args.output.as_deref())?;
    if args.format == Format::Csv {
        let more = if conditions.are_given() {
            ",queens,blocked"
        } else {
            ""
        };
        output.line(&format!("{CSV_HEADER}{more}"))?;
    }
    for size in sizes.iter() {
        let (method, total, published) = if conditions.are_given() {
            let total = counting.with_conditions(&conditions.on(size)?)?;
            (MethodName::Backtrack, total, false)
        } else {
            let method = args.method.for_size(size);
            let total = counting.all(size, method, kernel, &args.long)?;
            let published = known::compare_all(size, total.all)?;
            (method, total, published)
        };
        let fundamental = args
            .fundamental
            .then(|| counting.fundamental(size, total.all));
        let fundamental = fundamental.transpose()?;
        if let Some(classes) = fundamental {
            known::compare_fundamental(size, classes)?;
        }
        if args.time && !counting.is_quiet() {
            tell(format_args!(
                "n = {size}: {:.3} s",
                total.time.as_secs_f64()
            ));
        }
        let record = Record {
            queens: squares(&conditions.queens),
            blocked: squares(&conditions.blocked),
            ..Record::new(
                size,
                &total,
                fundamental,
                (method, kernel),
                published,
                &counting,
            )
        };
        let line = match args.format {
            Format::Plain => record.plain(sizes.single().is_some()),
            Format::Csv => record.csv(),
            Format::Json => serde_json::to_string(&record)?,
        };
        output.line(&line)?;
    }
    output.finish()
}

/// Refuses conditions that no size can have, before anything is counted.
fn check_conditions(args: &Args, sizes: Sizes) -> Result<(), Usage> {
    let conditions = &args.conditions;
    conditions.refuse_fundamental(args.fundamental)?;
    match args.method {
        MethodChoice::Named(name) if conditions.are_given() && name != MethodName::Backtrack => {
            return Err(Usage(format!(
                "--method {name} cannot go with --queen or --block: it counts whole boards only; \
                 leave it out or take backtrack"
            )));
        }
        _ => {}
    }
    sizes
        .iter()
        .try_for_each(|size| conditions.on(size).map(|_| ()))
}

/// Refuses options of long runs that do not go with the others.
fn check_long_run(args: &Args, sizes: Sizes) -> Result<(), Usage> {
    let LongRun {
        checkpoint,
        force_new,
        double_check,
        ..
    } = &args.long;
    let given = [
        ("--checkpoint", checkpoint.is_some()),
        ("--shard", args.shard.is_some()),
        ("--double-check", *double_check),
    ];
    for (option, _) in given.into_iter().filter(|&(_, is_given)| is_given) {
        if args.conditions.are_given() {
            let reason = "it counts whole boards only";
            return Err(Usage(format!(
                "{option} cannot go with --queen or --block: {reason}"
            )));
        }
        if option != "--double-check" && sizes.single().is_none() {
            return Err(Usage(format!(
                "{option} is for one board size, not a range"
            )));
        }
    }
    if let (Some(checkpoint), Some(output)) = (checkpoint, &args.output)
        && resolved(checkpoint) == resolved(output)
    {
        let message = "--checkpoint and --output must be two files";
        return Err(Usage(message.to_owned()));
    }
    if *force_new && checkpoint.is_none() && args.shard.is_none() {
        let message = "--force-new needs --checkpoint or --shard";
        return Err(Usage(message.to_owned()));
    }
    Ok(())
}

/// Refuses a method that cannot count one of the sizes, before anything is counted.
fn check_method(args: &Args, sizes: Sizes) -> Result<(), Usage> {
    let joins = |size| args.method.for_size(size) == MethodName::Join;
    if args.kernel.is_some() && !sizes.iter().any(joins) {
        let what = match args.method {
            MethodChoice::Auto => "such small boards are counted by backtrack, which has none",
            MethodChoice::Named(_) => "backtrack has none",
        };
        return Err(Usage(format!("--kernel goes with the method join: {what}")));
    }
    for size in sizes.iter() {
        let method = args.method.for_size(size);
        let (n, sizes) = (size.get(), method.sizes());
        if !sizes.contains(&n) {
            return Err(Usage(MethodError::Size { method, n, sizes }.to_string()));
        }
    }
    Ok(())
}

/// Squares as they are typed, numbered from 1.
fn squares(squares: &[Square]) -> Vec<[u32; 2]> {
    squares
        .iter()
        .map(|square| [square.row + 1, square.column + 1])
        .collect()
}

const CSV_HEADER: &str =
    "n,all,fundamental,method,kernel,threads,tasks,seconds,agrees_with_published,version";

impl Record {
    fn new(
        size: Size,
        total: &Total,
        fundamental: Option<u128>,
        (method, kernel): (MethodName, Kernel),
        published: bool,
        counting: &Counting,
    ) -> Record {
        Record {
            n: size.get(),
            all: total.all,
            fundamental,
            method: method.to_string(),
            kernel: (method == MethodName::Join).then(|| kernel.name()),
            threads: counting.threads(),
            tasks: total.tasks,
            // Microseconds: finer digits say nothing.
            seconds: total.time.as_micros() as f64 / 1e6,
            agrees_with_published: published.then_some(true),
            version: env!("CARGO_PKG_VERSION"),
            queens: Vec::new(),
            blocked: Vec::new(),
        }
    }

    fn plain(&self, single: bool) -> String {
        let number = self.fundamental.unwrap_or(self.all);
        if single {
            number.to_string()
        } else {
            format!("{} {number}", self.n)
        }
    }

    fn csv(&self) -> String {
        let optional = |value: Option<String>| value.unwrap_or_default();
        let conditions = if self.queens.is_empty() && self.blocked.is_empty() {
            String::new()
        } else {
            // Pairs as in `--queen R,C`, in quotes, since a comma stands in each.
            let list = |squares: &[[u32; 2]]| {
                let pairs: Vec<_> = squares.iter().map(|[r, c]| format!("{r},{c}")).collect();
                format!(",\"{}\"", pairs.join(" "))
            };
            list(&self.queens) + &list(&self.blocked)
        };
        format!(
            "{},{},{},{},{},{},{},{:.6},{},{}{conditions}",
            self.n,
            self.all,
            optional(self.fundamental.map(|classes| classes.to_string())),
            self.method,
            self.kernel.unwrap_or_default(),
            self.threads,
            self.tasks,
            self.seconds,
            optional(self.agrees_with_published.map(|agrees| agrees.to_string())),
            self.version,
        )
    }
}
