//! `--queen` and `--block`: conditions on the board, for the commands that take them.

use queens::{Conditions, ConditionsError, Size, Square};

use super::args::Usage;

/// Conditions as they are typed, for a board whose size is not known yet.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Conditions")]
pub struct ConditionArgs {
    /// Only boards with a queen in row R, column C, numbered from 1 (repeatable)
    #[arg(long = "queen", value_name = "R,C", value_parser = square, allow_hyphen_values = true)]
    pub queens: Vec<Square>,

    /// Only boards without a queen in row R, column C, numbered from 1 (repeatable)
    #[arg(long = "block", value_name = "R,C", value_parser = square, allow_hyphen_values = true)]
    pub blocked: Vec<Square>,
}

impl ConditionArgs {
    /// Whether there are any.
    pub fn are_given(&self) -> bool {
        !(self.queens.is_empty() && self.blocked.is_empty())
    }

    /// The conditions on a board of this size.
    pub fn on(&self, size: Size) -> Result<Conditions, Usage> {
        Conditions::new(size, &self.queens, &self.blocked)
            .map_err(|error: ConditionsError| Usage(error.to_string()))
    }

    /// Refuses `--fundamental` together with conditions.
    pub fn refuse_fundamental(&self, fundamental: bool) -> Result<(), Usage> {
        if fundamental && self.are_given() {
            let reason = "--fundamental cannot go with --queen or --block: a rotated or mirrored \
                          board may not meet them, so there are no classes to count";
            return Err(Usage(reason.to_owned()));
        }
        Ok(())
    }
}

fn square(text: &str) -> Result<Square, String> {
    let numbers = text.split_once(',').and_then(|(row, column)| {
        let number = |text: &str| text.parse::<u32>().ok().and_then(|n| n.checked_sub(1));
        Some((number(row)?, number(column)?))
    });
    numbers
        .map(|(row, column)| Square { row, column })
        .ok_or_else(|| "it must be a row and a column, numbered from 1, such as 1,5".to_owned())
}
