//! The join: counting half boards against half boards.
//!
//! **Even n = 2k.** The board is cut between its middle rows. A solution has some set S of k columns
//! above the line and the others, T, below. With P(S) the masks of all ways to fill a half on S (see
//! [`halves`]), and swap trading the two groups of bits,
//!
//! ```text
//! all(n) = sum over S of |{ (x, y) : x in P(S), y in swap P(T), x & y == 0 }|.
//! ```
//!
//! **Odd n = 2k + 1.** The middle row is the line, its queen on column m; a half must not have the
//! diagonals through that square, and S, T, {m} share out the columns.
//!
//! The symmetry that is left out and the weights that stand for it are explained where they are
//! used, in `Join::even` and `Join::odd`. Pairs are counted by [`disjoint`].

pub mod columns;
pub mod disjoint;
pub mod halves;
mod kept;
mod pages;
mod quarters;
mod streamed;
mod work;

use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use super::{Cancel, Method, MethodError, MethodName, TaskError, shuffled};
use crate::board::Size;
use crate::method::count::Count;
use columns::{binomial, mirror, next, unrank};
pub use disjoint::Kernel;
use disjoint::Operations;
use halves::{Halves, Rule};
use streamed::Job;
use work::{Found, Half, Workspace};

/// Choices that change how a set is joined, and never what is counted: for double checks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// First rows that a group of sliced masks has in common.
    pub depth: Option<u32>,
    /// First rows that walked masks have in common.
    pub chunk: Option<u32>,
    /// Rows of a half that are not in its outer quarter.
    pub inner: Option<u32>,
}

impl Options {
    /// Another number of first rows in common than the usual one for this board.
    pub fn other_depth(size: Size) -> Options {
        let (depth, _) = shape(size.get());
        let other = if depth < 2 { depth + 1 } else { depth - 1 };
        Options {
            depth: Some(other),
            ..Options::default()
        }
    }
}

/// The method, for one board size.
pub struct Join {
    n: u32,
    kernel: Kernel,
    operations: &'static Operations,
    halves: Halves,
    depth: u32,
    chunk: u32,
    /// A set's lists are kept whole.
    kept: bool,
    // Boxed, so that taking one from the pool moves a pointer.
    #[allow(clippy::vec_box)]
    pool: Mutex<Vec<Box<Workspace>>>,
}

impl Join {
    /// The board sizes it can count: smaller boards cannot be cut so, and larger ones are out of
    /// reach.
    pub const SIZES: RangeInclusive<u32> = 4..=28;

    /// The join on boards of this size, by a kernel that this machine must have.
    ///
    /// # Errors
    /// [`MethodError`] if the size is none of [`Join::SIZES`] or the machine lacks the kernel.
    pub fn new(size: Size, kernel: Kernel, options: Options) -> Result<Join, MethodError> {
        let n = size.get();
        if !Self::SIZES.contains(&n) {
            return Err(MethodError::Size {
                method: MethodName::Join,
                n,
                sizes: Self::SIZES,
            });
        }
        let operations = kernel.operations().ok_or(MethodError::Kernel(kernel))?;
        Ok(Join::with_operations(n, kernel, operations, options))
    }

    fn with_operations(
        n: u32,
        kernel: Kernel,
        operations: &'static Operations,
        options: Options,
    ) -> Join {
        let halves = Halves::new(n, options.inner, operations);
        let (depth, chunk) = shape(n);
        let depth = options.depth.unwrap_or(depth).min(halves.inner());
        let chunk = options.chunk.unwrap_or(chunk).min(halves.inner());
        let kept = n <= Halves::SPREAD && depth.max(chunk) <= halves.spread_rows() && chunk <= 1;
        let pool = Mutex::default();
        Join {
            n,
            kernel,
            operations,
            halves,
            depth,
            chunk,
            kept,
            pool,
        }
    }

    /// The column sets that the tasks go through, numbered by rank. Even boards: the sets without
    /// the last column, for of a set and its complement one is enough. Odd ones: the sets of all
    /// columns but the middle one.
    fn sets(&self) -> u64 {
        binomial(self.n - 1, self.n / 2)
    }

    /// Column sets of a task: few enough that from n = 17 on there are over a thousand tasks and none
    /// is over 1/500 of the work, many because sets with columns in common have outer lists in
    /// common, which are in the caches then.
    fn sets_per_task(&self) -> u64 {
        if self.n < 24 {
            (self.sets() / 2500).max(4)
        } else {
            1
        }
    }

