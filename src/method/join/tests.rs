//! The join against the published totals, its lists against plain search, its kernels against a
//! double loop.

use super::columns::{binomial, mirror, next, unrank};
use super::disjoint::{Block, Fields, Kernel, Operations, Sums};
use super::halves::{Geometry, Halves, Rule, Scratch};
use super::work::Workspace;
use super::{Join, Options};
use proptest::prelude::*;

use crate::board::Size;
use crate::known;
use crate::method::backtrack::partial_placements;
use crate::method::count::{Count, RESIDUE_MODULUS};
use crate::method::{Cancel, Method, TaskError};

fn size(n: u32) -> Size {
    Size::new(n).expect("a board size")
}

/// A small generator of numbers that look random (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

fn kernels() -> impl Iterator<Item = (Kernel, &'static Operations)> {
    Kernel::ALL
        .into_iter()
        .filter_map(|kernel| Some((kernel, kernel.operations()?)))
}

fn total(join: &Join) -> Count {
    let cancel = Cancel::default();
    (0..join.tasks()).fold(Count::ZERO, |sum, task| {
        let count = join.count(task, &cancel).expect("nobody cancels");
        Count {
            solutions: sum.solutions + count.solutions,
            residue: (sum.residue + count.residue) % RESIDUE_MODULUS,
        }
    })
}

fn check(n: u32, kernel: Kernel, options: Options) {
    let join = Join::new(size(n), kernel, options).expect("a kernel of this machine");
    let count = total(&join);
    assert_eq!(
        count.solutions,
        known::published(size(n)).expect("a published total").all,
        "n = {n}, {kernel:?}, {options:?}"
    );
    assert_eq!(
        u128::from(count.residue),
        count.solutions % u128::from(RESIDUE_MODULUS)
    );
}

#[test]
fn every_kernel_counts_every_small_board() {
    for (kernel, _) in kernels() {
        for n in 4..=17 {
            check(n, kernel, Options::default());
        }
    }
}

#[test]
fn no_choice_of_lists_changes_a_total() {
    for n in 4..=12 {
        for depth in 0..=4 {
            for chunk in 0..=2 {
                for inner in [None, Some(1), Some(3), Some(4), Some(5)] {
                    let options = Options {
                        depth: Some(depth),
                        chunk: Some(chunk),
                        inner,
                    };
                    check(n, Kernel::best(), options);
                }
            }
        }
    }
}

#[test]
fn no_kernel_and_no_choice_of_lists_changes_a_task_of_a_large_board() {
    let cancel = Cancel::new();
    let mut random = Random(20);
    let choices = [(0, 0), (1, 1), (2, 1), (3, 0), (2, 2)];
    for n in 17..=21 {
        let usual = Join::new(size(n), Kernel::best(), Options::default()).expect("best");
        let task = random.below(usual.tasks());
        let expected = usual.count(task, &cancel);
        let check = |kernel, options| {
            let other = Join::new(size(n), kernel, options).expect("a kernel of this machine");
            let found = other.count(task, &cancel);
            assert_eq!(found, expected, "n = {n}, {kernel:?}, {options:?}");
        };
        for (kernel, _) in kernels() {
            check(kernel, Options::default());
        }
        for (depth, chunk) in choices {
            let (depth, chunk) = (Some(depth), Some(chunk));
            check(
                Kernel::best(),
                Options {
                    depth,
                    chunk,
                    inner: None,
                },
            );
        }
    }
}

#[test]
fn no_kernel_and_no_depth_changes_a_set_of_a_larger_board() {
    for n in 22..=24 {
        let mut set = unrank(Random(n.into()).below(binomial(n - 1, n / 2)), n / 2);
        if n % 2 == 0 {
            // The one of its class that stands for all.
            let other = ((1 << n) - 1) & !set;
            let class = [set, other, mirror(set, n), mirror(other, n)];
            set = class.into_iter().min().expect("four sets");
        }
        let count = |kernel, options| {
            let join = Join::new(size(n), kernel, options).expect("a kernel of this machine");
            let (mut count, mut work) = (Count::ZERO, Workspace::default());
            join.count_set(set, &mut work, &mut count, &Cancel::new())
                .expect("nobody cancels");
            count
        };
        let expected = count(Kernel::best(), Options::default());
        assert!(expected.solutions > 0);
        assert_eq!(
            count(Kernel::best(), Options::other_depth(size(n))),
            expected
        );
        for (kernel, _) in kernels() {
            assert_eq!(
                count(kernel, Options::default()),
                expected,
                "n = {n}, {kernel}"
            );
        }
    }
}

/// Every way to fill the rows from `row` on, a square at a time.
#[allow(clippy::type_complexity)]
fn plain(
    n: u32,
    columns: u32,
    row: u32,
    queens: &mut Vec<(i32, i32)>,
    found: &mut dyn FnMut(&[(i32, i32)]),
) {
    if columns == 0 {
        return found(queens);
    }
    for column in (0..n).filter(|column| columns >> column & 1 == 1) {
        let (c, i) = (column as i32, row as i32);
        if queens.iter().all(|&(d, j)| (c - d).abs() != (i - j).abs()) {
            queens.push((c, i));
            plain(n, columns & !(1 << column), row + 1, queens, found);
            queens.pop();
        }
    }
}

