//! One task, and whole counts on one thread: `cargo bench`.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use queens::Size;
use queens::method::{Cancel, MethodName};
use queens::run::{pool::Pool, run};

fn one_task(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one task, n = 17");
    let cancel = Cancel::new();
    for name in MethodName::ALL {
        let method = name
            .for_size(Size::new(17).expect("a board size"))
            .expect("a method for 17");
        let task = method.tasks() / 2;
        group.bench_function(name.to_string(), |bencher| {
            bencher.iter(|| {
                method
                    .count(black_box(task), &cancel)
                    .expect("not cancelled")
            });
        });
    }
    group.finish();
}

fn whole_counts(criterion: &mut Criterion) {
    let (pool, cancel) = (Pool::new(1).expect("one thread"), Cancel::new());
    for name in MethodName::ALL {
        let mut group = criterion.benchmark_group(format!("whole count, {name}"));
        group.sample_size(10);
        for n in 12..=15 {
            let size = Size::new(n).expect("a board size");
            group.bench_with_input(BenchmarkId::from_parameter(n), &size, |bencher, &size| {
                bencher.iter(|| {
                    let method = name.for_size(size).expect("a method for it");
                    run(&*method, 0..method.tasks(), &pool, &cancel, &|_, _| ())
                        .expect("nothing cancels it")
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, one_task, whole_counts);
criterion_main!(benches);
