//! Counts the solutions that meet [`Conditions`]: queens that must stand, squares that must stay
//! empty.
//!
//! The search of [`backtrack`](super::backtrack), with a mask of allowed squares for each row
//! and without the symmetry, which conditions break.
//!
//! *Tasks.* A task is a placement of non-attacking queens in the first rows: as many rows as it
//! takes to have [`ENOUGH_TASKS`] of them, since a row whose queen is given splits nothing.

use super::{Cancel, Method, TaskError, evenly_spread};
use crate::conditions::Conditions;
use crate::run::tally::Count;

/// The row-by-row search under conditions.
#[derive(Debug)]
pub struct Conditioned {
    conditions: Conditions,
    /// How many rows the tasks settle.
    rows: usize,
    tasks: Vec<Attacked>,
}

/// The squares of a row that the queens above it attack, a mask for each direction.
#[derive(Debug, Clone, Copy, Default)]
struct Attacked {
    columns: u32,
    rising: u32,
    falling: u32,
}

/// Rows are split until there are this many tasks (or the board ends).
pub const ENOUGH_TASKS: usize = 4000;

/// With so many rows left, a part of a search takes milliseconds at most, and its count, below
/// 12!, fits 32 bits.
const QUICK: usize = 12;

impl Conditioned {
    /// The search for the solutions that meet these conditions.
    pub fn new(conditions: &Conditions) -> Conditioned {
        let mut rows = 0;
        let mut tasks = vec![Attacked::default()];
        if conditions.are_hopeless() {
            tasks.clear();
        }
        while rows < conditions.allowed().len() && (1..ENOUGH_TASKS).contains(&tasks.len()) {
            let allowed = conditions.allowed()[rows];
            tasks = tasks.iter().flat_map(|task| task.next(allowed)).collect();
            rows += 1;
        }
        Conditioned {
            conditions: conditions.clone(),
            rows,
            tasks: evenly_spread(&tasks),
        }
    }
}

impl Attacked {
    /// What the next row sees, for each queen that can stand in this one.
    fn next(self, allowed: u32) -> impl Iterator<Item = Attacked> {
        let mut free = allowed & !(self.columns | self.rising | self.falling);
        std::iter::from_fn(move || {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            (queen != 0).then_some(Attacked {
                columns: self.columns | queen,
                rising: (self.rising | queen) >> 1,
                falling: (self.falling | queen) << 1,
            })
        })
    }
}

/// Adds the ways to fill the rows with these allowed squares.
fn add_completions(
    allowed: &[u32],
    attacked: Attacked,
    count: &mut Count,
    cancel: &Cancel,
) -> Result<(), TaskError> {
    cancel.check()?;
    match allowed {
        [first, rest @ ..] if allowed.len() > QUICK => attacked
            .next(*first)
            .try_for_each(|next| add_completions(rest, next, count, cancel)),
        _ => count.add(1, completions(allowed, attacked)),
    }
}

/// The ways to fill a few rows.
fn completions(allowed: &[u32], attacked: Attacked) -> u64 {
    match allowed {
        [] => 1,
        [first, rest @ ..] => attacked
            .next(*first)
            .map(|next| completions(rest, next))
            .sum(),
    }
}

impl Method for Conditioned {
    fn name(&self) -> &'static str {
        "backtrack"
    }

    fn tasks(&self) -> u64 {
        self.tasks.len() as u64
    }

    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
        let attacked = self.tasks[task as usize];
        let mut count = Count::ZERO;
        add_completions(
            &self.conditions.allowed()[self.rows..],
            attacked,
            &mut count,
            cancel,
        )?;
        Ok(count)
    }
}