    fn count_set(
        &self,
        set: u32,
        work: &mut Workspace,
        count: &mut Count,
        cancel: &Cancel,
    ) -> Result<(), TaskError> {
        if self.n.is_multiple_of(2) {
            self.even(set, work, count, cancel)
        } else {
            self.odd(set, work, count, cancel)
        }
    }

    /// The solutions that stand or fall with one set, S above the line and T below:
    ///
    /// Mirroring the board maps S to its mirror image, turning it upside down exchanges S and T, so
    /// up to four sets have the same number of solutions; the smallest is taken for all.
    ///
    /// Further, each of the two long diagonals holds at most one queen, and reflecting the board in
    /// the *other* long diagonal moves it to the other half (and to another set). So every solution
    /// is, up to that, one whose upper half x is free of both. Let N, O, B be the pairs (x in P(S)
    /// free of both, any y in P(T)) in which y has none, one and both of them. Over all S, pairs
    /// with a queen on just one long diagonal, in the upper or the lower half, are 2 O; pairs with
    /// one on each, in four arrangements, 4 B; and pairs with none are N:
    ///
    /// ```text
    /// all(n) = sum over all S of N + 2 O + 4 B.
    /// ```
    ///
    /// N does not change under mirroring or turning, so it is taken once for the up to four sets,
    /// `orbit` times. O and B do not change under mirroring, but x and y are not alike: they are
    /// taken for S above and for T above, `own` times each; where T is S mirrored the two are one,
    /// and it is taken once.
    fn even(
        &self,
        set: u32,
        work: &mut Workspace,
        count: &mut Count,
        cancel: &Cancel,
    ) -> Result<(), TaskError> {
        let n = self.n;
        let other = ((1u32 << n) - 1) & !set;
        let (reverse, opposite) = (mirror(set, n), mirror(other, n));
        if set > reverse || set > opposite {
            return Ok(());
        }
        let own = if set == reverse { 1 } else { 2 };
        let orbit = if set == reverse || set == opposite {
            2
        } else {
            4
        };
        let weights = [orbit, 2 * own, 4 * own];
        // Both long diagonals have the same number, halfway along the line.
        let rising = 1u64 << (n / 2 - 1);
        let long = [rising, rising << 32];
        let both_ways = set != opposite;
        if self.kept {
            self.keep(set, long, 0, work);
            self.keep(other, long, 1, work);
            self.walk_kept(0, work);
            let found = self.join_kept(1, 0, work, cancel)?;
            add(count, found.0[0], weights, set == reverse)?;
            if both_ways {
                self.walk_kept(1, work);
                let found = self.join_kept(0, 1, work, cancel)?;
                add(count, found.0[0], weights, set == reverse)?;
            }
            return Ok(());
        }
        for (above, below, from_class) in [(set, other, 0), (other, set, 1)]
            .into_iter()
            .take(1 + usize::from(both_ways))
        {
            let rule = Rule {
                forbid: long[0] | long[1],
                late: 0,
            };
            let free = Half {
                columns: above,
                rule,
                with: 0,
                list: 0,
            };
            let any = Half {
                columns: below,
                rule: Rule::default(),
                with: 0,
                list: 0,
            };
            let job = Job {
                sliced: any,
                classes: long,
                from_class,
                walked: &[free],
            };
            let Found(found) = self.stream(&job, work, cancel)?;
            add(count, found[0], weights, set == reverse)?;
        }
        Ok(())
    }

