//! Blocks with AVX-512. Slicing: the significant bits of 16 masks at a time are gathered as bytes,
//! one a table; bytes are dealt by table, 8 x 8 bits transposed by one Galois-field multiplication
//! with a unit matrix, 64-bit words transposed by shuffles. Walking: a load a table, ANDed three at a
//! time, and a population count for each walked mask.
//!
//! # Safety
//!
//! As for the module above: only where the features are there.

// An index that says which word or table it is reads better than a zip of three.
#![allow(clippy::needless_range_loop)]

use std::arch::x86_64::*;

use super::super::{Block, Fields, Slice, Sums, TABLE, WIDTH, WORDS, Word, portable};
use super::lists::{broadcast, gather};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) unsafe fn slice_avx512(
    masks: &[Word],
    alive: &Slice,
    fields: &Fields,
    block: &mut Block,
) {
    // SAFETY: features as for this function.
    unsafe {
        for half in 0..fields.stride() {
            match fields.bytes[half].passes().len() {
                0 | 1 => slice_passes::<1>(masks, alive, fields, half, block),
                2 => slice_passes::<2>(masks, alive, fields, half, block),
                3 => slice_passes::<3>(masks, alive, fields, half, block),
                4 => slice_passes::<4>(masks, alive, fields, half, block),
                _ => return portable::slice(masks, alive, fields, block),
            }
        }
    }
}

/// Bytes of 8 words, each the four tables' bytes of two masks: table by table, the first masks
/// in reverse, then the second ones.
const DEAL: [u8; 64] = {
    let mut deal = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (table, second, lane) = (i / 16, i / 8 % 2, 7 - i % 8);
        deal[i] = (8 * lane + 4 * second + table) as u8;
        i += 1;
    }
    deal
};
/// Byte b of each of 8 words, for b = 0..8.
const COLLECT: [u8; 64] = {
    let mut collect = [0; 64];
    let mut i = 0;
    while i < 64 {
        collect[i] = (8 * (i % 8) + i / 8) as u8;
        i += 1;
    }
    collect
};

