//! The loops with AVX2 and BMI2: a block's slice is two registers.
//!
//! # Safety
//!
//! Every `unsafe fn` here may be called only where [`operations`] found the features it is compiled
//! with; that function is the only way to them. Loads stay within the slices given; where full
//! registers are stored past the end of a vector's contents, its capacity has been reserved first.

#![allow(unsafe_code)]
// An index that says which word or table it is reads better than a zip of three.
#![allow(clippy::needless_range_loop)]

use std::arch::x86_64::*;

use super::{Block, Choice, Fields, Operations, Slice, Sums, TABLE, Target, WIDTH, WORDS, Word};

static OPERATIONS: Operations = Operations {
    select,
    fetch,
    spread,
    classify,
    address,
    slice,
    walk,
};

pub(super) fn operations() -> Option<&'static Operations> {
    let all = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    all.then_some(&OPERATIONS)
}

fn select(list: &[u64], choice: Choice, out: &mut Vec<u64>) {
    // SAFETY: reached through `operations` only, so the features are there.
    unsafe { select_avx2(list, choice, out) }
}

/// Needs no more than any x86-64 has.
pub(super) fn fetch(list: &[u64]) {
    for line in list.chunks(8) {
        // SAFETY: a prefetch is a hint and has no effect that can be observed.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
    }
}

fn spread(list: &[u64], keep: u64, targets: &[Target], out: &mut [Vec<u64>]) {
    for target in targets {
        select(list, target.choice(keep), &mut out[target.to as usize]);
    }
}

fn classify(list: &[u64], groups: [u64; 2], out: &mut [Vec<u64>; 3]) {
    // SAFETY: as above.
    unsafe { classify_avx2(list, groups, out) }
}

fn address(list: &[u64], avoid: u64, fields: &Fields, out: &mut Vec<u64>) {
    select(list, Choice::without(avoid), out);
    // SAFETY: as above.
    unsafe { address_avx2(fields, out) }
}

fn slice(masks: &[Word], alive: &Slice, fields: &Fields, block: &mut Block) {
    // SAFETY: as above.
    unsafe { slice_avx2(masks, alive, fields, block) }
}

fn walk(block: &Block, fields: &Fields, addresses: &[u64]) -> Sums {
    // SAFETY: as above.
    unsafe {
        match fields.tables {
            4 => walk_avx2::<4>(block, addresses),
            5 => walk_avx2::<5>(block, addresses),
            6 => walk_avx2::<6>(block, addresses),
            7 => walk_avx2::<7>(block, addresses),
            _ => walk_avx2::<8>(block, addresses),
        }
    }
}

/// For each choice among four 64-bit lanes, the order of 32-bit lanes that brings those chosen to
/// the front.
static FRONT: [[u32; 8]; 16] = {
    let mut front = [[0; 8]; 16];
    let mut chosen = 0;
    while chosen < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            if chosen >> lane & 1 == 1 {
                front[chosen][to] = 2 * lane as u32;
                front[chosen][to + 1] = 2 * lane as u32 + 1;
                to += 2;
            }
            lane += 1;
        }
        chosen += 1;
    }
    front
};

/// Stores the chosen lanes at `end` and returns the new end.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn put(masks: __m256i, chosen: usize, end: *mut u64) -> *mut u64 {
    // SAFETY: `chosen` is below 16, and the caller has reserved four masks at `end`.
    unsafe {
        let order = _mm256_loadu_si256(FRONT[chosen].as_ptr().cast());
        _mm256_storeu_si256(end.cast(), _mm256_permutevar8x32_epi32(masks, order));
        end.add(chosen.count_ones() as usize)
    }
}

/// Which of four lanes are zero.
#[inline]
#[target_feature(enable = "avx2")]
fn zeros(lanes: __m256i) -> usize {
    _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(
        lanes,
        _mm256_setzero_si256(),
    ))) as usize
}

