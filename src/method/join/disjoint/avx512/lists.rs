//! Lists of masks with AVX-512: tested eight at a time, those chosen compressed to the front and
//! stored whole, so that the next store overwrites what was not chosen.
//!
//! # Safety
//!
//! As for the module above: only where the features are there.

use std::arch::x86_64::*;
use std::slice::GetDisjointMutError;

use super::super::fields::{Pass, turn};
use super::super::{Choice, Fields, Target};

#[target_feature(enable = "avx512f,popcnt")]
pub(super) unsafe fn select_avx512(list: &[u64], choice: Choice, out: &mut Vec<u64>) {
    out.reserve(list.len() + 8);
    let avoid = _mm512_set1_epi64(choice.avoid as i64);
    let keep = _mm512_set1_epi64(choice.keep as i64);
    let with = _mm512_set1_epi64(choice.with as i64);
    // SAFETY: at most `list.len()` masks are kept, and a store reaches at most 8 beyond them.
    unsafe {
        let start = out.as_mut_ptr();
        let mut end = start.add(out.len());
        let mut at = list.as_ptr();
        for _ in 0..list.len() / 8 {
            let masks = _mm512_loadu_si512(at.cast());
            let chosen = _mm512_testn_epi64_mask(masks, avoid);
            let changed = _mm512_ternarylogic_epi64::<0xea>(masks, keep, with); // (masks & keep) | with
            _mm512_storeu_si512(end.cast(), _mm512_maskz_compress_epi64(chosen, changed));
            end = end.add(chosen.count_ones() as usize);
            at = at.add(8);
        }
        let tail = (1u8 << (list.len() % 8)) - 1;
        if tail != 0 {
            let masks = _mm512_maskz_loadu_epi64(tail, at.cast());
            let chosen = _mm512_mask_testn_epi64_mask(tail, masks, avoid);
            let changed = _mm512_ternarylogic_epi64::<0xea>(masks, keep, with);
            _mm512_storeu_si512(end.cast(), _mm512_maskz_compress_epi64(chosen, changed));
            end = end.add(chosen.count_ones() as usize);
        }
        out.set_len(end.offset_from(start) as usize);
    }
}

/// Two targets at a time, so that each load serves both.
#[target_feature(enable = "avx512f,popcnt")]
pub(super) unsafe fn spread_avx512(
    list: &[u64],
    keep: u64,
    targets: &[Target],
    out: &mut [Vec<u64>],
) {
    let (pairs, last) = targets.as_chunks::<2>();
    for [a, b] in pairs {
        // SAFETY: features as for this function.
        unsafe {
            match out.get_disjoint_mut([a.to as usize, b.to as usize]) {
                Ok([first, second]) => select_two(list, keep, [a, b], [first, second]),
                Err(GetDisjointMutError::OverlappingIndices) => {
                    select_one(list, keep, [a, b], &mut out[a.to as usize]);
                }
                Err(error) => panic!("a target's list is not there: {error}"),
            }
        }
    }
    for target in last {
        // SAFETY: features as for this function.
        unsafe { select_avx512(list, target.choice(keep), &mut out[target.to as usize]) };
    }
}

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
unsafe fn select_two(list: &[u64], keep: u64, targets: [&Target; 2], out: [&mut Vec<u64>; 2]) {
    let [first, second] = out;
    first.reserve(list.len() + 8);
    second.reserve(list.len() + 8);
    // SAFETY: as in `select_avx512`, for each.
    unsafe {
        let starts = [first.as_mut_ptr(), second.as_mut_ptr()];
        let mut ends = [starts[0].add(first.len()), starts[1].add(second.len())];
        let [a, b] = &mut ends;
        each_two(list, keep, targets, |mask, chosen, which| {
            let end: &mut *mut u64 = if which { &mut *b } else { &mut *a };
            _mm512_storeu_si512((*end).cast(), _mm512_maskz_compress_epi64(chosen, mask));
            *end = end.add(chosen.count_ones() as usize);
        });
        first.set_len(ends[0].offset_from(starts[0]) as usize);
        second.set_len(ends[1].offset_from(starts[1]) as usize);
    }
}

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
unsafe fn select_one(list: &[u64], keep: u64, targets: [&Target; 2], out: &mut Vec<u64>) {
    out.reserve(2 * list.len() + 8);
    // SAFETY: as in `select_avx512`; each mask is kept at most twice.
    unsafe {
        let start = out.as_mut_ptr();
        let mut end = start.add(out.len());
        each_two(list, keep, targets, |mask, chosen, _| {
            _mm512_storeu_si512(end.cast(), _mm512_maskz_compress_epi64(chosen, mask));
            end = end.add(chosen.count_ones() as usize);
        });
        out.set_len(end.offset_from(start) as usize);
    }
}

