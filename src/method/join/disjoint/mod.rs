//! Counting disjoint pairs of two lists of 64-bit masks.
//!
//! For a list of *sliced* masks y and a list of *walked* masks x, counts the pairs with
//! `x & y == 0`, one count for each class of the sliced list. 512 sliced masks at a time make a
//! [`Block`]: for each bit, a slice of 512 lanes says which of them lack the bit. A walked mask is
//! disjoint from the lanes in the AND of the slices of its bits, so
//!
//! ```text
//! pairs = sum over x of popcount(AND over the bits b of x: lacks[b]).
//! ```
//!
//! The bits are dealt to four tables (more where there are many bits), each of which holds the
//! AND for every subset of its bits. Then a walked mask costs four loads, three ANDs and the
//! counting of 512 bits for 512 pairs. Where in the tables to load is worked out once for a walked
//! mask, by [`Operations::addresses`], and used for any number of blocks.
//!
//! Nothing here knows of queens.

#[cfg(queens_x86_kernels)]
mod avx2;
#[cfg(queens_x86_kernels)]
mod avx512;
mod fields;
mod portable;

use std::fmt;

pub use fields::{Fields, Plans};

/// Sliced masks in a block.
pub const LANES: usize = 512;
/// 64-bit words of a slice. All lanes of a word belong to one class.
pub const WORDS: usize = LANES / 64;
/// Bits a table can hold at most.
const WIDTH: usize = 8;
/// Bytes of a table.
#[cfg(queens_x86_kernels)]
const TABLE: usize = size_of::<Slice>() << WIDTH;
/// Tables at most, enough for 64 bits.
const TABLES: usize = 8;

/// The 64 masks of a word, all of them in one class.
pub type Word<'a> = &'a [u64; 64];

/// One slice: a bit for each lane.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Slice([u64; WORDS]);

/// Up to 512 sliced masks, in tables.
pub struct Block {
    /// Table t holds entries t << WIDTH .. (t + 1) << WIDTH, as many as it has subsets.
    tables: Box<[Slice]>,
    /// Scratch of the slicing, laid out as each kernel likes.
    #[cfg_attr(not(queens_x86_kernels), allow(dead_code))]
    words: Box<[Slice]>,
}

impl Default for Block {
    fn default() -> Self {
        Block {
            tables: vec![Slice([0; WORDS]); TABLES << WIDTH].into(),
            words: vec![Slice([0; WORDS]); TABLES * WORDS].into(),
        }
    }
}

/// What a walk over a block found, word by word: the pairs counted by population counts, and
/// the same number from accumulators of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// The population counts, summed.
    pub pairs: [u64; WORDS],
    /// The same from accumulators of its own, wherever a kernel adds words; and the lowest bit is
    /// not from the population counts at all: it is the parity of the exclusive-or of all the
    /// vectors counted.
    pub check: [u64; WORDS],
}

/// Which masks of a list to take, and how to change them.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Masks that have any of these bits are left out.
    pub avoid: u64,
    /// Of the others these bits are kept...
    pub keep: u64,
    /// ...and these added.
    pub with: u64,
}

impl Choice {
    /// Masks that have none of these bits, as they are.
    pub fn without(avoid: u64) -> Choice {
        Choice {
            avoid,
            keep: u64::MAX,
            with: 0,
        }
    }
}

/// Where masks of a list go, how changed: those without `avoid`, with `with` added, to a numbered list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target {
    /// Masks that have any of these bits are left out.
    pub avoid: u64,
    /// These bits are added to the others.
    pub with: u64,
    /// The number of the list.
    pub to: u32,
}

impl Target {
    /// What is taken for it, with these bits of each mask.
    fn choice(&self, keep: u64) -> Choice {
        Choice {
            avoid: self.avoid,
            keep,
            with: self.with,
        }
    }
}

/// Where in the tables of a block the bits of walked masks lead. Only [`Operations::addresses`]
/// makes them, so they never lead out of a table.
#[derive(Default)]
pub struct Addresses(Vec<u64>);

