//! What can be timed: the textbook solvers and the program's methods, by name.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use queens::method::join::Kernel;
use queens::method::textbook::{Effort, Textbook, Unit};
use queens::method::{Cancel, MethodError, MethodName};
use queens::run::{self, RunError, pool::Pool};
use queens::{Size, known};

use super::progress::Progress;

/// One way to count all solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contestant {
    Textbook(Textbook),
    /// With the kernel of a method that has any.
    Method(MethodName, Option<Kernel>),
}

/// A finished count.
pub struct Counted {
    pub solutions: u128,
    /// What the textbook solvers count beside; the program's methods would lose time by it.
    pub effort: Option<(Unit, u64)>,
}

impl Contestant {
    /// All of them, the join once for each kernel.
    fn all(kernels: &[Kernel]) -> Vec<Contestant> {
        let mut all: Vec<_> = Textbook::ALL.map(Contestant::Textbook).into();
        for name in MethodName::ALL {
            match name {
                MethodName::Join => all.extend(
                    kernels
                        .iter()
                        .map(|&kernel| Contestant::Method(name, Some(kernel))),
                ),
                MethodName::Backtrack => all.push(Contestant::Method(name, None)),
            }
        }
        all
    }

    /// The name of the method.
    pub fn method(self) -> String {
        match self {
            Contestant::Textbook(solver) => solver.to_string(),
            Contestant::Method(name, _) => name.to_string(),
        }
    }

    /// The name of its kernel.
    pub fn kernel(self) -> Option<&'static str> {
        match self {
            Contestant::Method(_, Some(kernel)) => Some(kernel.name()),
            _ => None,
        }
    }

    /// Whether it can use more than one thread.
    pub fn is_parallel(self) -> bool {
        matches!(self, Contestant::Method(..))
    }

    /// Whether it can count boards of this size.
    ///
    /// # Errors
    /// What sizes it can count.
    pub fn check(self, size: Size) -> Result<(), MethodError> {
        match self {
            Contestant::Method(method, _) if !method.sizes().contains(&size.get()) => {
                Err(MethodError::Size {
                    method,
                    n: size.get(),
                    sizes: method.sizes(),
                })
            }
            _ => Ok(()),
        }
    }

    /// Counts all solutions; `None` if that was cancelled.
    pub fn count(
        self,
        size: Size,
        pool: &Pool,
        cancel: &Cancel,
        progress: &Progress,
    ) -> anyhow::Result<Option<Counted>> {
        let counted = match self {
            Contestant::Textbook(solver) => {
                let mut solutions = 0;
                // A textbook solver knows no switch, but it can be stopped at a solution.
                let effort: Effort = solver.search(size, &mut |_| {
                    solutions += 1;
                    if cancel.is_tripped() {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                if cancel.is_tripped() {
                    return Ok(None);
                }
                Counted {
                    solutions,
                    effort: Some((solver.unit(), effort.total())),
                }
            }
            Contestant::Method(name, kernel) => {
                let kernel = kernel.unwrap_or_else(Kernel::best);
                let method = name.with_kernel(size, kernel)?;
                progress.begin(method.tasks());
                let sink = |_, _: &_| progress.task_done();
                match run::run(&*method, 0..method.tasks(), pool, cancel, &sink) {
                    Ok(tally) => Counted {
                        solutions: tally.solutions,
                        effort: None,
                    },
                    Err(RunError::Cancelled(_)) => return Ok(None),
                    Err(error) => return Err(error.into()),
                }
            }
        };
        known::compare_all(size, counted.solutions)?;
        Ok(Some(counted))
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kernel() {
            Some(kernel) => write!(f, "{} ({kernel})", self.method()),
            None => f.write_str(&self.method()),
        }
    }
}

/// The methods that `--method` names.
#[derive(Debug, Clone)]
pub struct Selection(Vec<Choice>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Choice {
    All,
    Textbook,
    Named(String),
}

impl Selection {
    /// The contestants at one size, each once, the join with each of these kernels.
    ///
    /// # Errors
    /// When a method that is named cannot count boards of this size; those of a group that cannot
    /// are left out.
    pub fn at(&self, size: Size, kernels: &[Kernel]) -> Result<Vec<Contestant>, MethodError> {
        let mut selected = Vec::new();
        for choice in &self.0 {
            for contestant in Contestant::all(kernels) {
                if !choice.means(contestant) || selected.contains(&contestant) {
                    continue;
                }
                match (contestant.check(size), choice) {
                    (Ok(()), _) => selected.push(contestant),
                    (Err(error), Choice::Named(_)) => return Err(error),
                    (Err(_), _) => {}
                }
            }
        }
        Ok(selected)
    }

    /// Whether the join is among them.
    pub fn has_join(&self) -> bool {
        let join = Contestant::Method(MethodName::Join, None);
        self.0.iter().any(|choice| choice.means(join))
    }
}

impl Choice {
    fn means(&self, contestant: Contestant) -> bool {
        match self {
            Choice::All => true,
            Choice::Textbook => matches!(contestant, Contestant::Textbook(_)),
            Choice::Named(name) => contestant.method() == *name,
        }
    }
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Selection, String> {
        let choice = |name| match name {
            "all" => Ok(Choice::All),
            "textbook" => Ok(Choice::Textbook),
            name => {
                let names = Contestant::all(&[Kernel::best()]).into_iter();
                let names: Vec<_> = names.map(Contestant::method).collect();
                if names.iter().any(|known| known == name) {
                    return Ok(Choice::Named(name.to_owned()));
                }
                Err(format!(
                    "there is no method '{name}': it must be all, textbook, or any of {}",
                    names.join(", ")
                ))
            }
        };
        text.split(',')
            .map(choice)
            .collect::<Result<_, _>>()
            .map(Selection)
    }
}
