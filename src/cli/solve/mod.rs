//! `queens solve N`: the solutions themselves, one by one.

mod svg;
mod text;

use std::io::{BufWriter, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::ValueEnum;
use queens::fundamental::class_size;
use queens::solve::Step;
use queens::{Placement, Size, Solutions};

use super::args::Usage;
use super::conditions::ConditionArgs;
use super::interrupt::Interrupt;
use super::output::Output;
use super::tell;

/// Print the solutions one by one
///
/// In lexicographic order of the column list, each when it is found. How many they were is told
/// on stderr.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    queens solve 8                                every solution, a line each\n  \
    queens solve 27 --first --format unicode      a picture of the first one\n  \
    queens solve 8 --fundamental --format board   one of each class under symmetry\n  \
    queens solve 8 --queen 1,1 --block 2,5        under conditions\n  \
    queens solve 6 --format svg -o six.svg        a picture file")]
pub struct Args {
    /// Board size from 1 to 32
    #[arg(value_name = "N", allow_negative_numbers = true)]
    size: Option<Size>,

    /// Stop after COUNT boards
    #[arg(short, long, value_name = "COUNT", value_parser = limit, allow_negative_numbers = true)]
    limit: Option<NonZeroU64>,

    /// Stop after the first board; exit status 1 if there is none
    #[arg(long, conflicts_with = "limit")]
    first: bool,

    /// One board of each class under rotation and reflection, with the size of its class
    ///
    /// The board with the smallest column list stands for its class. A class has 8 members, or
    /// 4, 2 or 1 if its boards are symmetric.
    #[arg(long)]
    fundamental: bool,

    /// How boards are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Columns)]
    format: Format,

    /// Write the boards to FILE, which appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Say nothing on stderr but errors
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    conditions: ConditionArgs,
}

/// How boards are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The column of each row's queen, numbered from 1, a line a board
    Columns,
    /// Row and column of each queen, numbered from 1, a line a board
    Pairs,
    /// A grid of Q and ., numbered
    Board,
    /// A checkered board, numbered, in colour on a terminal (unless NO_COLOR is set)
    Unicode,
    /// The columns as a JSON array, a line a board; an object with the class if --fundamental
    Json,
    /// One picture of all boards, at most 100 unless --limit says otherwise
    Svg,
}

/// The most boards of a picture, by default and at all.
const PICTURE: NonZeroU64 = NonZeroU64::new(100).unwrap();
const LARGEST_PICTURE: u64 = 10_000;

/// A board as it is to be printed.
struct Board {
    placement: Placement,
    /// From 1.
    number: u64,
    /// The size of its class, where one board stands for each.
    class: Option<u32>,
}

/// What came of the search.
struct Outcome {
    boards: u64,
    /// All boards of the classes.
    members: u64,
    at_limit: bool,
}

/// Searches and prints.
pub fn run(args: Args) -> anyhow::Result<()> {
    let Some(size) = args.size else {
        let example = "a board size from 1 to 32 is needed, for instance: queens solve 8";
        return Err(Usage(example.to_owned()).into());
    };
    args.conditions.refuse_fundamental(args.fundamental)?;
    let limit = args.limit()?;
    let solutions = if args.fundamental {
        Solutions::fundamental(size)
    } else {
        Solutions::with_conditions(&args.conditions.on(size)?)
    };
    let interrupt = Interrupt::install()?;
    let output = Output::open(args.output.as_deref())?;
    let text: Option<fn(&Board) -> String> = match args.format {
        Format::Columns => Some(text::columns),
        Format::Pairs => Some(text::pairs),
        Format::Board => Some(text::letters),
        Format::Unicode if output.is_coloured() => Some(text::coloured),
        Format::Unicode => Some(text::checkered),
        Format::Json => Some(text::json),
        Format::Svg => None,
    };
    let mut output = BufWriter::new(output);
    let outcome = if let Some(text) = text {
        args.search(
            solutions,
            limit,
            &interrupt,
            &mut output,
            |output, board| {
                let written = output.write_all(text(&board).as_bytes());
                written.context("cannot write the boards")
            },
        )?
    } else {
        let mut boards = Vec::new();
        let outcome = args.search(solutions, limit, &interrupt, &mut output, |_, board| {
            boards.push(board);
            Ok(())
        })?;
        let written = output.write_all(svg::picture(size, &boards).as_bytes());
        written.context("cannot write the picture")?;
        outcome
    };
    if args.first && outcome.boards == 0 {
        let conditions = if args.conditions.are_given() {
            " under these conditions"
        } else {
            ""
        };
        bail!("0 solutions for n = {size}{conditions}: there is no first one");
    }
    let output = output.into_inner().map_err(|error| error.into_error());
    output.context("cannot write the boards")?.finish()?;
    if !args.quiet {
        tell(args.summary(&outcome));
    }
    Ok(())
}

impl Args {
    /// After how many boards to stop.
    fn limit(&self) -> Result<Option<NonZeroU64>, Usage> {
        let limit = if self.first {
            Some(NonZeroU64::MIN)
        } else {
            self.limit
        };
        match limit {
            None if self.format == Format::Svg => Ok(Some(PICTURE)),
            Some(limit) if self.format == Format::Svg && limit.get() > LARGEST_PICTURE => {
                Err(Usage(format!(
                    "a picture of {limit} boards is too large: the limit must be from 1 to \
                     {LARGEST_PICTURE}"
                )))
            }
            limit => Ok(limit),
        }
    }

    /// Hands each board to `print`, and flushes the output whenever the search takes a while.
    fn search(
        &self,
        mut solutions: Solutions,
        limit: Option<NonZeroU64>,
        interrupt: &Interrupt,
        output: &mut BufWriter<Output>,
        mut print: impl FnMut(&mut BufWriter<Output>, Board) -> anyhow::Result<()>,
    ) -> anyhow::Result<Outcome> {
        let (mut boards, mut members) = (0, 0);
        while limit.is_none_or(|limit| boards < limit.get()) {
            match solutions.step() {
                Step::Found(placement) => {
                    let class = self.fundamental.then(|| class_size(&placement));
                    boards += 1;
                    members += u64::from(class.unwrap_or(1));
                    let number = boards;
                    let board = Board {
                        placement,
                        number,
                        class,
                    };
                    print(output, board)?;
                }
                Step::Searching => {
                    output.flush().context("cannot write the boards")?;
                    if interrupt.cancel().is_tripped() {
                        let unit = if boards == 1 { "board" } else { "boards" };
                        return Err(interrupt.stopped(format!("the search after {boards} {unit}")));
                    }
                }
                Step::End => {
                    return Ok(Outcome {
                        boards,
                        members,
                        at_limit: false,
                    });
                }
            }
        }
        Ok(Outcome {
            boards,
            members,
            at_limit: true,
        })
    }

    fn summary(&self, outcome: &Outcome) -> String {
        let kind = if self.fundamental { "fundamental " } else { "" };
        let mut text = format!("{} {kind}solution", outcome.boards);
        if outcome.boards != 1 {
            text += "s";
        }
        if self.fundamental {
            text += &format!(" standing for {}", outcome.members);
        }
        if self.first {
            text += ", stopped at the first";
        } else if outcome.at_limit {
            text += ", stopped at the limit";
            if self.limit.is_none() {
                text += &format!(" of {PICTURE} boards a picture: --limit sets another");
            }
        }
        text
    }
}

fn limit(text: &str) -> Result<NonZeroU64, String> {
    text.parse()
        .map_err(|_| "it must be a whole number of at least 1".to_owned())
}
