//! The textbook solvers, held against each other, the published totals and known step counts.

use std::ops::ControlFlow;

use queens::method::textbook::{Textbook, Unit};
use queens::{Placement, Size, Solutions, Symmetry, known};

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}

/// The boards by row list, as the solver that goes column by column is expected to find them.
fn by_columns(boards: &[Placement]) -> Vec<Placement> {
    let reflected = boards.iter().map(|b| b.transformed(Symmetry::Transpose));
    reflected.collect()
}

#[test]
fn all_solvers_agree_board_for_board_and_with_the_published_totals() {
    for n in 1..=10 {
        let boards: Vec<Placement> = Solutions::new(size(n)).collect();
        let published = known::published(size(n)).unwrap().all;
        assert_eq!(boards.len() as u128, published);
        assert!(boards.is_sorted_by(|a, b| a < b));
        assert!(boards.iter().all(Placement::is_solution));
        for solver in Textbook::ALL {
            let expected = match solver {
                Textbook::FlagsByColumn => by_columns(&boards),
                _ => boards.clone(),
            };
            assert_eq!(solver.list(size(n)), expected, "n = {n}, {solver}");
            assert_eq!(solver.count(size(n)).0, boards.len() as u64);
            let (first, effort) = solver.first(size(n));
            assert_eq!(first.as_ref(), expected.first(), "n = {n}, {solver}");
            assert!(effort.total() <= solver.count(size(n)).1.total());
        }
    }
}

#[test]
fn a_full_run_tests_n_squares_for_every_board_that_is_not_full() {
    let nodes = |n| *Textbook::BitMasks.count(size(n)).1.per_row();
    for n in 1..=9 {
        // The rows after the root and after every queen but those of the last row are tested.
        let levels = nodes(n);
        let inner: u64 = 1 + levels[..n as usize - 1].iter().sum::<u64>();
        for solver in Textbook::ALL {
            let effort = solver.count(size(n)).1;
            match solver.unit() {
                Unit::Tests => assert_eq!(effort.total(), inner * u64::from(n), "{solver}"),
                Unit::Nodes => assert_eq!(effort.per_row(), &levels, "{solver}"),
            }
        }
    }
    assert_eq!(Textbook::Pairwise.count(size(8)).1.total(), 15_720);
}

#[test]
fn the_nodes_of_each_row_are_the_partial_placements() {
    // OEIS A319284.
    let twelve = [
        12, 110, 756, 4080, 16852, 52856, 120104, 195270, 222720, 160964, 68264, 14200,
    ];
    for solver in [Textbook::BitMasks, Textbook::RowScan] {
        let effort = solver.count(size(12)).1;
        assert_eq!(effort.per_row()[..12], twelve);
        assert_eq!(effort.per_row()[12..], [0; 20]);
    }
}

#[test]
fn solvers_stop_when_told_and_reach_the_largest_board() {
    for solver in Textbook::ALL {
        let mut seen = 0;
        solver.search(size(8), &mut |_| {
            seen += 1;
            if seen == 5 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(seen, 5, "{solver}");
    }
    // The first solution for n = 32 is too far away for most, so the fastest answers for it.
    let (first, effort) = Textbook::BitMasks.first(Size::MAX);
    assert_eq!(first, Solutions::new(Size::MAX).next());
    assert!(effort.total() > 1_000_000);
    for solver in Textbook::ALL {
        let (first, _) = solver.first(size(21));
        assert!(first.unwrap().is_solution(), "{solver}");
    }
}
