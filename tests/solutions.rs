//! Solutions one by one, and boards with conditions.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::time::Duration;

use proptest::prelude::*;
use queens::fundamental::{class_size, is_representative};
use queens::method::conditioned::{Conditioned, ENOUGH_TASKS};
use queens::method::{Cancel, Method, TaskError};
use queens::run::tally::Tally;
use queens::run::{pool::Pool, run};
use queens::solve::Step;
use queens::{Conditions, Placement, Size, Solutions, Square, Symmetry, known};

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}

fn count(conditions: &Conditions) -> u128 {
    let method = Conditioned::new(conditions);
    let (pool, cancel) = (Pool::new(2).unwrap(), Cancel::new());
    let tally = run(&method, 0..method.tasks(), &pool, &cancel, &|_, _| ()).unwrap();
    assert_eq!(tally.tasks, method.tasks());
    tally.solutions
}

#[test]
fn the_iterator_can_be_sent_and_left_at_any_time() {
    fn is_send<T: Send>(_: &T) {}
    let mut solutions = Solutions::new(Size::MAX);
    is_send(&solutions);
    let two: Vec<Placement> = solutions.by_ref().take(2).collect();
    assert!(two[0] < two[1] && two.iter().all(Placement::is_solution));
    let third = std::thread::spawn(move || solutions.next()).join().unwrap();
    assert!(third.unwrap() > two[1]);
}

#[test]
fn steps_are_bounded_and_lose_no_board() {
    let mut solutions = Solutions::new(size(13));
    let (mut found, mut pauses) = (0, 0);
    loop {
        match solutions.step() {
            Step::Found(_) => found += 1,
            Step::Searching => pauses += 1,
            Step::End => break,
        }
    }
    assert_eq!(found, known::published(size(13)).unwrap().all);
    assert!(pauses > 10, "{pauses}");
    assert_eq!(solutions.step(), Step::End);
    assert_eq!(solutions.next(), None);
}

#[test]
fn fundamental_solutions_are_the_smallest_of_every_class() {
    for n in 1..=11 {
        let classes: Vec<Placement> = Solutions::fundamental(size(n)).collect();
        let filtered: Vec<Placement> = Solutions::new(size(n)).filter(is_representative).collect();
        assert_eq!(classes, filtered, "n = {n}");
        let known = known::published(size(n)).unwrap();
        assert_eq!(classes.len() as u128, known.fundamental);
        let mut members = 0;
        for board in &classes {
            let images: BTreeSet<Placement> = Symmetry::ALL
                .map(|symmetry| board.transformed(symmetry))
                .into();
            assert_eq!(images.first(), Some(board));
            assert_eq!(images.len(), class_size(board) as usize);
            members += images.len();
        }
        assert_eq!(members as u128, known.all);
    }
}

