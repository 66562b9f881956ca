//! What can be timed: the textbook solvers and the program's methods, by name.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use queens::method::textbook::{Effort, Textbook, Unit};
use queens::method::{Cancel, MethodName};
use queens::run::{self, RunError, pool::Pool};
use queens::{Size, known};

/// One way to count all solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contestant {
    Textbook(Textbook),
    Method(MethodName),
}

/// A finished count.
pub struct Counted {
    pub solutions: u128,
    /// What the textbook solvers count beside; the program's methods would lose time by it.
    pub effort: Option<(Unit, u64)>,
}

impl Contestant {
    /// All of them.
    fn all() -> impl Iterator<Item = Contestant> {
        let textbook = Textbook::ALL.map(Contestant::Textbook);
        let methods = MethodName::ALL.map(Contestant::Method);
        textbook.into_iter().chain(methods)
    }

    /// How many of these threads it uses.
    pub fn threads(self, pool: &Pool) -> usize {
        match self {
            Contestant::Textbook(_) => 1,
            Contestant::Method(_) => pool.threads(),
        }
    }

    /// Counts all solutions; `None` if that was cancelled.
    pub fn count(
        self,
        size: Size,
        pool: &Pool,
        cancel: &Cancel,
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
            Contestant::Method(name) => {
                let method = name.for_size(size)?;
                let tasks = 0..method.tasks();
                match run::run(&*method, tasks, pool, cancel, &|_, _| ()) {
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
        match self {
            Contestant::Textbook(solver) => solver.fmt(f),
            Contestant::Method(name) => name.fmt(f),
        }
    }
}

/// The contestants that `--method` names, each once.
#[derive(Debug, Clone)]
pub struct Selection(pub Vec<Contestant>);

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Selection, String> {
        let mut selected = Vec::new();
        for name in text.split(',') {
            let is_meant = |contestant: &Contestant| match (name, contestant) {
                ("all", _) | ("textbook", Contestant::Textbook(_)) => true,
                _ => contestant.to_string() == name,
            };
            let mut meant = Contestant::all().filter(is_meant).peekable();
            if meant.peek().is_none() {
                let names: Vec<_> = Contestant::all().map(|c| c.to_string()).collect();
                return Err(format!(
                    "there is no method '{name}': it must be all, textbook, or any of {}",
                    names.join(", ")
                ));
            }
            for contestant in meant {
                if !selected.contains(&contestant) {
                    selected.push(contestant);
                }
            }
        }
        Ok(Selection(selected))
    }
}
