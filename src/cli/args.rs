//! Arguments that several commands share, and what is said about wrong ones.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use queens::method::MethodName;
use queens::method::join::Kernel;
use queens::run::pool::Pool;
use queens::{Size, SizeError};
use thiserror::Error;

/// A command line that asks for something that cannot be: exit code 2.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// One or more board sizes in a row: `N`, `A..=B` or `A-B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    first: Size,
    last: Size,
}

/// Why a text names no board sizes.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum SizesError {
    #[error(transparent)]
    Size(#[from] SizeError),
    #[error("range '{0}': {1}")]
    Range(String, SizeError),
    #[error("range '{0}' is backwards: write {2}..={1}")]
    Backwards(String, Size, Size),
    #[error("range '{0}' can be read with or without its end: write {1}..={2}")]
    Ambiguous(String, Size, Size),
}

impl Sizes {
    /// The size, if it is one, not a range.
    pub fn single(self) -> Option<Size> {
        (self.first == self.last).then_some(self.first)
    }

    /// The sizes, smallest first.
    pub fn iter(self) -> impl Iterator<Item = Size> {
        (self.first.get()..=self.last.get()).map(|n| Size::new(n).expect("between two sizes"))
    }
}

impl FromStr for Sizes {
    type Err = SizesError;

    fn from_str(text: &str) -> Result<Sizes, SizesError> {
        // A leading dash is a minus sign.
        let dash = text.char_indices().skip(1).find(|&(_, c)| c == '-');
        let ends = text.split_once("..=").or_else(|| text.split_once(".."));
        let ends = ends.or_else(|| dash.map(|(at, _)| (&text[..at], &text[at + 1..])));
        let Some((first, last)) = ends else {
            let size = text.parse()?;
            return Ok(Sizes {
                first: size,
                last: size,
            });
        };
        let end = |end: &str| {
            end.parse()
                .map_err(|error| SizesError::Range(text.to_owned(), error))
        };
        let (first, last): (Size, Size) = (end(first)?, end(last)?);
        if first > last {
            return Err(SizesError::Backwards(text.to_owned(), first, last));
        }
        if text.contains("..") && !text.contains("..=") {
            return Err(SizesError::Ambiguous(text.to_owned(), first, last));
        }
        Ok(Sizes { first, last })
    }
}

/// How a count is done, for every command that counts.
#[derive(Debug, clap::Args)]
pub struct Work {
    /// Threads to count on [default: one for each logical core]
    #[arg(short, long, value_name = "COUNT", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,

    /// Whether to show progress on stderr
    ///
    /// `auto`: a bar on a terminal, elsewhere a plain line every --progress-every seconds, none
    /// for a count that ends sooner. `always`: a line at the end of each count as well.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ShowProgress::Auto)]
    pub progress: ShowProgress,

    /// Seconds between two progress lines where stderr is no terminal
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    pub progress_every: Duration,

    /// Say nothing on stderr but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// When progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowProgress {
    /// A bar on a terminal, plain lines elsewhere.
    Auto,
    /// As auto, and a line at the end.
    Always,
    /// Nothing.
    Never,
}

/// A method by name, or the choice left to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodChoice {
    /// The fastest for the board size.
    Auto,
    /// This one.
    Named(MethodName),
}

impl MethodChoice {
    /// The method for boards of this size.
    pub fn for_size(self, size: Size) -> MethodName {
        match self {
            MethodChoice::Auto => MethodName::fastest(size),
            MethodChoice::Named(name) => name,
        }
    }
}

/// Reads a [`MethodChoice`].
pub fn method() -> impl TypedValueParser<Value = MethodChoice> {
    let names = ["auto"]
        .into_iter()
        .chain(MethodName::ALL.map(MethodName::name));
    PossibleValuesParser::new(names).map(|text| {
        let named = MethodName::ALL
            .into_iter()
            .find(|method| method.name() == text);
        named.map_or(MethodChoice::Auto, MethodChoice::Named)
    })
}