/// Calls `put` with eight changed masks and which of them are chosen, for the first and the second
/// target.
#[inline(always)]
unsafe fn each_two(
    list: &[u64],
    keep: u64,
    targets: [&Target; 2],
    mut put: impl FnMut(__m512i, u8, bool),
) {
    // SAFETY: inlined into functions that have the features; loads stay in the list.
    unsafe {
        let keep = _mm512_set1_epi64(keep as i64);
        let avoid = [
            _mm512_set1_epi64(targets[0].avoid as i64),
            _mm512_set1_epi64(targets[1].avoid as i64),
        ];
        let with = [
            _mm512_set1_epi64(targets[0].with as i64),
            _mm512_set1_epi64(targets[1].with as i64),
        ];
        let mut step = |masks: __m512i, there: u8| {
            for (which, (avoid, with)) in avoid.into_iter().zip(with).enumerate() {
                put(
                    _mm512_ternarylogic_epi64::<0xea>(masks, keep, with), // (masks & keep) | with
                    _mm512_mask_testn_epi64_mask(there, masks, avoid),
                    which == 1,
                );
            }
        };
        let (eights, rest) = list.as_chunks::<8>();
        for eight in eights {
            step(_mm512_loadu_si512(eight.as_ptr().cast()), 0xff);
        }
        if !rest.is_empty() {
            let there = (1u8 << rest.len()) - 1;
            step(_mm512_maskz_loadu_epi64(there, rest.as_ptr().cast()), there);
        }
    }
}

#[target_feature(enable = "avx512f,popcnt")]
pub(super) unsafe fn classify_avx512(list: &[u64], groups: [u64; 2], out: &mut [Vec<u64>; 3]) {
    let [first, second] = groups.map(|group| _mm512_set1_epi64(group as i64));
    let either = _mm512_or_si512(first, second);
    let starts = out.each_mut().map(|class| {
        class.reserve(list.len() + 8);
        class.as_mut_ptr()
    });
    // SAFETY: as in `select_avx512`, for each class.
    unsafe {
        let mut ends = [0, 1, 2].map(|c| starts[c].add(out[c].len()));
        let mut put = |masks: __m512i, there: u8| {
            let neither = _mm512_mask_testn_epi64_mask(there, masks, either);
            let both = _mm512_test_epi64_mask(masks, first);
            let both = _mm512_mask_test_epi64_mask(both, masks, second);
            for (end, class) in ends.iter_mut().zip([neither, there ^ neither ^ both, both]) {
                _mm512_storeu_si512((*end).cast(), _mm512_maskz_compress_epi64(class, masks));
                *end = end.add(class.count_ones() as usize);
            }
        };
        let (eights, rest) = list.as_chunks::<8>();
        for eight in eights {
            put(_mm512_loadu_si512(eight.as_ptr().cast()), 0xff);
        }
        let there = (1u8 << rest.len()) - 1;
        // What is not there reads as 0, which has no bits of either group.
        put(_mm512_maskz_loadu_epi64(there, rest.as_ptr().cast()), there);
        for c in 0..3 {
            out[c].set_len(ends[c].offset_from(starts[c]) as usize);
        }
    }
}

/// Up to four passes of a gathering, in registers.
#[derive(Clone, Copy)]
pub(super) struct Passes {
    from: [__m512i; 4],
    keep: [__m512i; 4],
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn broadcast(passes: &[Pass], turn: u32) -> Passes {
    let mut all = Passes {
        from: [_mm512_setzero_si512(); 4],
        keep: [_mm512_setzero_si512(); 4],
    };
    for (i, pass) in passes.iter().enumerate() {
        all.from[i] = _mm512_set1_epi64(pass.from.rotate_left(turn) as i64);
        all.keep[i] = _mm512_set1_epi64(pass.keep.rotate_left(turn) as i64);
    }
    all
}

#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
pub(super) fn gather<const N: usize>(masks: __m512i, passes: &Passes) -> __m512i {
    let mut word = _mm512_and_si512(
        _mm512_multishift_epi64_epi8(passes.from[0], masks),
        passes.keep[0],
    );
    for i in 1..N {
        let window = _mm512_multishift_epi64_epi8(passes.from[i], masks);
        word = _mm512_ternarylogic_epi64::<0xea>(window, passes.keep[i], word); // (window & keep) | word
    }
    word
}

/// Takes the masks first, then makes addresses of those taken.
#[target_feature(enable = "avx512f,avx512vbmi,popcnt")]
pub(super) unsafe fn address_avx512(list: &[u64], avoid: u64, fields: &Fields, out: &mut Vec<u64>) {
    // SAFETY: features as for this function.
    unsafe { select_avx512(list, Choice::without(avoid), out) };
    if fields.stride() == 2 {
        out.extend_from_within(..);
    }
    let count = out.len() / fields.stride();
    for (half, words) in out.chunks_exact_mut(count.max(1)).enumerate() {
        let passes = fields.offsets[half].passes();
        // SAFETY: features as for this function.
        unsafe {
            match passes.len() {
                0 | 1 => gather_all::<1>(passes, words),
                2 => gather_all::<2>(passes, words),
                3 => gather_all::<3>(passes, words),
                4 => gather_all::<4>(passes, words),
                _ => turn(words, &fields.offsets[half]),
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512vbmi")]
unsafe fn gather_all<const N: usize>(passes: &[Pass], masks: &mut [u64]) {
    let passes = broadcast(passes, 0);
    let (eights, rest) = masks.as_chunks_mut::<8>();
    for eight in eights {
        // SAFETY: eight masks are 64 bytes.
        unsafe {
            let at = eight.as_mut_ptr();
            _mm512_storeu_si512(
                at.cast(),
                gather::<N>(_mm512_loadu_si512(at.cast()), &passes),
            );
        }
    }
    let there = (1u8 << rest.len()) - 1;
    // SAFETY: the lanes that are there.
    unsafe {
        let masks = _mm512_maskz_loadu_epi64(there, rest.as_ptr().cast());
        _mm512_mask_storeu_epi64(rest.as_mut_ptr().cast(), there, gather::<N>(masks, &passes));
    }
}