#[target_feature(enable = "avx2,popcnt")]
unsafe fn select_avx2(list: &[u64], choice: Choice, out: &mut Vec<u64>) {
    out.reserve(list.len() + 4);
    let avoid = _mm256_set1_epi64x(choice.avoid as i64);
    let keep = _mm256_set1_epi64x(choice.keep as i64);
    let with = _mm256_set1_epi64x(choice.with as i64);
    // SAFETY: at most `list.len()` masks are kept, and a store reaches at most 4 beyond them.
    unsafe {
        let start = out.as_mut_ptr();
        let mut end = start.add(out.len());
        let (fours, rest) = list.as_chunks::<4>();
        for four in fours {
            let masks = _mm256_loadu_si256(four.as_ptr().cast());
            let chosen = zeros(_mm256_and_si256(masks, avoid));
            end = put(
                _mm256_or_si256(_mm256_and_si256(masks, keep), with),
                chosen,
                end,
            );
        }
        for mask in rest {
            *end = mask & choice.keep | choice.with;
            end = end.add(usize::from(mask & choice.avoid == 0));
        }
        out.set_len(end.offset_from(start) as usize);
    }
}

#[target_feature(enable = "avx2,popcnt")]
unsafe fn classify_avx2(list: &[u64], groups: [u64; 2], out: &mut [Vec<u64>; 3]) {
    let (first, second) = (
        _mm256_set1_epi64x(groups[0] as i64),
        _mm256_set1_epi64x(groups[1] as i64),
    );
    for class in &mut *out {
        class.reserve(list.len() + 4);
    }
    let starts = [
        out[0].as_mut_ptr(),
        out[1].as_mut_ptr(),
        out[2].as_mut_ptr(),
    ];
    // SAFETY: as in `select_avx2`, for each class.
    unsafe {
        let mut ends = [
            starts[0].add(out[0].len()),
            starts[1].add(out[1].len()),
            starts[2].add(out[2].len()),
        ];
        let (fours, rest) = list.as_chunks::<4>();
        for four in fours {
            let masks = _mm256_loadu_si256(four.as_ptr().cast());
            let a = zeros(_mm256_and_si256(masks, first));
            let b = zeros(_mm256_and_si256(masks, second));
            ends[0] = put(masks, a & b, ends[0]);
            ends[1] = put(masks, a ^ b, ends[1]);
            ends[2] = put(masks, !(a | b) & 15, ends[2]);
        }
        for mask in rest {
            let class = usize::from(mask & groups[0] != 0) + usize::from(mask & groups[1] != 0);
            *ends[class] = *mask;
            ends[class] = ends[class].add(1);
        }
        for c in 0..3 {
            out[c].set_len(ends[c].offset_from(starts[c]) as usize);
        }
    }
}

/// Makes addresses of masks: their significant bits, packed, are laid out again.
#[target_feature(enable = "bmi2")]
unsafe fn address_avx2(fields: &Fields, out: &mut Vec<u64>) {
    let count = out.len();
    if fields.stride() == 2 {
        out.extend_from_within(..);
    }
    let first: usize = fields.widths[..4].iter().sum();
    let (low, high) = out.split_at_mut(count);
    for word in low {
        *word = _pdep_u64(_pext_u64(*word, fields.bits), fields.places[0]);
    }
    for word in high {
        *word = _pdep_u64(_pext_u64(*word, fields.bits) >> first, fields.places[1]);
    }
}

