//! The two halves of the join apart: disjoint pairs by every kernel, and lists of half boards.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use queens::method::join::Kernel;
use queens::method::join::halves::{Halves, Rule, Scratch};

/// Masks of a few random bits each, as half boards have.
fn masks(count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..count)
        .map(|_| random() & random() & 0x0000_3fff_0000_3fff)
        .collect()
}

fn disjoint_pairs(criterion: &mut Criterion) {
    let (walked, sliced) = (masks(4096, 1), masks(4096, 2));
    let mut group = criterion.benchmark_group("disjoint pairs, 4096 x 4096, 28 bits");
    group.throughput(Throughput::Elements((walked.len() * sliced.len()) as u64));
    for kernel in Kernel::ALL {
        let Some(operations) = kernel.operations() else {
            continue;
        };
        group.bench_function(kernel.name(), |bencher| {
            bencher.iter(|| operations.disjoint(black_box(&walked), &[black_box(&sliced)]));
        });
    }
    group.finish();
}

fn half_boards(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("half boards of one column set");
    let operations = Kernel::best().operations().expect("the best is one it has");
    for n in [16, 18, 20] {
        let halves = Halves::new(n, None, operations);
        // Every other column, as far as half the board needs.
        let set = 0x5555_5555 & ((1 << n) - 1);
        group.bench_with_input(BenchmarkId::from_parameter(n), &set, |bencher, &set| {
            let (mut scratch, mut list) = (Scratch::default(), vec![Vec::new()]);
            bencher.iter(|| {
                list[0].clear();
                let rule = Rule::default();
                halves.spread(set, set, 0, &rule, operations, &mut scratch, &mut list);
                list[0].len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, disjoint_pairs, half_boards);
criterion_main!(benches);
