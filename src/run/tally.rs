//! What has been counted so far: the sum over finished tasks, and of their residues, by which the
//! sum is checked.

use thiserror::Error;

pub use crate::method::count::{Count, RESIDUE_MODULUS};

/// The sum over any number of finished tasks.
///
/// Tallies of disjoint sets of tasks add up to the tally of their union, in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many tasks are finished.
    pub tasks: u64,
    /// The solutions they stand for.
    pub solutions: u128,
    /// The same number modulo [`RESIDUE_MODULUS`], accumulated apart.
    pub residue: u64,
}

/// Why a tally cannot be trusted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TallyError {
    /// The sum outgrew its type.
    #[error("the sum of the tasks' counts is too large for this program's numbers")]
    Overflow,
    /// The sum and its residue disagree.
    #[error(
        "the sum {solutions} leaves the remainder {found} modulo {RESIDUE_MODULUS}, but the \
         residue accumulated beside it is {residue}: this is a bug in this program or broken \
         hardware"
    )]
    Residue {
        /// The sum.
        solutions: u128,
        /// Its remainder.
        found: u64,
        /// The residue that was accumulated.
        residue: u64,
    },
}

impl Tally {
    /// No task finished.
    pub const ZERO: Tally = Tally {
        tasks: 0,
        solutions: 0,
        residue: 0,
    };

    /// Adds a finished task.
    ///
    /// # Errors
    /// [`TallyError::Overflow`] if the sum does not fit; the tally is unchanged then.
    pub fn add(&mut self, count: &Count) -> Result<(), TallyError> {
        self.merge(&Tally {
            tasks: 1,
            solutions: count.solutions,
            residue: count.residue,
        })
    }

    /// Adds the tally of other tasks.
    ///
    /// # Errors
    /// [`TallyError::Overflow`] if the sum does not fit; the tally is unchanged then.
    pub fn merge(&mut self, other: &Tally) -> Result<(), TallyError> {
        let tasks = self.tasks.checked_add(other.tasks);
        let solutions = self.solutions.checked_add(other.solutions);
        let (Some(tasks), Some(solutions)) = (tasks, solutions) else {
            return Err(TallyError::Overflow);
        };
        let residue =
            (self.residue % RESIDUE_MODULUS + other.residue % RESIDUE_MODULUS) % RESIDUE_MODULUS;
        *self = Tally {
            tasks,
            solutions,
            residue,
        };
        Ok(())
    }

    /// Holds the sum against its residue.
    ///
    /// # Errors
    /// [`TallyError::Residue`] if they disagree.
    pub fn check(&self) -> Result<(), TallyError> {
        let found = (self.solutions % u128::from(RESIDUE_MODULUS)) as u64;
        if found == self.residue {
            Ok(())
        } else {
            Err(TallyError::Residue {
                solutions: self.solutions,
                found,
                residue: self.residue,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::TaskError;

    #[test]
    fn a_wrong_sum_or_residue_is_seen() {
        let mut count = Count::ZERO;
        for solutions in [92, u64::MAX, RESIDUE_MODULUS, 0] {
            count.add(8, solutions).unwrap();
        }
        let mut tally = Tally::ZERO;
        tally.add(&count).unwrap();
        assert_eq!(tally.check(), Ok(()));
        for bit in 0..72 {
            let wrong = Tally {
                solutions: tally.solutions ^ (1 << bit),
                ..tally
            };
            assert!(wrong.check().is_err(), "bit {bit}");
        }
        assert!(
            Tally {
                residue: tally.residue ^ 1,
                ..tally
            }
            .check()
            .is_err()
        );
    }

    #[test]
    fn overflow_is_an_error_and_changes_nothing() {
        let huge = Tally {
            tasks: 1,
            solutions: u128::MAX,
            residue: 0,
        };
        let mut tally = Tally {
            tasks: 1,
            solutions: 1,
            residue: 1,
        };
        assert_eq!(tally.merge(&huge), Err(TallyError::Overflow));
        assert_eq!(
            tally,
            Tally {
                tasks: 1,
                solutions: 1,
                residue: 1
            }
        );
        let mut count = Count {
            solutions: u128::MAX,
            residue: 0,
        };
        assert_eq!(count.add(1, 1), Err(TaskError::Overflow));
    }
}