#[target_feature(enable = "avx2,bmi2")]
unsafe fn slice_avx2(masks: &[Word], alive: &Slice, fields: &Fields, block: &mut Block) {
    let Block { tables, words } = block;
    let mut from = 0;
    for half in 0..fields.stride() {
        let there = (fields.tables - 4 * half).min(4);
        // Byte t of a packed mask has table t's bits.
        let mut places = 0u64;
        for t in 0..there {
            places |= ((1u64 << fields.widths[4 * half + t]) - 1) << (8 * t);
        }
        for (w, word) in masks.iter().enumerate() {
            for part in 0..2 {
                let mut packed = [0u32; 32];
                for (packed, mask) in packed.iter_mut().zip(&word[32 * part..]) {
                    *packed = _pdep_u64(_pext_u64(*mask, fields.bits) >> from, places) as u32;
                }
                let bytes = by_table(&packed);
                for t in 0..there {
                    let mut lanes = bytes[t];
                    for b in (0..8).rev() {
                        let bits = _mm256_movemask_epi8(lanes) as u32;
                        let slice = &mut words[8 * t + b].0[w];
                        *slice = if part == 0 {
                            u64::from(bits)
                        } else {
                            *slice | u64::from(bits) << 32
                        };
                        lanes = _mm256_add_epi8(lanes, lanes);
                    }
                }
            }
        }
        for t in 0..there {
            let table = &mut tables[(4 * half + t) << WIDTH..][..1 << WIDTH];
            table[0] = if half + t == 0 {
                *alive
            } else {
                Slice([u64::MAX; WORDS])
            };
            for b in 0..fields.widths[4 * half + t] {
                let slice = words[8 * t + b].0;
                let (done, new) = table.split_at_mut(1 << b);
                for (from, to) in done.iter().zip(new) {
                    for w in 0..WORDS {
                        to.0[w] = from.0[w] & !slice[w];
                    }
                }
            }
        }
        from += fields.widths[4 * half..4 * half + 4].iter().sum::<usize>();
    }
}

/// The 4 x 32 transpose of bytes, each table's bytes in the masks' order.
#[inline]
#[target_feature(enable = "avx2")]
fn by_table(packed: &[u32; 32]) -> [__m256i; 4] {
    let deal = _mm256_setr_epi8(
        0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
        14, 3, 7, 11, 15,
    );
    let pair = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    let mut rows = [_mm256_setzero_si256(); 4];
    for (row, eight) in rows.iter_mut().zip(packed.as_chunks::<8>().0) {
        // SAFETY: eight masks are 32 bytes.
        let eight = unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) };
        *row = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(eight, deal), pair);
    }
    // Row r, 64-bit lane t: table t's bytes of masks 8r..8r+8.
    let (a, b) = (
        _mm256_unpacklo_epi64(rows[0], rows[1]),
        _mm256_unpackhi_epi64(rows[0], rows[1]),
    );
    let (c, d) = (
        _mm256_unpacklo_epi64(rows[2], rows[3]),
        _mm256_unpackhi_epi64(rows[2], rows[3]),
    );
    [
        _mm256_permute2x128_si256::<0x20>(a, c),
        _mm256_permute2x128_si256::<0x20>(b, d),
        _mm256_permute2x128_si256::<0x31>(a, c),
        _mm256_permute2x128_si256::<0x31>(b, d),
    ]
}

/// The population counts of 64-bit lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn count(lanes: __m256i) -> __m256i {
    let nibbles = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3,
        3, 4,
    );
    let low = _mm256_set1_epi8(15);
    let a = _mm256_shuffle_epi8(nibbles, _mm256_and_si256(lanes, low));
    let b = _mm256_shuffle_epi8(
        nibbles,
        _mm256_and_si256(_mm256_srli_epi16::<4>(lanes), low),
    );
    _mm256_sad_epu8(_mm256_add_epi8(a, b), _mm256_setzero_si256())
}

/// The sum and carry of three bits each.
#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i, c: __m256i) -> (__m256i, __m256i) {
    let either = _mm256_xor_si256(a, b);
    (
        _mm256_xor_si256(either, c),
        _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(either, c)),
    )
}

/// Half the lanes that are disjoint from an addressed mask.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn lanes<const T: usize>(base: *const u8, addresses: &[u64], i: usize) -> __m256i {
    let count = addresses.len() / T.div_ceil(4);
    let mut lanes = _mm256_set1_epi64x(-1);
    for t in 0..T {
        // SAFETY: the caller has `i` below the count; an offset is below TABLE, a multiple of 64.
        unsafe {
            let offset = *addresses
                .as_ptr()
                .add(t / 4 * count + i)
                .cast::<u16>()
                .add(t % 4);
            lanes = _mm256_and_si256(
                lanes,
                _mm256_load_si256(base.add(t * TABLE + offset as usize).cast()),
            );
        }
    }
    lanes
}

