//! How the significant bits of a mask are dealt to the tables.
//!
//! The bits, in ascending order, are cut into runs of nearly equal number, one a table. A mask's
//! *address* is the place of its bits in each table: 16-bit byte offsets, four in a word, `subset << 6` (an entry is 64 bytes). Gathering scattered bits into such a word is a
//! *shuffle of windows*: each byte of the result takes eight consecutive bits from anywhere in the
//! mask and keeps some; a few such passes, OR-ed, give any address, since the significant bits lie
//! in few runs.

use super::TABLES;

/// Byte offsets are subsets of a table's bits times the size of an entry, 2^6 bytes.
const ENTRY: usize = 6;

/// Bits that four tables are enough for: a load less is worth more than tables that fit the nearest
/// cache, but larger tables take too long to fill.
const FEW: usize = 29;
/// Bits a table has at most where there are more than four, if eight are enough so.
const NARROW: usize = 7;

/// One pass of a gathering: result byte i takes the 8 bits of the mask that begin, cyclically, at
/// bit `from` byte i, and keeps those in `keep` byte i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    pub from: u64,
    pub keep: u64,
}

/// A gathering of bits: its passes OR-ed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gather {
    passes: [Pass; 8],
    len: usize,
}

impl Gather {
    pub fn passes(&self) -> &[Pass] {
        &self.passes[..self.len]
    }

    /// The same without any special instruction: a mask turned left by so much, and of that the
    /// bits kept; the gathered word is all of them OR-ed.
    pub fn turns(&self) -> Vec<(u32, u64)> {
        let mut turns: Vec<(u32, u64)> = Vec::new();
        for (pass, byte) in self
            .passes()
            .iter()
            .flat_map(|pass| (0..64).step_by(8).map(move |byte| (pass, byte)))
        {
            let keep = pass.keep & 255 << byte;
            let turn = (byte as u32).wrapping_sub((pass.from >> byte) as u32) & 63;
            match turns.iter_mut().find(|(other, _)| *other == turn) {
                _ if keep == 0 => {}
                Some((_, kept)) => *kept |= keep,
                None => turns.push((turn, keep)),
            }
        }
        turns
    }

    /// Has result bit `to` taken from mask bit `from`.
    #[inline]
    fn add(&mut self, from: usize, to: usize) {
        let byte = to & !7;
        let window = (from.wrapping_sub(to & 7) & 63) as u64;
        // Each byte uses the passes in order, so those in use come first.
        for (i, pass) in self.passes.iter_mut().enumerate() {
            let used = pass.keep >> byte & 255 != 0;
            if !used || pass.from >> byte & 255 == window {
                pass.from |= window << byte;
                pass.keep |= 1 << to;
                self.len = self.len.max(i + 1);
                break;
            }
        }
    }
}

/// Gathers the bits of each mask, in place.
pub fn turn(masks: &mut [u64], gather: &Gather) {
    let turns = gather.turns();
    for mask in masks {
        *mask = turns.iter().fold(0, |word, &(turn, keep)| {
            word | mask.rotate_left(turn) & keep
        });
    }
}

/// The plan for one set of significant bits.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// The significant bits.
    pub bits: u64,
    /// Tables in use, 4 to 8, and the number of bits of each.
    pub(super) tables: usize,
    pub(super) widths: [usize; TABLES],
    /// The first four tables' offsets of a mask, and those of the others.
    pub(super) offsets: [Gather; 2],
    /// The bits of each four tables, one byte a table.
    pub(super) bytes: [Gather; 2],
    /// Where each of `offsets` has its bits.
    pub(super) places: [u64; 2],
}

impl Fields {
    /// Tables for masks of which only `bits` can matter.
    pub fn new(bits: u64) -> Fields {
        let count = bits.count_ones() as usize;
        let tables = if count > FEW {
            count.div_ceil(NARROW).min(TABLES)
        } else {
            4
        };
        let mut fields = Fields {
            bits,
            tables,
            widths: [0; TABLES],
            offsets: Default::default(),
            bytes: Default::default(),
            places: [0; 2],
        };
        let mut rest = bits;
        for t in 0..tables {
            fields.widths[t] = (count + t) / tables;
            for b in 0..fields.widths[t] {
                let from = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let to = 16 * (t % 4) + ENTRY + b;
                fields.offsets[t / 4].add(from, to);
                fields.places[t / 4] |= 1 << to;
                fields.bytes[t / 4].add(from, 8 * (t % 4) + b);
            }
        }
        fields
    }

    /// The words of an address.
    pub fn stride(&self) -> usize {
        self.tables.div_ceil(4)
    }
}

/// The plans last used: few sets of significant bits come again and again.
pub struct Plans(Vec<Fields>);

impl Default for Plans {
    fn default() -> Self {
        Plans(vec![Fields::new(0); 256])
    }
}

impl Plans {
    /// The plan for these bits, made anew if it is not at hand.
    pub fn get(&mut self, bits: u64) -> &Fields {
        let slot = &mut self.0[(bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize];
        if slot.bits != bits {
            *slot = Fields::new(bits);
        }
        slot
    }
}