impl Addresses {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One implementation of the inner loops.
#[derive(Clone, Copy)]
pub struct Operations {
    /// Appends the chosen masks of a list.
    pub select: fn(list: &[u64], choice: Choice, out: &mut Vec<u64>),
    /// Has a list brought near, for it will soon be read.
    pub fetch: fn(list: &[u64]),
    /// Appends the chosen masks of a list, `keep` of each, for each target to its list, in any order.
    #[allow(clippy::type_complexity)]
    pub spread: fn(list: &[u64], keep: u64, targets: &[Target], out: &mut [Vec<u64>]),
    /// Appends each mask of a list to `out[c]`, c = how many of the two bit groups they meet.
    pub classify: fn(list: &[u64], groups: [u64; 2], out: &mut [Vec<u64>; 3]),
    /// The addresses of the masks of a list that have none of the bits `avoid`: their first words,
    /// then, of more than four tables, their second ones. There is nothing in `out` before.
    pub(super) address: fn(list: &[u64], avoid: u64, fields: &Fields, out: &mut Vec<u64>),
    /// Fills the tables of a block for up to 512 masks, of which only those in `alive` are there.
    pub(super) slice: fn(words: &[Word], alive: &Slice, fields: &Fields, block: &mut Block),
    /// Counts the pairs of the addressed masks with a block's, at most 2^54 of them.
    pub(super) walk: fn(block: &Block, fields: &Fields, addresses: &[u64]) -> Sums,
}

/// The implementations there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Plain Rust, on any machine.
    Portable,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors, with population counts and bit-matrix products on them.
    Avx512,
}

impl Kernel {
    /// From the slowest to the fastest.
    pub const ALL: [Kernel; 3] = [Kernel::Portable, Kernel::Avx2, Kernel::Avx512];

    /// The name, as the command line takes it.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            Kernel::Avx2 => "avx2",
            Kernel::Avx512 => "avx512",
        }
    }

    /// The names of those that this machine can run.
    pub fn here() -> Vec<&'static str> {
        let here = Self::ALL
            .into_iter()
            .filter(|kernel| kernel.operations().is_some());
        here.map(Kernel::name).collect()
    }

    /// The fastest that this machine can run.
    pub fn best() -> Kernel {
        *Self::ALL
            .iter()
            .rfind(|kernel| kernel.operations().is_some())
            .expect("portable is always there")
    }

    /// The loops, if this machine can run them.
    pub fn operations(self) -> Option<&'static Operations> {
        match self {
            Kernel::Portable => Some(&portable::OPERATIONS),
            #[cfg(queens_x86_kernels)]
            Kernel::Avx2 => avx2::operations(),
            #[cfg(queens_x86_kernels)]
            Kernel::Avx512 => avx512::operations(),
            #[cfg(not(queens_x86_kernels))]
            _ => None,
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Operations {
    /// Addresses of those masks of a list that have none of the bits `avoid`, in place of what is in `out`.
    pub fn addresses(&self, list: &[u64], avoid: u64, fields: &Fields, out: &mut Addresses) {
        out.0.clear();
        (self.address)(list, avoid, fields, &mut out.0);
    }

    /// Slices up to 8 words of masks, of which the first so many are there.
    pub fn block(&self, words: &[(Word, u32)], fields: &Fields, block: &mut Block) {
        let (mut masks, mut alive) = ([&[0; 64]; WORDS], Slice([0; WORDS]));
        for (w, &(word, there)) in words.iter().enumerate() {
            masks[w] = word;
            alive.0[w] = if there >= 64 {
                u64::MAX
            } else {
                (1 << there) - 1
            };
        }
        (self.slice)(&masks[..words.len()], &alive, fields, block);
    }

    /// Counts the pairs of addressed masks and a block.
    pub fn count(&self, block: &Block, fields: &Fields, addresses: &Addresses) -> Sums {
        (self.walk)(block, fields, &addresses.0)
    }

    /// Pairs of `walked` with each class of `sliced` that are disjoint: the module in one call.
    pub fn disjoint(&self, walked: &[u64], sliced: &[&[u64]]) -> Vec<(u64, u64)> {
        let either = |list: &[u64]| list.iter().fold(0, |all, mask| all | mask);
        let fields =
            Fields::new(either(walked) & sliced.iter().fold(0, |all, list| all | either(list)));
        let mut addresses = Addresses::default();
        self.addresses(walked, 0, &fields, &mut addresses);
        let mut block = Block::default();
        let mut totals = vec![(0, 0); sliced.len()];
        let words: Vec<_> = sliced
            .iter()
            .enumerate()
            .flat_map(|(class, list)| list.chunks(64).map(move |word| (class, word)))
            .map(|(class, word)| {
                let mut full = [0; 64];
                full[..word.len()].copy_from_slice(word);
                (class, full, word.len() as u32)
            })
            .collect();
        for group in words.chunks(WORDS) {
            let masks: Vec<_> = group
                .iter()
                .map(|(_, word, there)| (word, *there))
                .collect();
            self.block(&masks, &fields, &mut block);
            let sums = self.count(&block, &fields, &addresses);
            for (w, (class, _, _)) in group.iter().enumerate() {
                totals[*class].0 += sums.pairs[w];
                totals[*class].1 += sums.check[w];
            }
        }
        totals
    }
}