/// Counts by carry-save addition, as the portable loop does.
#[target_feature(enable = "avx2")]
unsafe fn walk_avx2<const T: usize>(block: &Block, addresses: &[u64]) -> Sums {
    let mut sums = Sums {
        pairs: [0; WORDS],
        check: [0; WORDS],
    };
    let total = addresses.len() / T.div_ceil(4);
    let zero = _mm256_setzero_si256();
    for half in 0..2 {
        // SAFETY: an entry is two registers; indices are below `total`.
        unsafe {
            let base = block.tables.as_ptr().cast::<u8>().add(32 * half);
            let (mut one, mut two, mut four) = (zero, zero, zero);
            let (mut eights, mut eights_again, mut parity) = (zero, zero, zero);
            let mut i = 0;
            while i + 8 <= total {
                let (v0, v1) = (
                    lanes::<T>(base, addresses, i),
                    lanes::<T>(base, addresses, i + 1),
                );
                let (v2, v3) = (
                    lanes::<T>(base, addresses, i + 2),
                    lanes::<T>(base, addresses, i + 3),
                );
                parity = _mm256_xor_si256(
                    parity,
                    _mm256_xor_si256(_mm256_xor_si256(v0, v1), _mm256_xor_si256(v2, v3)),
                );
                let (o, a) = add(one, v0, v1);
                let (o, b) = add(o, v2, v3);
                let (t, c) = add(two, a, b);
                let (v0, v1) = (
                    lanes::<T>(base, addresses, i + 4),
                    lanes::<T>(base, addresses, i + 5),
                );
                let (v2, v3) = (
                    lanes::<T>(base, addresses, i + 6),
                    lanes::<T>(base, addresses, i + 7),
                );
                parity = _mm256_xor_si256(
                    parity,
                    _mm256_xor_si256(_mm256_xor_si256(v0, v1), _mm256_xor_si256(v2, v3)),
                );
                let (o, a) = add(o, v0, v1);
                let (o, b) = add(o, v2, v3);
                let (t, d) = add(t, a, b);
                let (f, eight) = add(four, c, d);
                (one, two, four) = (o, t, f);
                let eight = count(eight);
                eights = _mm256_add_epi64(eights, eight);
                eights_again = _mm256_add_epi64(eights_again, eight);
                i += 8;
            }
            let (mut rest, mut rest_again) = (zero, zero);
            while i < total {
                let v = lanes::<T>(base, addresses, i);
                parity = _mm256_xor_si256(parity, v);
                rest = _mm256_add_epi64(rest, count(v));
                rest_again = _mm256_add_epi64(rest_again, count(v));
                i += 1;
            }
            let small = _mm256_add_epi64(
                count(one),
                _mm256_add_epi64(
                    _mm256_slli_epi64::<1>(count(two)),
                    _mm256_slli_epi64::<2>(count(four)),
                ),
            );
            let pairs = _mm256_add_epi64(
                _mm256_slli_epi64::<3>(eights),
                _mm256_add_epi64(small, rest),
            );
            let again = _mm256_add_epi64(
                _mm256_slli_epi64::<3>(eights_again),
                _mm256_add_epi64(small, rest_again),
            );
            let unit = _mm256_set1_epi64x(1);
            let check = _mm256_or_si256(
                _mm256_andnot_si256(unit, again),
                _mm256_and_si256(unit, count(parity)),
            );
            _mm256_storeu_si256(sums.pairs.as_mut_ptr().add(4 * half).cast(), pairs);
            _mm256_storeu_si256(sums.check.as_mut_ptr().add(4 * half).cast(), check);
        }
    }
    sums
}
