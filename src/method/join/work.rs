//! What both ways of joining a set share: the buffers, and the last step, a group of sliced masks
//! against the walked masks that its common rows leave.

use super::Join;
use super::disjoint::{Addresses, Block, Choice, Fields, Plans, WORDS, Word};
use super::halves::{Rule, Scratch};
use super::kept::{Segment, Side};
use crate::method::{Cancel, TaskError};

/// Half boards on a set of columns, to be walked or sliced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half {
    pub columns: u32,
    pub rule: Rule,
    /// Bits that every mask gets when walked, so that it meets sliced masks that have them.
    pub with: u64,
    /// Which list it is walked in.
    pub list: usize,
}

/// Up to three lists of masks: of walked ones, with a weight each, or the classes of sliced ones.
pub(super) type Lists = [Vec<u64>; 3];

/// Pairs of the masks of each walked list with each class, and the same from the kernels' other
/// accumulators. A set's pairs stay far below 2^64.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found(pub [[(u64, u64); 3]; 3]);

/// Groups of fewer sliced masks than this are merged with their siblings: a block of 512 lanes
/// costs the same however few are in use.
pub(super) const SMALL: usize = 256;

/// A thread's buffers.
#[derive(Default)]
pub(super) struct Workspace {
    /// Walked masks: level 0 all of them, level i those that the first i rows of the sliced group
    /// in hand leave.
    pub levels: Vec<Lists>,
    pub last: Last,
    /// For each number of common rows, the masks of groups too small to stand alone.
    pub small: Vec<Vec<u64>>,
    pub classes: Lists,
    pub scratch: Vec<u64>,
    // Kept sets:
    pub sides: [Side; 2],
    pub segments: Vec<Segment>,
    pub spread: Vec<Vec<u64>>,
    pub making: Scratch,
    // Streamed ones:
    pub group: Vec<u64>,
}

/// Buffers of the last step.
#[derive(Default)]
pub(super) struct Last {
    addresses: [Addresses; 3],
    block: Block,
    plans: Plans,
}

/// Sliced masks with common first rows.
pub(super) struct Sliced<'a> {
    /// The common rows' diagonals: walked masks that have any are left out.
    pub prefix: u64,
    /// The bits that can matter in the others.
    pub bits: u64,
    /// The masks, class by class, each class filled up to whole words, and the classes' lengths.
    pub masks: &'a [u64],
    pub lengths: [usize; 3],
    /// Classes before this one are skipped.
    pub from_class: usize,
}

/// The same diagonals seen from the other half.
pub(super) fn swap(mask: u64) -> u64 {
    mask.rotate_left(32)
}

/// All bits that any of the masks has.
pub(super) fn union(masks: &[u64]) -> u64 {
    masks.iter().fold(0, |bits, mask| bits | mask)
}

impl Join {
    /// Room for every number of common rows.
    pub(super) fn prepare(&self, work: &mut Workspace) {
        let levels = self.halves.inner() as usize + 1;
        work.levels.resize_with(levels, Lists::default);
        work.small.resize_with(levels, Vec::new);
    }

    /// Appends masks class by class, each class filled up to whole words, by how many of the bits
    /// `groups` they have; returns the classes' lengths.
    pub(super) fn append_classes(
        &self,
        masks: &[u64],
        groups: [u64; 2],
        classes: &mut Lists,
        out: &mut Vec<u64>,
    ) -> [usize; 3] {
        classes.iter_mut().for_each(Vec::clear);
        (self.operations.classify)(masks, groups, classes);
        for class in &*classes {
            out.extend_from_slice(class);
            out.resize(out.len().next_multiple_of(64), 0);
        }
        classes.each_ref().map(Vec::len)
    }

    /// Makes level `to` from the level before it, by leaving out the masks that have any of `avoid`.
    /// Says whether any are left.
    pub(super) fn sift(&self, levels: &mut [Lists], to: usize, avoid: u64) -> bool {
        let (from, to) = levels.split_at_mut(to);
        let (from, to) = (&from[from.len() - 1], &mut to[0]);
        for (from, to) in from.iter().zip(&mut *to) {
            to.clear();
            (self.operations.select)(from, Choice::without(avoid), to);
        }
        to.iter().any(|list| !list.is_empty())
    }

    /// Counts the disjoint pairs of walked and sliced masks.
    pub(super) fn join(
        &self,
        walked: &Lists,
        sliced: &Sliced,
        last: &mut Last,
        found: &mut Found,
        cancel: &Cancel,
    ) -> Result<(), TaskError> {
        let Last {
            addresses,
            block,
            plans,
        } = last;
        let fields = plans.get(sliced.bits);
        for (list, addresses) in walked.iter().zip(addresses.iter_mut()) {
            self.operations
                .addresses(list, sliced.prefix, fields, addresses);
        }
        if addresses.iter().all(Addresses::is_empty) {
            return Ok(());
        }
        let mut words: [(Word, u32); WORDS] = [(&[0; 64], 0); WORDS];
        let mut classes = [0; WORDS];
        let (mut filled, mut masks) = (0, sliced.masks);
        for (class, length) in sliced.lengths.into_iter().enumerate() {
            let mut left = length;
            while let Some((word, rest)) = masks.split_first_chunk().filter(|_| left > 0) {
                masks = rest;
                let there = left.min(64);
                left -= there;
                if class < sliced.from_class {
                    continue;
                }
                (words[filled], classes[filled]) = ((word, there as u32), class);
                filled += 1;
                if filled == WORDS {
                    cancel.check()?;
                    // The next block's masks come near while this one is walked.
                    (self.operations.fetch)(&masks[..masks.len().min(64 * WORDS)]);
                    self.walk(&words, &classes, fields, addresses, block, found);
                    filled = 0;
                }
            }
        }
        if filled > 0 {
            self.walk(&words[..filled], &classes, fields, addresses, block, found);
        }
        Ok(())
    }

    /// Slices a block and walks it.
    fn walk(
        &self,
        words: &[(Word, u32)],
        classes: &[usize; WORDS],
        fields: &Fields,
        addresses: &[Addresses; 3],
        block: &mut Block,
        found: &mut Found,
    ) {
        self.operations.block(words, fields, block);
        for (list, found) in addresses.iter().zip(&mut found.0) {
            if !list.is_empty() {
                let sums = self.operations.count(block, fields, list);
                for w in 0..words.len() {
                    let (pairs, check) = &mut found[classes[w]];
                    *pairs += sums.pairs[w];
                    *check += sums.check[w];
                }
            }
        }
    }
}