/// A board size, some queens of which none attacks another, and some squares without them.
fn conditions(
    sizes: RangeInclusive<u32>,
) -> impl Strategy<Value = (u32, Vec<Square>, Vec<Square>)> {
    let squares = |n: u32, most: usize| {
        let square = (0..n, 0..n).prop_map(|(row, column)| Square { row, column });
        prop::collection::vec(square, 0..=most)
    };
    sizes
        .prop_flat_map(move |n| (Just(n), squares(n, 3), squares(n, 2 * n as usize)))
        .prop_map(|(n, candidates, mut blocked)| {
            let mut queens: Vec<Square> = Vec::new();
            for queen in candidates {
                if !queens.iter().any(|other| other.attacks(queen)) {
                    queens.push(queen);
                }
            }
            blocked.retain(|square| !queens.contains(square));
            (n, queens, blocked)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn conditions_keep_what_a_filter_of_all_solutions_keeps((n, queens, blocked) in conditions(1..=9)) {
        let has = |board: &Placement, square: &Square| {
            u32::from(board.columns()[square.row as usize]) == square.column
        };
        let expected: Vec<Placement> = Solutions::new(size(n))
            .filter(|board| queens.iter().all(|queen| has(board, queen)))
            .filter(|board| !blocked.iter().any(|square| has(board, square)))
            .collect();
        let conditions = Conditions::new(size(n), &queens, &blocked).unwrap();
        let listed: Vec<Placement> = Solutions::with_conditions(&conditions).collect();
        prop_assert_eq!(&listed, &expected);
        prop_assert_eq!(count(&conditions), expected.len() as u128);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn larger_boards_are_counted_as_they_are_listed((n, queens, blocked) in conditions(10..=12)) {
        let conditions = Conditions::new(size(n), &queens, &blocked).unwrap();
        let listed = Solutions::with_conditions(&conditions).count();
        prop_assert_eq!(count(&conditions), listed as u128);
    }
}

#[test]
fn the_counts_with_a_queen_on_each_square_of_a_row_sum_to_the_total() {
    for n in [8, 10, 12] {
        let all = known::published(size(n)).unwrap().all;
        assert_eq!(count(&Conditions::none(size(n))), all);
        for row in [0, n / 2, n - 1] {
            let with_queen = |column| {
                let queen = Square { row, column };
                let with = Conditions::new(size(n), &[queen], &[]).unwrap();
                let without = Conditions::new(size(n), &[], &[queen]).unwrap();
                let (with, without) = (count(&with), count(&without));
                assert_eq!(with + without, all, "n = {n}, {queen}");
                with
            };
            let sum: u128 = (0..n).map(with_queen).sum();
            assert_eq!(sum, all, "n = {n}, row {row}");
        }
    }
}

#[test]
fn parts_of_a_count_with_conditions_add_up() {
    let queen = Square { row: 1, column: 4 };
    let conditions = Conditions::new(size(14), &[queen], &[]).unwrap();
    let method = Conditioned::new(&conditions);
    assert!(method.tasks() >= ENOUGH_TASKS as u64);
    let mut sum = Tally::ZERO;
    for part in 0..3 {
        let tasks = (0..method.tasks()).filter(|task| task % 3 == part);
        let (pool, cancel) = (Pool::new(1).unwrap(), Cancel::new());
        sum.merge(&run(&method, tasks, &pool, &cancel, &|_, _| ()).unwrap())
            .unwrap();
    }
    assert_eq!(sum.check(), Ok(()));
    assert_eq!(sum.solutions, count(&conditions));
    assert_eq!(
        sum.solutions,
        Solutions::with_conditions(&conditions).count() as u128
    );
}

#[test]
fn hopeless_conditions_are_seen_at_once_on_the_largest_board() {
    let all_of = |row| (0..32).map(move |column| Square { row, column });
    let last: Vec<Square> = all_of(31).collect();
    // Queens that the squares left in two rows force, on one diagonal.
    let two: Vec<Square> = all_of(30)
        .filter(|square| square.column != 7)
        .chain(all_of(31).filter(|square| square.column != 8))
        .collect();
    for blocked in [last, two] {
        let conditions = Conditions::new(Size::MAX, &[], &blocked).unwrap();
        assert_eq!(Solutions::with_conditions(&conditions).next(), None);
        assert_eq!(count(&conditions), 0);
    }
}

#[test]
fn a_long_count_with_conditions_can_be_cancelled() {
    let queen = Square { row: 0, column: 0 };
    let conditions = Conditions::new(Size::MAX, &[queen], &[]).unwrap();
    let method = Conditioned::new(&conditions);
    assert!(method.tasks() >= ENOUGH_TASKS as u64);
    let cancel = Cancel::new();
    // One task of this board takes longer than anyone waits.
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| method.count(method.tasks() / 2, &cancel));
        std::thread::sleep(Duration::from_millis(50));
        cancel.trip();
        running.join().unwrap()
    });
    assert_eq!(outcome, Err(TaskError::Interrupted));
}
