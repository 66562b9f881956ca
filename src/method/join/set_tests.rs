//! Single column sets of large boards against a search that keeps to them: with conditions the
//! search counts, and lists, the boards whose upper half has its queens on just these columns.

use super::columns::{binomial, unrank};
use super::disjoint::Kernel;
use super::halves::{Halves, Rule};
use super::work::{Workspace, swap};
use super::{Join, Options};
use crate::board::{Placement, Size};
use crate::conditions::{Conditions, Square};
use crate::method::conditioned::Conditioned;
use crate::method::count::Count;
use crate::method::{Cancel, Method};
use crate::solve::Solutions;

/// Upper rows on the columns `above` alone, the lower ones (and the middle one) on the others. The
/// middle row's queen stands on neither end: no board that the join counts has it there, and masks
/// have no bits for those squares.
fn on_set(n: u32, above: u32) -> Conditions {
    let blocked = (0..n).flat_map(|row| {
        let end = move |column: u32| n % 2 == 1 && row == n / 2 && (column == 0 || column == n - 1);
        let closed =
            move |&column: &u32| (above >> column & 1 == 1) != (row < n / 2) || end(column);
        (0..n)
            .filter(closed)
            .map(move |column| Square { row, column })
    });
    let size = Size::new(n).expect("a board size");
    Conditions::new(size, &[], &blocked.collect::<Vec<_>>()).expect("possible conditions")
}

/// A column set of half a board, any: the same ones in every run.
fn some_set(n: u32, seed: u64) -> u32 {
    let rank = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    unrank(rank % binomial(n, n / 2), n / 2)
}

#[test]
fn a_set_without_symmetry_equals_the_boards_with_those_columns_above() {
    for n in 18..=22 {
        for seed in 1..=2 {
            let set = some_set(n, seed + u64::from(n));
            let search = Conditioned::new(&on_set(n, set));
            let boards: u128 = (0..search.tasks())
                .map(|task| {
                    search
                        .count(task, &Cancel::new())
                        .expect("not cancelled")
                        .solutions
                })
                .sum();
            for kernel in Kernel::ALL {
                let Some(operations) = kernel.operations() else {
                    continue;
                };
                let halves = Halves::new(n, None, operations);
                let list = |columns: u32, forbid: u64| {
                    let (mut masks, rule) = (Vec::new(), Rule { forbid, late: 0 });
                    halves.complete(&halves.start(columns), &rule, operations, &mut masks);
                    masks
                };
                let pairs = |above: &[u64], below: &[u64]| {
                    let below: Vec<u64> = below.iter().map(|&mask| swap(mask)).collect();
                    let (pairs, check) = operations.disjoint(above, &[&below])[0];
                    assert_eq!(pairs, check);
                    // It makes no difference which of them is sliced.
                    assert_eq!(operations.disjoint(&below, &[above])[0], (pairs, check));
                    u128::from(pairs)
                };
                let rest = ((1u32 << n) - 1) & !set;
                let joined = if n.is_multiple_of(2) {
                    pairs(&list(set, 0), &list(rest, 0))
                } else {
                    // The middle row's queen on each of the other columns.
                    (1..n - 1)
                        .filter(|column| rest >> column & 1 == 1)
                        .map(|column| {
                            // Square c of the middle row is bit c of both groups.
                            let square = 1u64 << column | 1u64 << (32 + column);
                            pairs(&list(set, square), &list(rest & !(1 << column), square))
                        })
                        .sum()
                };
                assert_eq!(joined, boards, "n = {n}, columns {set:b}, {kernel}");
                if n >= 21 {
                    // The others are compared with it on tasks.
                    break;
                }
            }
        }
    }
}

/// What the join counts for the class of one set.
fn joined(n: u32, set: u32) -> u128 {
    let join = Join::new(
        Size::new(n).expect("a size"),
        Kernel::best(),
        Options::default(),
    );
    let (mut count, mut work) = (Count::ZERO, Workspace::default());
    let packed = if n.is_multiple_of(2) {
        set
    } else {
        set & ((1 << (n / 2)) - 1) | set >> 1 & !((1 << (n / 2)) - 1)
    };
    join.expect("a size of the join")
        .count_set(packed, &mut work, &mut count, &Cancel::new())
        .expect("not cancelled");
    assert!(count.is_consistent());
    count.solutions
}

fn boards(n: u32, above: u32) -> impl Iterator<Item = Placement> {
    Solutions::with_conditions(&on_set(n, above))
}

fn mirrored(set: u32, n: u32) -> u32 {
    set.reverse_bits() >> (32 - n)
}

#[test]
fn even_sets_equal_their_boards_under_the_rules_of_symmetry() {
    for n in [10, 12, 18, 20] {
        for seed in 1..=3 {
            let set = some_set(n, seed);
            let whole = (1u32 << n) - 1;
            let class = [
                set,
                mirrored(set, n),
                whole & !set,
                mirrored(whole & !set, n),
            ];
            let set = class.into_iter().min().expect("four of them");
            // Boards with these columns above, whose upper queens are on no long diagonal, by
            // the number of long diagonals that have a queen below.
            let classed = |above: u32| {
                let mut found = [0u128; 3];
                for board in boards(n, above) {
                    let on_long = |row: usize| {
                        let (row, column) = (row as u32, u32::from(board.columns()[row]));
                        u32::from(row == column) + u32::from(row + column == n - 1)
                    };
                    let half = n as usize / 2;
                    if (0..half).all(|row| on_long(row) == 0) {
                        found[(half..n as usize).map(on_long).sum::<u32>() as usize] += 1;
                    }
                }
                found
            };
            let mut sets = class.to_vec();
            sets.sort_unstable();
            sets.dedup();
            // N once for each set of the class, 2·O and 4·B for S above in each of them.
            let mut expected = 0;
            for above in sets {
                let [none, one, both] = classed(above);
                expected += none + 2 * one + 4 * both;
            }
            assert_eq!(joined(n, set), expected, "n = {n}, columns {set:b}");
        }
    }
}

#[test]
fn odd_sets_equal_their_boards_under_the_rules_of_symmetry() {
    for n in [9, 13, 17, 19] {
        let k = n / 2;
        let mut seen = 0;
        for seed in 1.. {
            let set = some_set(n, seed);
            if set >> k & 1 == 1 {
                continue;
            }
            seen += 1;
            if seen > 3 {
                break;
            }
            let mut expected = 0u128;
            for board in boards(n, set) {
                let middle_row = u32::from(board.columns()[k as usize]);
                let middle_column = board
                    .columns()
                    .iter()
                    .position(|&c| u32::from(c) == k)
                    .expect("a queen") as u32;
                let (u, v) = (
                    middle_row as i32 - k as i32,
                    middle_column as i32 - k as i32,
                );
                if 0 < u && u < v {
                    expected += 8;
                } else if u == 0 {
                    // One set of each class stands for the others.
                    let other = ((1u32 << n) - 1) & !set & !(1 << k);
                    let mut class = vec![set, mirrored(set, n), other, mirrored(other, n)];
                    class.sort_unstable();
                    class.dedup();
                    expected += if set == class[0] {
                        class.len() as u128
                    } else {
                        0
                    };
                }
            }
            assert_eq!(joined(n, set), expected, "n = {n}, columns {set:b}");
        }
    }
}