/// The 4 x 4 transpose of the registers' quarters.
#[inline]
#[target_feature(enable = "avx512f")]
fn quarters(z: [__m512i; 4]) -> [__m512i; 4] {
    let a = _mm512_shuffle_i64x2::<0x44>(z[0], z[1]);
    let b = _mm512_shuffle_i64x2::<0xee>(z[0], z[1]);
    let c = _mm512_shuffle_i64x2::<0x44>(z[2], z[3]);
    let d = _mm512_shuffle_i64x2::<0xee>(z[2], z[3]);
    [
        _mm512_shuffle_i64x2::<0x88>(a, c),
        _mm512_shuffle_i64x2::<0xdd>(a, c),
        _mm512_shuffle_i64x2::<0x88>(b, d),
        _mm512_shuffle_i64x2::<0xdd>(b, d),
    ]
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
unsafe fn slice_passes<const N: usize>(
    masks: &[Word],
    alive: &Slice,
    fields: &Fields,
    half: usize,
    block: &mut Block,
) {
    // SAFETY: all loads and stores are of whole elements of the arrays; their lengths are fixed.
    unsafe {
        let first = broadcast(fields.bytes[half].passes(), 0);
        let second = broadcast(fields.bytes[half].passes(), 32);
        let deal = _mm512_loadu_si512(DEAL.as_ptr().cast());
        let collect = _mm512_loadu_si512(COLLECT.as_ptr().cast());
        let tables = (fields.tables - 4 * half).min(4);
        let unit = _mm512_set1_epi64(0x8040_2010_0804_0201u64 as i64);
        let words: *mut __m512i = block.words.as_mut_ptr().cast();
        // Words that are not there keep lanes of an earlier block, none of them alive.
        for word in 0..masks.len() {
            // Of 16 masks at a time, the tables' bytes; then of all 64, each table's.
            let mut z = [_mm512_setzero_si512(); 4];
            for h in 0..4 {
                let at = masks[word].as_ptr().add(16 * h);
                let a = gather::<N>(_mm512_loadu_si512(at.cast()), &first);
                let b = gather::<N>(_mm512_loadu_si512(at.add(8).cast()), &second);
                z[h] = _mm512_permutexvar_epi8(deal, _mm512_or_si512(a, b));
            }
            let z = quarters(z);
            for t in 0..tables {
                // Transposes each 8 x 8 bits: byte b of a word is bit b of its 8 masks (which the
                // instruction reads backwards, hence the reversal above).
                let bits = _mm512_gf2p8affine_epi64_epi8::<0>(unit, z[t]);
                _mm512_store_si512(
                    words.add(WORDS * t + word),
                    _mm512_permutexvar_epi8(collect, bits),
                );
            }
        }
        for t in 0..tables {
            let (mut even, mut odd) = ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
            for i in 0..4 {
                let a = _mm512_load_si512(words.add(WORDS * t + 2 * i));
                let b = _mm512_load_si512(words.add(WORDS * t + 2 * i + 1));
                (even[i], odd[i]) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
            }
            let (even, odd) = (quarters(even), quarters(odd));
            let table: *mut __m512i = block
                .tables
                .as_mut_ptr()
                .add((4 * half + t) << WIDTH)
                .cast();
            let all = if half == 0 && t == 0 {
                _mm512_load_si512(alive.0.as_ptr().cast())
            } else {
                _mm512_set1_epi64(-1)
            };
            _mm512_store_si512(table, all);
            for b in 0..fields.widths[4 * half + t] {
                let slice = if b % 2 == 0 { even[b / 2] } else { odd[b / 2] };
                let new = table.add(1 << b);
                for s in 0..1 << b {
                    _mm512_store_si512(
                        new.add(s),
                        _mm512_andnot_si512(slice, _mm512_load_si512(table.add(s))),
                    );
                }
            }
        }
    }
}

/// Pair counts so far, by word.
#[derive(Clone, Copy)]
struct Accumulators {
    pairs: __m512i,
    check: __m512i,
    parity: __m512i,
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn finish(sums: Accumulators) -> Sums {
    let mut out = Sums {
        pairs: [0; WORDS],
        check: [0; WORDS],
    };
    let one = _mm512_set1_epi64(1);
    // Bit 0 from the parity, the others from the sum: (one & parity) | (!one & check)
    let check =
        _mm512_ternarylogic_epi64::<0xca>(one, _mm512_popcnt_epi64(sums.parity), sums.check);
    // SAFETY: both arrays are 64 bytes.
    unsafe {
        _mm512_storeu_si512(out.pairs.as_mut_ptr().cast(), sums.pairs);
        _mm512_storeu_si512(out.check.as_mut_ptr().cast(), check);
    }
    out
}

/// The addresses walked, and the tables they lead to.
#[derive(Clone, Copy)]
struct Road {
    base: *const u8,
    addresses: *const u64,
    count: usize,
}

/// The lanes of T tables, 4 to 8, at the offsets of an address.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn lanes<const T: usize>(road: Road, i: usize) -> __m512i {
    // SAFETY: `i` is below the count; an address has offsets below TABLE, multiples of 64, four in
    // each of its words (`Fields::new`).
    unsafe {
        let load = |t: usize| {
            let word = road.addresses.add(t / 4 * road.count + i);
            // Small loads are cheaper than one and shifts.
            let offset = word.cast::<u16>().add(t % 4).read_volatile();
            _mm512_load_si512(road.base.add(offset as usize + t * TABLE).cast())
        };
        let first = _mm512_ternarylogic_epi64::<0x80>(load(0), load(1), load(2));
        match T {
            4 => _mm512_and_si512(first, load(3)),
            5 => _mm512_ternarylogic_epi64::<0x80>(first, load(3), load(4)),
            _ => {
                let mut all = _mm512_ternarylogic_epi64::<0x80>(first, load(3), load(4));
                for t in 5..T {
                    all = _mm512_and_si512(all, load(t));
                }
                all
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) unsafe fn walk_avx512<const T: usize>(block: &Block, addresses: &[u64]) -> Sums {
    let road = Road {
        base: block.tables.as_ptr().cast(),
        addresses: addresses.as_ptr(),
        count: addresses.len() / T.div_ceil(4),
    };
    let zero = _mm512_setzero_si512();
    let mut sums = Accumulators {
        pairs: zero,
        check: zero,
        parity: zero,
    };
    let mut i = 0;
    while i + 4 <= road.count {
        // SAFETY: four addresses are there.
        let (a, b, c, d) = unsafe {
            (
                lanes::<T>(road, i),
                lanes::<T>(road, i + 1),
                lanes::<T>(road, i + 2),
                lanes::<T>(road, i + 3),
            )
        };
        let ab = _mm512_add_epi64(_mm512_popcnt_epi64(a), _mm512_popcnt_epi64(b));
        let cd = _mm512_add_epi64(_mm512_popcnt_epi64(c), _mm512_popcnt_epi64(d));
        let all = _mm512_add_epi64(ab, cd);
        sums.pairs = _mm512_add_epi64(sums.pairs, all);
        sums.check = _mm512_add_epi64(sums.check, all);
        // 0x96: the exclusive-or of three
        sums.parity = _mm512_ternarylogic_epi64::<0x96>(sums.parity, a, b);
        sums.parity = _mm512_ternarylogic_epi64::<0x96>(sums.parity, c, d);
        i += 4;
    }
    while i < road.count {
        // SAFETY: an address is there.
        let v = unsafe { lanes::<T>(road, i) };
        let p = _mm512_popcnt_epi64(v);
        sums.pairs = _mm512_add_epi64(sums.pairs, p);
        sums.check = _mm512_add_epi64(sums.check, p);
        sums.parity = _mm512_xor_si512(sums.parity, v);
        i += 1;
    }
    finish(sums)
}
