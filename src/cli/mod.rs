//! The command line: what can be typed, and what becomes of it.
//!
//! stdout carries the answer alone; everything else goes to stderr. Exit codes: 0 done, 1 the
//! answer is wrong, incomplete or could not be had, 2 the command line is wrong. A run that a
//! signal stopped dies of that signal, and a reader that closed its end of the pipe is no error.

mod args;
mod bench;
mod conditions;
mod count;
mod counting;
mod deep;
mod drawing;
mod estimate;
mod generate;
mod interrupt;
mod merge;
mod output;
mod progress;
mod saving;
mod shard;
mod solve;
mod verify;
mod version;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

use args::Usage;
use interrupt::Interrupted;

/// Count the solutions of the n-queens problem, fast and in parallel.
///
/// `queens N` prints in how many ways n queens can stand on a board of n rows and n columns so
/// that none attacks another. The answer alone goes to stdout; progress and warnings go to
/// stderr. A total with a published value is compared with it, every time.
#[derive(Debug, Parser)]
#[command(
    name = "queens",
    version,
    long_version = version::LONG.as_str(),
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    override_usage = "queens [OPTIONS] <N | A..=B>\n       queens <COMMAND> [OPTIONS] ...",
    after_help = "Examples:\n  \
        queens 16                      count the solutions for n = 16\n  \
        queens 1-10 --fundamental      the same up to rotation and reflection, n = 1 to 10\n  \
        queens solve 8                 the boards themselves\n  \
        queens verify                  check this program on this machine",
    after_long_help = "Examples:\n  \
        queens 16                      count the solutions for n = 16\n  \
        queens count 16 -t 1 --time    the same on one thread, telling the time it took\n  \
        queens 1-10 --fundamental      up to rotation and reflection, for n = 1 to 10\n  \
        queens 8..=12 --format csv     a table for n = 8 to 12\n  \
        queens 10 --queen 1,2          only boards with a queen on row 1, column 2\n  \
        queens solve 8 --first         the first board, as its columns\n  \
        queens bench 8 -m textbook     the textbook solvers side by side\n  \
        queens verify 1..=14           every method against the published totals\n  \
        queens --generate man          the manual page\n\n\
        Exit status: 0 done; 1 the answer is wrong, incomplete or could not be had; 2 the \
        command line is wrong. A run stopped by a signal prints no total and dies of the signal."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    // Before what follows, whose last options have a heading of their own.
    /// Print a shell completion script or the manual page
    ///
    /// For instance, for bash: `queens --generate complete-bash >
    /// ~/.local/share/bash-completion/completions/queens`
    #[arg(
        long,
        value_name = "KIND",
        value_enum,
        exclusive = true,
        display_order = 1000
    )]
    generate: Option<generate::Kind>,

    #[command(flatten)]
    count: count::Args,
}

#[derive(Debug, Subcommand)]
enum Command {
    Count(count::Args),
    Solve(solve::Args),
    Estimate(estimate::Args),
    Merge(merge::Args),
    Verify(verify::Args),
    Bench(bench::Args),
}

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => {
            return exit_code(error.print().context("cannot write to stdout"));
        }
        Err(error) => {
            tell(format_args!("queens: {}", args::one_line(&error)));
            return ExitCode::from(2);
        }
    };
    exit_code(cli.run())
}

impl Cli {
    fn run(self) -> anyhow::Result<()> {
        match (self.generate, self.command) {
            (Some(kind), _) => generate::run(kind),
            (None, Some(Command::Count(args))) => count::run(args),
            (None, Some(Command::Solve(args))) => solve::run(args),
            (None, Some(Command::Estimate(args))) => estimate::run(args),
            (None, Some(Command::Merge(args))) => merge::run(args),
            (None, Some(Command::Verify(args))) => verify::run(args),
            (None, Some(Command::Bench(args))) => bench::run(args),
            (None, None) => count::run(self.count),
        }
    }
}

/// The one place where an error becomes a message and an exit code.
fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    tell(format_args!("queens: {error:#}"));
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        interrupted.die();
    }
    ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
}

/// Says something on stderr. Where nobody can hear it, the answer still counts.
fn tell(message: impl Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
