//! `queens --generate`: completion scripts and the manual page, made from the options themselves.

use std::io::Write;

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::Cli;
use super::output::Output;

/// What can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Completions for bash
    CompleteBash,
    /// Completions for zsh
    CompleteZsh,
    /// Completions for fish
    CompleteFish,
    /// The manual page, in roff
    Man,
}

/// Prints it.
pub fn run(kind: Kind) -> anyhow::Result<()> {
    let mut command = Cli::command();
    let mut text = Vec::new();
    let shell = match kind {
        Kind::CompleteBash => Some(Shell::Bash),
        Kind::CompleteZsh => Some(Shell::Zsh),
        Kind::CompleteFish => Some(Shell::Fish),
        Kind::Man => None,
    };
    match shell {
        Some(shell) => clap_complete::generate(shell, &mut command, "queens", &mut text),
        None => {
            // One page after the other: the program's, then each command's.
            let mut command = command
                .version(env!("CARGO_PKG_VERSION"))
                .long_version(None);
            command.build();
            for page in std::iter::once(&command).chain(command.get_subcommands()) {
                clap_mangen::Man::new(page.clone()).render(&mut text)?;
            }
        }
    }
    let mut output = Output::open(None)?;
    output.write_all(&text)?;
    output.finish()
}
