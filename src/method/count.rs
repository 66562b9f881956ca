//! What a task's count is: the number of its solutions, and a second number to check it by.
//!
//! Every count carries the number of solutions twice: as a `u128`, and as a *residue* modulo
//! [`RESIDUE_MODULUS`] that is accumulated apart from it, from the smallest numbers on. A sum that
//! wraps, a lost carry or a flipped bit leaves the two in disagreement.

use super::TaskError;

/// The modulus of residues: the Mersenne prime 2^31 - 1.
///
/// A prime that is no power of two sees errors in every bit of a sum; below 2^32 the product
/// of two residues fits a `u64`, and every reader of JSON keeps it exactly.
pub const RESIDUE_MODULUS: u64 = (1 << 31) - 1;

/// The solutions one task stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of solutions, symmetry weight included.
    pub solutions: u128,
    /// The same number modulo [`RESIDUE_MODULUS`], accumulated apart.
    pub residue: u64,
}

impl Count {
    /// No solutions.
    pub const ZERO: Count = Count {
        solutions: 0,
        residue: 0,
    };

    /// Adds `weight` times the `solutions` of a part of the task.
    ///
    /// # Errors
    /// [`TaskError::Overflow`] if the sum does not fit.
    pub fn add(&mut self, weight: u64, solutions: u64) -> Result<(), TaskError> {
        self.add_apart(weight, solutions, solutions)
    }

    /// Adds `weight` times the `solutions` of a part of the task, which were counted a second time
    /// and found to be `check`: the residue is accumulated from that number.
    ///
    /// # Errors
    /// [`TaskError::Overflow`] if the sum does not fit.
    pub fn add_apart(&mut self, weight: u64, solutions: u64, check: u64) -> Result<(), TaskError> {
        self.solutions = u128::from(weight)
            .checked_mul(u128::from(solutions))
            .and_then(|weighted| self.solutions.checked_add(weighted))
            .ok_or(TaskError::Overflow)?;
        let weighted = (weight % RESIDUE_MODULUS) * (check % RESIDUE_MODULUS);
        self.residue = (self.residue + weighted) % RESIDUE_MODULUS;
        Ok(())
    }

    /// Whether the solutions and the residue agree.
    pub fn is_consistent(&self) -> bool {
        self.solutions % u128::from(RESIDUE_MODULUS) == u128::from(self.residue)
    }
}
