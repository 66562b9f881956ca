//! Every task counted in two ways or more, which must agree.

use super::backtrack::Backtrack;
use super::join::{Join, Kernel, Options};
use super::{Cancel, Method, MethodError, MethodName, TaskError};
use crate::board::Size;
use crate::method::count::Count;

/// One of a method's [ways](MethodName::ways) to count its tasks.
pub struct Way {
    /// What is special about it.
    pub name: String,
    /// The method, ready to count.
    pub method: Box<dyn Method>,
}

impl MethodName {
    /// Every way this machine has to count the method's tasks. They differ in kernel, tree or
    /// tuning, never in the count of any task. There are two at least: the first is the usual one
    /// with this kernel; the second differs from it in prefix depth and, where there is another, in
    /// kernel, or in the tree.
    ///
    /// # Errors
    /// [`MethodError`] as [`MethodName::with_kernel`].
    pub fn ways(self, size: Size, kernel: Kernel) -> Result<Vec<Way>, MethodError> {
        let way = |name: &str, method: Box<dyn Method>| Way {
            name: name.to_owned(),
            method,
        };
        if self == MethodName::Backtrack {
            return Ok(vec![
                way("usual tree", Box::new(Backtrack::new(size))),
                way("mirrored tree", Box::new(Backtrack::mirrored(size))),
            ]);
        }
        let mut kernels = Kernel::ALL.to_vec();
        kernels.retain(|&other| other != kernel && other.operations().is_some());
        // The fastest of the others comes first.
        kernels.push(kernel);
        kernels.reverse();
        let usual = (kernel, false);
        let second = (*kernels.get(1).unwrap_or(&kernel), true);
        let all = kernels
            .iter()
            .flat_map(|&kernel| [(kernel, false), (kernel, true)]);
        let rest = all.filter(|&way| way != usual && way != second);
        [usual, second]
            .into_iter()
            .chain(rest)
            .map(|(kernel, other_depth)| {
                let (name, options) = match other_depth {
                    false => (kernel.name().to_owned(), Options::default()),
                    true => (format!("{kernel}/depth"), Options::other_depth(size)),
                };
                Ok(way(&name, Box::new(Join::new(size, kernel, options)?)))
            })
            .collect()
    }

    /// The method with every task counted in two ways that must agree.
    ///
    /// # Errors
    /// [`MethodError`] as [`MethodName::with_kernel`].
    pub fn double_checked(self, size: Size, kernel: Kernel) -> Result<DoubleCheck, MethodError> {
        let ways = self.ways(size, kernel)?.into_iter().take(2);
        Ok(DoubleCheck::new(ways.map(|way| way.method).collect()))
    }
}

/// A method that counts each task by all of several, and fails where they differ.
///
/// It has the tasks, the name and the scheme of the first, so its parts fit those that were
/// counted once.
pub struct DoubleCheck {
    first: Box<dyn Method>,
    others: Vec<Box<dyn Method>>,
}

impl DoubleCheck {
    /// Counts by the first of the ways, checked by the others.
    ///
    /// # Panics
    /// If there are not two at least, or they do not share their tasks: number, name and scheme.
    pub fn new(ways: Vec<Box<dyn Method>>) -> DoubleCheck {
        let mut others = ways.into_iter();
        let first = others.next().expect("a check needs two ways");
        let others: Vec<_> = others.collect();
        assert!(!others.is_empty(), "a check needs two ways");
        let tasks = |method: &dyn Method| (method.name(), method.scheme(), method.tasks());
        for other in &others {
            assert!(
                tasks(&*first) == tasks(&**other),
                "the ways must be to the same tasks"
            );
        }
        DoubleCheck { first, others }
    }
}

impl Method for DoubleCheck {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    fn scheme(&self) -> u32 {
        self.first.scheme()
    }

    fn kernel(&self) -> &'static str {
        self.first.kernel()
    }

    fn tasks(&self) -> u64 {
        self.first.tasks()
    }

    fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
        let first = self.first.count(task, cancel)?;
        for other in &self.others {
            let again = other.count(task, cancel)?;
            if again != first {
                return Err(TaskError::Inconsistent(format!(
                    "{} solutions, counted again {}",
                    first.solutions, again.solutions
                )));
            }
        }
        Ok(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;
    use crate::method::symmetric::{Symmetric, Turn};

    /// The search, but one solution too many in one task.
    struct Wrong(Backtrack, u64);

    impl Method for Wrong {
        fn name(&self) -> &'static str {
            self.0.name()
        }

        fn scheme(&self) -> u32 {
            self.0.scheme()
        }

        fn tasks(&self) -> u64 {
            self.0.tasks()
        }

        fn count(&self, task: u64, cancel: &Cancel) -> Result<Count, TaskError> {
            let mut count = self.0.count(task, cancel)?;
            if task == self.1 {
                count.add(1, 1)?;
            }
            Ok(count)
        }
    }

    #[test]
    fn the_one_task_that_differs_is_named() {
        let size = Size::new(9).unwrap();
        let (search, cancel) = (Backtrack::new(size), Cancel::new());
        let wrong = Wrong(Backtrack::mirrored(size), 5);
        let twice = DoubleCheck::new(vec![Box::new(search), Box::new(wrong)]);
        for task in 0..twice.tasks() {
            let outcome = twice.count(task, &cancel);
            assert_eq!(outcome.is_err(), task == 5, "task {task}: {outcome:?}");
        }
    }

    #[test]
    fn the_mirrored_tree_has_the_same_solutions_task_by_task() {
        let cancel = Cancel::new();
        for n in 1..=13 {
            let size = Size::new(n).unwrap();
            let search = Box::new(Backtrack::new(size));
            let twice = DoubleCheck::new(vec![search, Box::new(Backtrack::mirrored(size))]);
            let mut all = 0;
            for task in 0..twice.tasks() {
                all += twice.count(task, &cancel).unwrap().solutions;
            }
            assert_eq!(all, known::published(size).unwrap().all, "n = {n}");
        }
    }

    #[test]
    #[should_panic(expected = "to the same tasks")]
    fn methods_with_other_tasks_are_refused() {
        let size = Size::new(8).unwrap();
        let other = Symmetric::new(Turn::Half, size);
        DoubleCheck::new(vec![Box::new(Backtrack::new(size)), Box::new(other)]);
    }

    #[test]
    fn every_way_counts_the_same() {
        let cancel = Cancel::new();
        for name in MethodName::ALL {
            for n in [4, 5, 9, 12, 13].map(|n| Size::new(n).unwrap()) {
                let ways = name.ways(n, Kernel::best()).unwrap();
                assert!(ways.len() >= 2);
                let every_way = DoubleCheck::new(ways.into_iter().map(|way| way.method).collect());
                let mut all = 0;
                for task in 0..every_way.tasks() {
                    all += every_way.count(task, &cancel).unwrap().solutions;
                }
                assert_eq!(all, known::published(n).unwrap().all, "{name}, n = {n}");
            }
        }
    }
}