    /// The solutions that stand or fall with one set S above the middle row, which must not have the
    /// middle column k (`packed` is S with that column taken out).
    ///
    /// Let the middle row's queen stand in column k + u, the middle column's in row k + v. Either
    /// they are one queen in the centre, or u and v are not 0 and differ in size (one queen would
    /// attack the other along a diagonal), and the board's eight symmetries change the signs of u
    /// and v and exchange them at will. So
    ///
    /// ```text
    /// all(n) = centre + 8 · (those with 0 < u < v).
    /// ```
    ///
    /// With v > 0 the middle column's queen is below, v rows from the middle row: the set above is
    /// any without columns k and k + u, with weight 8 and no symmetry left. The lower halves of all u
    /// are walked against one list of upper ones, each with the diagonals of the middle row's queen
    /// added, so that it meets the upper halves that have one of them. With the queen in the centre, mirroring
    /// and turning give up to four sets with the same number; the smallest is taken for all.
    fn odd(
        &self,
        packed: u32,
        work: &mut Workspace,
        count: &mut Count,
        cancel: &Cancel,
    ) -> Result<(), TaskError> {
        let (n, k) = (self.n, self.n / 2);
        let low = (1u32 << k) - 1;
        let set = packed & low | (packed & !low) << 1;
        let rest = ((1u32 << n) - 1) & !set;
        // Row v - 1 of the half has the queen, so v > u means that the first u rows do not.
        let below = |column: u32, late: u32, list: usize| {
            let square = 1u64 << column | 1u64 << (32 + column);
            Half {
                columns: rest & !(1 << column),
                rule: Rule {
                    forbid: square,
                    late,
                },
                with: square,
                list,
            }
        };
        let aside = |u: &u32| rest >> (k + u) & 1 == 1;
        let mut walked: Vec<_> = (1..k).filter(aside).map(|u| below(k + u, u, 0)).collect();
        let centre = below(k, 0, 1);
        let (reverse, other, opposite) =
            (mirror(set, n), centre.columns, mirror(centre.columns, n));
        let mut weight = 0;
        if set <= reverse && set <= other && set <= opposite {
            weight = if set == reverse || set == opposite {
                2
            } else {
                4
            };
            walked.push(centre);
        }
        let above = Half {
            columns: set,
            rule: Rule::default(),
            with: 0,
            list: 0,
        };
        let mut counts = [(0, 0); 3];
        if self.kept {
            self.keep(set, [0; 2], 0, work);
            self.walk_halves(&walked, rest, work);
            let Found(found) = self.join_kept(0, 0, work, cancel)?;
            (counts[0], counts[1]) = (found[0][0], found[1][0]);
        } else {
            let job = Job {
                sliced: above,
                classes: [0; 2],
                from_class: 0,
                walked: &walked,
            };
            let Found(found) = self.stream(&job, work, cancel)?;
            (counts[0], counts[1]) = (found[0][0], found[1][0]);
        }
        add(count, [counts[0]], [8], false)?;
        add(count, [counts[1]], [weight], set == reverse)
    }
}

impl Method for Join {
    fn name(&self) -> &'static str {
        MethodName::Join.name()
    }

    fn scheme(&self) -> u32 {
        2
    }

    fn kernel(&self) -> &'static str {
        self.kernel.name()
    }

    fn tasks(&self) -> u64 {
        self.sets().div_ceil(self.sets_per_task())
    }

    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
        let pool = || self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let mut work = pool().pop().unwrap_or_default();
        let first = shuffled(task, self.tasks()) * self.sets_per_task();
        let last = (first + self.sets_per_task()).min(self.sets());
        let mut set = unrank(first, self.n / 2);
        let mut count = Count::ZERO;
        for rank in first..last {
            cancel.check()?;
            self.count_set(set, &mut work, &mut count, cancel)?;
            if rank + 1 < last {
                set = next(set);
            }
        }
        pool().push(work);
        Ok(count)
    }
}

/// The rows that sliced and walked masks have in common, for a board size: found by measuring.
/// More rows prune more, but a group should fill its 512 lanes.
fn shape(n: u32) -> (u32, u32) {
    match n {
        0..=16 => (0, 0),
        17..=19 => (1, 0),
        20..=21 => (2, 0),
        22..=23 => (2, 1),
        24 => (3, 1),
        25..=26 => (4, 1),
        _ => (4, 2),
    }
}

/// Adds pairs and their check, class by class, `weight` times.
///
/// `own_mirror`: mirroring maps the boards counted onto each other and none onto itself, so that
/// their number must be even.
fn add<const CLASSES: usize>(
    count: &mut Count,
    found: [(u64, u64); CLASSES],
    weights: [u64; CLASSES],
    own_mirror: bool,
) -> Result<(), TaskError> {
    for ((pairs, check), weight) in found.into_iter().zip(weights) {
        if own_mirror && !pairs.is_multiple_of(2) {
            let what = format!("{pairs} boards whose mirror images are among them");
            return Err(TaskError::Inconsistent(what));
        }
        count.add_apart(weight, pairs, check)?;
    }
    Ok(())
}

#[cfg(test)]
mod set_tests;
#[cfg(test)]
mod tests;
