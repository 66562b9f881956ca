//! The loops with AVX-512: a block's slice is one register, a table entry one cache line.
//!
//! # Safety
//!
//! Every `unsafe fn` here may be called only where [`operations`] found the features it is compiled
//! with; that function is the only way to them. Loads and stores stay within the slices given:
//! tails are loaded under a mask, and where full registers are stored past the end of a vector's
//! contents, its capacity has been reserved first.

#![allow(unsafe_code)]

mod blocks;
mod lists;

use blocks::{slice_avx512, walk_avx512};
use lists::{address_avx512, classify_avx512, select_avx512, spread_avx512};

use super::avx2::fetch;
use super::{Block, Choice, Fields, Operations, Slice, Sums, Target, Word};

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
    let all = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("gfni")
        && is_x86_feature_detected!("popcnt");
    all.then_some(&OPERATIONS)
}

fn select(list: &[u64], choice: Choice, out: &mut Vec<u64>) {
    // SAFETY: reached through `operations` only, so the features are there.
    unsafe { select_avx512(list, choice, out) }
}

fn spread(list: &[u64], keep: u64, targets: &[Target], out: &mut [Vec<u64>]) {
    // SAFETY: as above.
    unsafe { spread_avx512(list, keep, targets, out) }
}

fn classify(list: &[u64], groups: [u64; 2], out: &mut [Vec<u64>; 3]) {
    // SAFETY: as above.
    unsafe { classify_avx512(list, groups, out) }
}

fn address(list: &[u64], avoid: u64, fields: &Fields, out: &mut Vec<u64>) {
    // SAFETY: as above.
    unsafe { address_avx512(list, avoid, fields, out) }
}

fn slice(masks: &[Word], alive: &Slice, fields: &Fields, block: &mut Block) {
    // SAFETY: as above.
    unsafe { slice_avx512(masks, alive, fields, block) }
}

fn walk(block: &Block, fields: &Fields, addresses: &[u64]) -> Sums {
    // SAFETY: as above.
    unsafe {
        match fields.tables {
            4 => walk_avx512::<4>(block, addresses),
            5 => walk_avx512::<5>(block, addresses),
            6 => walk_avx512::<6>(block, addresses),
            7 => walk_avx512::<7>(block, addresses),
            _ => walk_avx512::<8>(block, addresses),
        }
    }
}
