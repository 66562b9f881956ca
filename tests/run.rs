//! Runs: parts that add up, cancellation, and errors that reach the caller.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use queens::method::{Cancel, Method, MethodName, TaskError, backtrack::Backtrack};
use queens::run::pool::{Pool, PoolError};
use queens::run::tally::{Count, RESIDUE_MODULUS, Tally, TallyError};
use queens::run::{RunError, run};
use queens::{Size, known};

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_partition_on_any_threads_adds_up_to_the_whole(
        n in 1u32..=12,
        parts in 1usize..=5,
        seed in any::<u64>(),
        threads in 1usize..=4,
    ) {
        let cancel = Cancel::new();
        for name in MethodName::ALL.into_iter().filter(|name| name.sizes().contains(&n)) {
            let method = name.for_size(size(n)).unwrap();
            let part_of = |task: u64| (task ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
            let mut sum = Tally::ZERO;
            for part in 0..parts {
                let tasks: Vec<u64> = (0..method.tasks())
                    .filter(|&task| part_of(task) as usize % parts == part)
                    .collect();
                let told = Mutex::new(BTreeMap::new());
                let sink = |task, count: &Count| {
                    let before = told.lock().unwrap().insert(task, *count);
                    assert_eq!(before, None, "task {task} was told twice");
                };
                let pool = Pool::new(threads).unwrap();
                let tally = run(&*method, tasks.clone(), &pool, &cancel, &sink).unwrap();
                let told = told.into_inner().unwrap();
                prop_assert!(told.keys().copied().eq(tasks.iter().copied()));
                let mut again = Tally::ZERO;
                told.values().for_each(|count| again.add(count).unwrap());
                prop_assert_eq!(again, tally);
                sum.merge(&tally).unwrap();
            }
            prop_assert_eq!(sum.check(), Ok(()));
            prop_assert_eq!(sum.tasks, method.tasks());
            prop_assert_eq!(sum.solutions, known::published(size(n)).unwrap().all);
        }
    }
}

#[test]
fn large_boards_are_split_into_thousands_of_tasks() {
    for n in 17..=32 {
        assert!(Backtrack::new(size(n)).tasks() >= 2000, "n = {n}");
    }
}

#[test]
fn a_cancelled_run_stops_soon_and_has_no_total() {
    for name in MethodName::ALL {
        for n in [20, 28, 32]
            .into_iter()
            .filter(|n| name.sizes().contains(n))
        {
            let method = name.for_size(size(n)).unwrap();
            let (pool, cancel) = (Pool::new(2).unwrap(), Cancel::new());
            let finished = AtomicU64::new(0);
            let sink = |_, _: &Count| {
                finished.fetch_add(1, Ordering::Relaxed);
            };
            let (outcome, waited) = std::thread::scope(|scope| {
                let running =
                    scope.spawn(|| run(&*method, 0..method.tasks(), &pool, &cancel, &sink));
                std::thread::sleep(Duration::from_millis(50));
                let tripped = Instant::now();
                cancel.trip();
                (running.join().unwrap(), tripped.elapsed())
            });
            let Err(RunError::Cancelled(tally)) = outcome else {
                panic!("{outcome:?}")
            };
            assert_eq!(tally.tasks, finished.load(Ordering::Relaxed));
            // Meant to be 100 ms; this only catches a run that does not look at the switch.
            assert!(
                waited < Duration::from_secs(60),
                "{name}, n = {n}: {waited:?}"
            );
        }
    }
}

#[test]
fn a_task_that_is_not_there_is_an_error() {
    let method = Backtrack::new(size(8));
    let tasks = method.tasks();
    let pool = Pool::new(1).unwrap();
    let outcome = run(&method, [0, tasks], &pool, &Cancel::new(), &|_, _| ());
    assert_eq!(outcome, Err(RunError::NoSuchTask { task: tasks, tasks }));
}

/// A method whose tasks do what a broken machine might.
struct Broken(fn(u64) -> Result<Count, TaskError>);

impl Method for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn scheme(&self) -> u32 {
        1
    }

    fn tasks(&self) -> u64 {
        100
    }

    fn count(&self, task: u64, _cancel: &Cancel) -> Result<Count, TaskError> {
        (self.0)(task)
    }
}

fn run_broken(count: fn(u64) -> Result<Count, TaskError>) -> Result<Tally, RunError> {
    run(
        &Broken(count),
        0..100,
        &Pool::new(2).unwrap(),
        &Cancel::new(),
        &|_, _| (),
    )
}

#[test]
fn a_failing_task_fails_the_run_and_is_named() {
    let outcome = run_broken(|task| match task {
        57 => Err(TaskError::Inconsistent("test".to_owned())),
        _ => Ok(Count {
            solutions: 1,
            residue: 1,
        }),
    });
    let source = TaskError::Inconsistent("test".to_owned());
    assert_eq!(outcome, Err(RunError::Task { task: 57, source }));
}

#[test]
fn one_wrong_sum_or_one_wrong_residue_fails_the_run() {
    let right = run_broken(|_| {
        Ok(Count {
            solutions: 7,
            residue: 7,
        })
    });
    assert_eq!(right.unwrap().solutions, 700);
    for broken in [
        (|task| {
            Ok(Count {
                solutions: 7 + u128::from(task == 3),
                residue: 7,
            })
        }) as fn(u64) -> _,
        |task| {
            Ok(Count {
                solutions: 7,
                residue: 7 + u64::from(task == 99),
            })
        },
    ] {
        let outcome = run_broken(broken);
        assert!(
            matches!(
                outcome,
                Err(RunError::Task {
                    task: 3 | 99,
                    source: TaskError::Inconsistent(_)
                })
            ),
            "{outcome:?}"
        );
    }
    let outcome = run_broken(|_| {
        let solutions = u128::MAX / 2;
        let residue = (solutions % u128::from(RESIDUE_MODULUS)) as u64;
        Ok(Count { solutions, residue })
    });
    assert_eq!(outcome, Err(RunError::Tally(TallyError::Overflow)));
}

#[test]
fn pools_of_no_or_too_many_threads_are_refused() {
    for threads in [0, Pool::MOST + 1] {
        assert!(matches!(Pool::new(threads), Err(PoolError::OutOfRange(t)) if t == threads));
    }
}