/// The diagonals across the line, from the definition.
fn mask(n: u32, queens: &[(i32, i32)]) -> u64 {
    let (n, odd) = (n as i32, n as i32 % 2);
    queens.iter().fold(0, |mask, &(c, i)| {
        let (rising, falling) = (c + i + odd, c - i - 1);
        let line = odd..n - 1;
        let bit = |at: i32, group: i32| {
            if line.contains(&at) {
                1u64 << (at + group)
            } else {
                0
            }
        };
        mask | bit(rising, 0) | bit(falling, 32)
    })
}

/// Compares a set's list under a rule, whole and spread by first rows, with plain search.
fn check_lists(n: u32, set: u32, rule: Rule, inner: Option<u32>, operations: &Operations) {
    let k = n / 2;
    let halves = Halves::new(n, inner, operations);
    // Each half board's mask, and the positions among the set of its rows' queens.
    let mut expected: Vec<(u64, Vec<u32>)> = Vec::new();
    plain(n, set, 0, &mut Vec::new(), &mut |queens| {
        let early = |&(c, i): &(i32, i32)| c == k as i32 && i < rule.late as i32;
        if mask(n, queens) & rule.forbid == 0 && !queens.iter().any(early) {
            let position = |&(c, _): &(i32, i32)| (set & ((1 << c) - 1)).count_ones();
            expected.push((mask(n, queens), queens.iter().map(position).collect()));
        }
    });
    let mut listed = Vec::new();
    halves.complete(&halves.start(set), &rule, operations, &mut listed);
    let all: Vec<u64> = expected.iter().map(|half| half.0).collect();
    assert_eq!(
        sorted(&listed),
        sorted(&all),
        "n = {n}, set {set:b}, {rule:?}"
    );
    for depth in 0..=halves.spread_rows().min(2) {
        let mut lists = vec![Vec::new(); k.pow(depth) as usize];
        halves.spread(
            set,
            set,
            depth,
            &rule,
            operations,
            &mut Scratch::default(),
            &mut lists,
        );
        let mut spread = vec![Vec::new(); lists.len()];
        for (mask, positions) in &expected {
            let first = positions[..depth as usize].iter();
            spread[first.fold(0, |list, position| list * k + position) as usize].push(*mask);
        }
        for (list, expected) in lists.iter().zip(&spread) {
            assert_eq!(
                sorted(list),
                sorted(expected),
                "n = {n}, set {set:b}, {rule:?}, {depth}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lists_equal_plain_search(
        n in 4u32..=18,
        rank in any::<u64>(),
        forbid in any::<[u64; 3]>(),
        late in any::<u32>(),
        inner in prop::option::of(1u32..=5),
    ) {
        let set = unrank(rank % binomial(n, n / 2), n / 2);
        for (_, operations) in kernels() {
            let geometry = Geometry { n, rows: n / 2, odd: n % 2 == 1 };
            let line = geometry.diagonals_from(0, 0);
            let late = if n % 2 == 1 { late % (n / 2) } else { 0 };
            let rule = Rule { forbid: forbid[0] & forbid[1] & forbid[2] & line, late };
            check_lists(n, set, rule, inner, operations);
            check_lists(n, set, Rule::default(), inner, operations);
        }
    }
}

fn sorted(list: &[u64]) -> Vec<u64> {
    let mut list = list.to_vec();
    list.sort_unstable();
    list
}

#[test]
fn lists_add_up_to_a_level_of_the_search_tree() {
    let operations = Kernel::best().operations().expect("best");
    for n in [12, 14, 16] {
        let level = *partial_placements(size(n), n / 2).last().expect("a level");
        let halves = Halves::new(n, None, operations);
        let (mut set, mut sum, mut list) = (unrank(0, n / 2), 0, vec![Vec::new()]);
        for _ in 0..binomial(n, n / 2) {
            list[0].clear();
            halves.spread(
                set,
                set,
                0,
                &Rule::default(),
                operations,
                &mut Scratch::default(),
                &mut list,
            );
            sum += list[0].len() as u64;
            set = next(set);
        }
        assert_eq!(sum, level, "n = {n}");
    }
}

fn compare(kernel: Kernel, operations: &Operations, walked: &[u64], sliced: &[&[u64]]) {
    let found = operations.disjoint(walked, sliced);
    for (list, found) in sliced.iter().zip(found) {
        let pairs = walked
            .iter()
            .flat_map(|x| list.iter().filter(move |y| x & **y == 0))
            .count() as u64;
        assert_eq!(
            found,
            (pairs, pairs),
            "{kernel:?}: {} walked, {} sliced",
            walked.len(),
            list.len()
        );
    }
}

#[test]
fn kernels_equal_a_double_loop() {
    let mut random = Random(3);
    let lengths = [0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1100];
    for (kernel, operations) in kernels() {
        for bits in 1..=64 {
            let significant = (0..bits).fold(0u64, |mask, _| mask | 1 << random.below(64));
            let mut list = |length: u64| -> Vec<u64> {
                (0..length)
                    .map(|_| random.next() & random.next() & random.next() & significant)
                    .collect()
            };
            let lists: Vec<_> = lengths.map(&mut list).into_iter().collect();
            let classes = [
                &lists[bits % 12][..],
                &lists[(bits + 5) % 12],
                &lists[(bits + 7) % 12],
            ];
            compare(kernel, operations, &lists[(bits * 5 + 1) % 12], &classes);
        }
        for walked in lengths {
            for sliced in lengths {
                let (x, y): (Vec<u64>, Vec<u64>) = (
                    (0..walked).map(|_| random.next() & 0x0f0f_3355).collect(),
                    (0..sliced).map(|_| random.next() & 0x3333_ccaa).collect(),
                );
                compare(kernel, operations, &x, &[&y]);
                for fill in [0, u64::MAX, 1 << 63, 1] {
                    compare(kernel, operations, &vec![fill; walked as usize], &[&y]);
                    compare(kernel, operations, &x, &[&vec![fill; sliced as usize]]);
                    compare(
                        kernel,
                        operations,
                        &vec![fill; walked as usize],
                        &[&vec![fill; sliced as usize]],
                    );
                }
            }
        }
    }
}

#[test]
fn kernels_select_and_classify_alike() {
    let mut random = Random(5);
    let portable = Kernel::Portable.operations().expect("always");
    for (_, operations) in kernels() {
        for length in 0..70 {
            let list: Vec<u64> = (0..length).map(|_| random.next()).collect();
            let few = |random: &mut Random| 1 << random.below(64) | 1u64 << random.below(64);
            let targets: Vec<_> = (0..random.below(6))
                .map(|_| super::disjoint::Target {
                    avoid: few(&mut random),
                    with: few(&mut random),
                    to: random.below(3) as u32,
                })
                .collect();
            let (keep, groups) = (random.next(), [few(&mut random), few(&mut random)]);
            let (mut a, mut b) = (vec![vec![1]; 3], vec![vec![1]; 3]);
            (portable.spread)(&list, keep, &targets, &mut a);
            (operations.spread)(&list, keep, &targets, &mut b);
            assert_eq!(
                a.iter().map(|list| sorted(list)).collect::<Vec<_>>(),
                b.iter().map(|list| sorted(list)).collect::<Vec<_>>()
            );
            let (mut a, mut b) = ([vec![], vec![1], vec![]], [vec![], vec![1], vec![]]);
            (portable.classify)(&list, groups, &mut a);
            (operations.classify)(&list, groups, &mut b);
            assert_eq!(a, b);
        }
    }
}

/// A walk that miscounts one pair, in the sum only.
fn corrupt(block: &Block, fields: &Fields, addresses: &[u64]) -> Sums {
    let operations = Kernel::Portable.operations().expect("always");
    let mut sums = (operations.walk)(block, fields, addresses);
    if addresses.len() > 20 {
        sums.pairs[0] ^= 1;
    }
    sums
}

#[test]
fn an_error_in_one_sum_shows() {
    let operations = Operations {
        walk: corrupt,
        ..*Kernel::Portable.operations().expect("always")
    };
    let operations = Box::leak(Box::new(operations));
    let join = Join::with_operations(12, Kernel::Portable, operations, Options::default());
    // As a residue that does not fit, or as an odd number of boards that mirroring exchanges.
    let cancel = Cancel::new();
    let mut seen = [0, 0];
    for task in 0..join.tasks() {
        match join.count(task, &cancel) {
            Ok(count) => seen[0] += u32::from(!count.is_consistent()),
            Err(TaskError::Inconsistent(_)) => seen[1] += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(seen.iter().all(|&seen| seen > 0), "{seen:?}");
}

#[test]
fn a_cancelled_count_stops() {
    let cancel = Cancel::default();
    cancel.trip();
    let join = Join::new(size(18), Kernel::best(), Options::default()).expect("best");
    assert_eq!(join.count(0, &cancel), Err(TaskError::Interrupted));
}

#[test]
fn sizes_and_tasks_are_in_bounds() {
    assert!(Join::new(size(3), Kernel::Portable, Options::default()).is_err());
    assert!(Join::new(size(29), Kernel::Portable, Options::default()).is_err());
    for n in 17..=20 {
        let join = Join::new(size(n), Kernel::best(), Options::default()).expect("best");
        assert!(join.tasks() >= 1000);
    }
}

#[test]
fn sets_are_numbered() {
    for (n, k) in [(4, 2), (9, 4), (12, 6), (14, 1), (14, 0)] {
        let mut set = unrank(0, k);
        for rank in 0..binomial(n, k) {
            assert_eq!(set, unrank(rank, k));
            assert_eq!(mirror(mirror(set, n), n), set);
            assert_eq!(super::columns::Ranks::new(k).of(set), rank as usize);
            if rank + 1 < binomial(n, k) {
                set = next(set);
            }
        }
    }
}
