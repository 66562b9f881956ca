//! The loops in safe Rust, for any machine.

// An index that says which word or table it is reads better than a zip of three.
#![allow(clippy::needless_range_loop)]

use super::fields::turn;
use super::{Block, Choice, Fields, Operations, Slice, Sums, Target, WIDTH, WORDS, Word};

pub(super) static OPERATIONS: Operations = Operations {
    select,
    fetch: |_| (),
    spread,
    classify,
    address,
    slice,
    walk,
};

fn select(list: &[u64], choice: Choice, out: &mut Vec<u64>) {
    let start = out.len();
    out.resize(start + list.len(), 0);
    let slots = &mut out[start..];
    let mut taken = 0;
    // Written always and kept only if chosen: there is no branch to mispredict.
    for &mask in list {
        slots[taken] = mask & choice.keep | choice.with;
        taken += usize::from(mask & choice.avoid == 0);
    }
    out.truncate(start + taken);
}

fn spread(list: &[u64], keep: u64, targets: &[Target], out: &mut [Vec<u64>]) {
    for target in targets {
        select(list, target.choice(keep), &mut out[target.to as usize]);
    }
}

fn classify(list: &[u64], groups: [u64; 2], out: &mut [Vec<u64>; 3]) {
    for &mask in list {
        let class = usize::from(mask & groups[0] != 0) + usize::from(mask & groups[1] != 0);
        out[class].push(mask);
    }
}

fn address(list: &[u64], avoid: u64, fields: &Fields, out: &mut Vec<u64>) {
    select(list, Choice::without(avoid), out);
    if fields.stride() == 2 {
        out.extend_from_within(..);
    }
    let count = out.len() / fields.stride();
    for (half, words) in out.chunks_exact_mut(count.max(1)).enumerate() {
        turn(words, &fields.offsets[half]);
    }
}

/// Transposes a matrix of 64 x 64 bits.
fn transpose(rows: &mut [u64; 64]) {
    let (mut step, mut mask) = (32, 0xffff_ffffu64);
    while step != 0 {
        let mut i = 0;
        while i < 64 {
            let swap = (rows[i] >> step ^ rows[i | step]) & mask;
            rows[i] ^= swap << step;
            rows[i | step] ^= swap;
            i = ((i | step) + 1) & !step;
        }
        step /= 2;
        mask ^= mask << step;
    }
}

pub(super) fn slice(words: &[Word], alive: &Slice, fields: &Fields, block: &mut Block) {
    let mut has = [Slice([0; WORDS]); 64];
    for (word, masks) in words.iter().enumerate() {
        let mut rows: [u64; 64] = **masks;
        transpose(&mut rows);
        for (slice, row) in has.iter_mut().zip(rows) {
            slice.0[word] = row;
        }
    }
    let mut rest = fields.bits;
    for t in 0..fields.tables {
        let table = &mut block.tables[t << WIDTH..(t + 1) << WIDTH];
        table[0].0 = if t == 0 { alive.0 } else { [u64::MAX; WORDS] };
        for b in 0..fields.widths[t] {
            let slice = has[rest.trailing_zeros() as usize].0;
            rest &= rest - 1;
            let (done, new) = table.split_at_mut(1 << b);
            for (from, to) in done.iter().zip(&mut new[..1 << b]) {
                for w in 0..WORDS {
                    to.0[w] = from.0[w] & !slice[w];
                }
            }
        }
    }
}

/// The sum and carry of three bits each.
fn add(a: [u64; 2], b: [u64; 2], c: [u64; 2]) -> ([u64; 2], [u64; 2]) {
    let one = |i: usize| {
        let either = a[i] ^ b[i];
        (either ^ c[i], a[i] & b[i] | either & c[i])
    };
    let (low, high) = (one(0), one(1));
    ([low.0, high.0], [low.1, high.1])
}

fn ones(lanes: [u64; 2]) -> [u64; 2] {
    lanes.map(|word| u64::from(word.count_ones()))
}

/// Counts by carry-save addition: eight vectors of lanes are added up to one of eights, which is
/// the only one to be counted, so that a machine without a population count gets along.
fn walk(block: &Block, fields: &Fields, addresses: &[u64]) -> Sums {
    let mut sums = Sums {
        pairs: [0; WORDS],
        check: [0; WORDS],
    };
    let count = addresses.len() / fields.stride();
    let tables: &[[Slice; 1 << WIDTH]] = block.tables.as_chunks().0;
    for quarter in 0..WORDS / 2 {
        let entry = |address: u64, t: usize| {
            let subset = (address >> (16 * (t % 4) + 6)) as usize & ((1 << WIDTH) - 1);
            let words = &tables[t][subset].0;
            [words[2 * quarter], words[2 * quarter + 1]]
        };
        let whole = |i: usize| {
            let address = addresses[i];
            let all: [[u64; 2]; 4] = std::array::from_fn(|t| entry(address, t));
            let mut lanes = [
                all[0][0] & all[1][0] & all[2][0] & all[3][0],
                all[0][1] & all[1][1] & all[2][1] & all[3][1],
            ];
            for t in 4..fields.tables {
                let entry = entry(addresses[count + i], t);
                lanes = [lanes[0] & entry[0], lanes[1] & entry[1]];
            }
            lanes
        };
        let (mut one, mut two, mut four) = ([0; 2], [0; 2], [0; 2]);
        let (mut eights, mut parity) = ([0; 2], [0; 2]);
        let mut i = 0;
        while i + 8 <= count {
            let v: [[u64; 2]; 8] = std::array::from_fn(|j| whole(i + j));
            for v in v {
                parity = [parity[0] ^ v[0], parity[1] ^ v[1]];
            }
            let (o, a) = add(one, v[0], v[1]);
            let (o, b) = add(o, v[2], v[3]);
            let (t, c) = add(two, a, b);
            let (o, a) = add(o, v[4], v[5]);
            let (o, b) = add(o, v[6], v[7]);
            let (t, d) = add(t, a, b);
            let (f, eight) = add(four, c, d);
            (one, two, four) = (o, t, f);
            let eight = ones(eight);
            eights = [eights[0] + eight[0], eights[1] + eight[1]];
            i += 8;
        }
        // The check sums the rest on its own, and takes its parity from the vectors themselves.
        let (mut rest, mut check) = ([0; 2], [0; 2]);
        for i in i..count {
            let v = whole(i);
            let counted = ones(v);
            for w in 0..2 {
                rest[w] += counted[w];
                check[w] += counted[w];
                parity[w] ^= v[w];
            }
        }
        let (one, two, four, parity) = (ones(one), ones(two), ones(four), ones(parity));
        for w in 0..2 {
            let word = 2 * quarter + w;
            sums.pairs[word] = 8 * eights[w] + 4 * four[w] + 2 * two[w] + one[w] + rest[w];
            check[w] += 8 * eights[w] + 4 * four[w] + 2 * two[w] + one[w];
            sums.check[word] = check[w] & !1 | parity[w] & 1;
        }
    }
    sums
}