/// Reads a [`Kernel`] that this machine has.
pub fn kernel(text: &str) -> Result<Kernel, String> {
    let kernel = Kernel::ALL.into_iter().find(|kernel| kernel.name() == text);
    match kernel {
        None if text == "auto" => Ok(Kernel::best()),
        Some(kernel) if kernel.operations().is_some() => Ok(kernel),
        Some(_) => Err(format!(
            "this machine lacks it: it has {}",
            Kernel::here().join(", ")
        )),
        None => Err(format!(
            "it must be auto or one of {}",
            Kernel::ALL.map(Kernel::name).join(", ")
        )),
    }
}

/// Reads a number of threads.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse::<NonZeroUsize>()
        .ok()
        .filter(|threads| threads.get() <= Pool::MOST)
        .ok_or_else(|| format!("it must be a whole number from 1 to {}", Pool::MOST))
}

/// Reads a time between two progress lines.
pub fn seconds(text: &str) -> Result<Duration, String> {
    const DAY: f64 = 86_400.0;
    text.parse::<f64>()
        .ok()
        .filter(|seconds| (0.001..=DAY).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("it must be a number of seconds from 0.001 to {DAY}"))
}

/// What is wrong with a command line, on one line.
///
/// The parser's message has its choices and hints on lines of their own and ends with the usage;
/// the first paragraphs, joined, say what the user needs.
pub fn one_line(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::ArgumentConflict
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
    {
        // After a board size or an option the parser takes any word for a command.
        return format!(
            "unexpected argument '{word}' (a command comes first, its options after it)"
        );
    }
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(negative) = std::env::args_os()
            .skip(1)
            .filter_map(|word| word.into_string().ok())
            .find(|text| is_negative(text))
        && let Err(wrong) = negative.parse::<Sizes>()
    {
        // A range that begins with a minus sign looks like an option to the parser.
        return wrong.to_string();
    }
    let text = error.render().to_string();
    let mut message = String::new();
    for line in text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:"))
    {
        match line.strip_prefix("tip: ") {
            Some(tip) if tip.starts_with("to pass ") => {}
            Some(tip) => message += &format!(" ({tip})"),
            None if line.is_empty() || line.starts_with("For more information") => {}
            None if message.is_empty() => message += line,
            None => message += &format!(" {line}"),
        }
    }
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    // A board size speaks for itself; the parser's introduction would name it twice.
    let own = message.split_once("': ").filter(|(intro, _)| {
        intro.ends_with("[N | A..=B]") || intro.ends_with("[N]") || intro.ends_with("<N>")
    });
    own.map_or(message, |(_, own)| own).to_owned()
}

fn is_negative(text: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Result<(u32, u32), String> {
        let sizes: Sizes = text
            .parse()
            .map_err(|error: SizesError| error.to_string())?;
        Ok((sizes.first.get(), sizes.last.get()))
    }

    #[test]
    fn sizes_are_read_as_they_are_meant() {
        assert_eq!(ends("16"), Ok((16, 16)));
        assert_eq!(ends("1..=15"), Ok((1, 15)));
        assert_eq!(ends("8-12"), Ok((8, 12)));
        assert_eq!(ends("8-8"), Ok((8, 8)));
    }

    #[test]
    fn wrong_sizes_say_what_would_be_right() {
        assert!(ends("1..15").unwrap_err().contains("1..=15"));
        assert!(ends("12-8").unwrap_err().contains("8..=12"));
        assert!(ends("15..1").unwrap_err().contains("1..=15"));
        for wrong in [
            "-1", "0", "33", "0-3", "8-33", "8--3", "", "abc", "1e3", "16.5", "-", "1..",
        ] {
            assert!(ends(wrong).unwrap_err().contains("from 1 to 32"), "{wrong}");
        }
    }
}
