//! Counts, held against a naive search written for this test and against the published totals.

use std::collections::BTreeSet;

use queens::fundamental::fundamental;
use queens::method::backtrack::partial_placements;
use queens::method::symmetric::{Symmetric, Turn};
use queens::method::{Cancel, Method, MethodName};
use queens::run::{self, pool::Pool};
use queens::{Placement, Size, Symmetry, known};

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}

fn total(method: &dyn Method) -> u128 {
    let pool = Pool::new(2).unwrap();
    run::run(method, 0..method.tasks(), &pool, &Cancel::new(), &|_, _| ())
        .unwrap()
        .solutions
}

/// Visits every solution: queens as a list of columns, compared pairwise.
fn naive(n: usize, columns: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
    let row = columns.len();
    if row == n {
        return visit(columns);
    }
    for column in 0..n {
        let attacked = |(other, &taken): (usize, &usize)| {
            taken == column || taken.abs_diff(column) == row - other
        };
        if !columns.iter().enumerate().any(attacked) {
            columns.push(column);
            naive(n, columns, visit);
            columns.pop();
        }
    }
}

#[test]
fn every_method_equals_a_naive_search_and_the_published_total() {
    for n in 1..=14 {
        let mut naive_total = 0;
        naive(n as usize, &mut Vec::new(), &mut |_| naive_total += 1);
        assert_eq!(
            known::published(size(n)).unwrap().all,
            naive_total,
            "n = {n}"
        );
        for method in MethodName::ALL
            .into_iter()
            .filter(|method| method.sizes().contains(&n))
        {
            assert_eq!(
                total(&*method.for_size(size(n)).unwrap()),
                naive_total,
                "n = {n}, {method}"
            );
        }
    }
}

#[test]
fn fundamental_counts_equal_the_classes_of_all_boards() {
    for n in 1..=9 {
        let mut classes = BTreeSet::new();
        let (mut all, mut half_turn, mut quarter_turn) = (0, 0, 0);
        naive(n as usize, &mut Vec::new(), &mut |columns| {
            let columns = columns.iter().map(|&column| column as u8).collect();
            let board = Placement::new(columns).unwrap();
            assert!(board.is_solution());
            all += 1;
            half_turn += u128::from(board.transformed(Symmetry::HalfTurn) == board);
            quarter_turn += u128::from(board.transformed(Symmetry::QuarterTurn) == board);
            classes.insert(
                Symmetry::ALL
                    .map(|s| board.transformed(s))
                    .into_iter()
                    .min(),
            );
        });
        assert_eq!(
            total(&Symmetric::new(Turn::Half, size(n))),
            half_turn,
            "n = {n}"
        );
        assert_eq!(
            total(&Symmetric::new(Turn::Quarter, size(n))),
            quarter_turn,
            "n = {n}"
        );
        let counted = fundamental(size(n), all, half_turn, quarter_turn);
        assert_eq!(counted, Ok(classes.len() as u128), "n = {n}");
    }
}

#[test]
fn symmetric_and_fundamental_counts_equal_the_published_ones() {
    for known in known::TABLE.iter().filter(|known| known.n <= 20) {
        let half_turn = total(&Symmetric::new(Turn::Half, size(known.n)));
        let quarter_turn = total(&Symmetric::new(Turn::Quarter, size(known.n)));
        assert_eq!(
            (half_turn, quarter_turn),
            (known.half_turn, known.quarter_turn)
        );
        let classes = fundamental(size(known.n), known.all, half_turn, quarter_turn);
        assert_eq!(classes, Ok(known.fundamental), "n = {}", known.n);
    }
}

#[test]
fn the_search_tree_has_the_published_levels() {
    // OEIS A319284, row 12.
    let levels = [
        12, 110, 756, 4080, 16852, 52856, 120104, 195270, 222720, 160964, 68264, 14200,
    ];
    assert_eq!(partial_placements(size(12), 12), levels);
}

#[test]
fn the_library_counts_in_one_call() {
    assert_eq!(
        queens::count(size(10)).unwrap(),
        known::published(size(10)).unwrap().all
    );
}
