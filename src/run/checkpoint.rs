//! Checkpoints: a file from which a count goes on after it was stopped, however it was stopped.
//!
//! The file says what is counted, which tasks are done, and what they add up to. It is whole at
//! any moment and belongs to one process at a time (see `locked_file.rs`).

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::locked_file::LockedFile;
pub use super::locked_file::set_aside;
use super::record::{self, Counted, FileError, Flaw, Format};
use super::shard::{Plan, Shard, check_double};
use super::tally::{Count, TallyError};
use super::task_set::TaskSet;

/// How far the count of a shard has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    done: TaskSet,
    counted: Counted,
}

impl State {
    /// Takes note of a finished task.
    ///
    /// # Errors
    /// [`TallyError::Overflow`] if the sum does not fit; nothing is changed then.
    ///
    /// # Panics
    /// If the task was finished before.
    pub fn add(
        &mut self,
        shard: Shard,
        task: u64,
        count: &Count,
        double_checked: bool,
    ) -> Result<(), TallyError> {
        let position = shard.position(task);
        assert!(!self.done.contains(position), "task {task} counted twice");
        self.counted.merge(&Counted {
            tasks: 1,
            double_checked: u64::from(double_checked),
            solutions: count.solutions,
            residue: count.residue,
            seconds: 0.0,
        })?;
        self.done.insert(position);
        Ok(())
    }

    /// What the finished tasks add up to.
    pub fn counted(&self) -> &Counted {
        &self.counted
    }

    /// Sets the time spent so far, in seconds.
    pub fn set_seconds(&mut self, seconds: f64) {
        // Microseconds: finer digits say nothing.
        self.counted.seconds = (seconds * 1e6).round() / 1e6;
    }

    /// The tasks of the shard that are still to do.
    pub fn tasks_left(
        &self,
        plan: &Plan,
        shard: Shard,
    ) -> impl Iterator<Item = u64> + Send + use<> {
        let positions = shard.tasks_of(plan.tasks);
        self.done
            .missing_below(positions)
            .map(move |position| shard.task(position))
    }
}

/// What stands in the file.
#[derive(Debug, Serialize, Deserialize)]
struct Content {
    #[serde(flatten)]
    plan: Plan,
    #[serde(flatten)]
    shard: Shard,
    #[serde(flatten)]
    counted: Counted,
    /// The finished tasks' positions in the shard: for a whole count their numbers.
    done: TaskSet,
    kernel: String,
    version: String,
}

impl Format for Content {
    const NAME: &'static str = "queens checkpoint";
}

/// What a checkpoint is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purpose {
    /// The count.
    pub plan: Plan,
    /// The part of it.
    pub shard: Shard,
    /// Whether every task must be counted in two ways.
    pub double_check: bool,
    /// The kernel that counts now; one that takes over may be another.
    pub kernel: String,
    /// The version of the program that counts now.
    pub version: String,
}

/// A checkpoint file that this process has for itself.
#[derive(Debug)]
pub struct Checkpoint {
    file: LockedFile,
    purpose: Purpose,
}

impl Checkpoint {
    /// Takes over the file, or makes it if there is none: so a place that cannot be written to
    /// is noticed before the count begins. The state is what the file says is done already.
    ///
    /// # Errors
    /// [`FileError`] if another process has the file, the system refuses, or the file is not a
    /// sound checkpoint for this purpose. Nothing is changed then.
    pub fn open(path: &Path, purpose: Purpose) -> Result<(Checkpoint, State), FileError> {
        let (file, bytes) = LockedFile::open(path, &purpose.text(&State::default()))?;
        let mut checkpoint = Checkpoint { file, purpose };
        let Some(bytes) = bytes else {
            return Ok((checkpoint, State::default()));
        };
        let state = checkpoint.purpose.state(&bytes);
        let state = state.map_err(|flaw| FileError::Flaw {
            path: path.to_owned(),
            flaw,
        })?;
        // That it can be read does not mean that it can be written.
        checkpoint.save(&state)?;
        Ok((checkpoint, state))
    }

    /// Begins anew: a file that is there already, whatever is in it, gets the first free name
    /// of FILE.old, FILE.old-2 and so on, which is returned too.
    ///
    /// # Errors
    /// [`FileError`] if another process has the file or the system refuses.
    pub fn begin_anew(
        path: &Path,
        purpose: Purpose,
    ) -> Result<(Checkpoint, Option<PathBuf>), FileError> {
        let text = purpose.text(&State::default());
        let (old, bytes) = LockedFile::open(path, &text)?;
        if bytes.is_none() {
            return Ok((Checkpoint { file: old, purpose }, None));
        }
        let aside = set_aside(old.path())?;
        match LockedFile::open(path, &text)? {
            (file, None) => Ok((Checkpoint { file, purpose }, Some(aside))),
            (_, Some(_)) => Err(FileError::Replaced(path.to_owned())),
        }
    }

    /// Whether the file system has locks, so that a second process is kept away.
    pub fn is_locked(&self) -> bool {
        self.file.is_locked()
    }

    /// Writes the state. Whether it works or not, the file has the old state or the new one.
    ///
    /// # Errors
    /// [`FileError`] if the system refuses, or if somebody put another file in the place of
    /// this one; the count can go on and try again.
    pub fn save(&mut self, state: &State) -> Result<(), FileError> {
        self.file.replace(&self.purpose.text(state))
    }
}

impl Purpose {
    fn text(&self, state: &State) -> String {
        record::seal(&Content {
            plan: self.plan.clone(),
            shard: self.shard,
            counted: state.counted,
            done: state.done.clone(),
            kernel: self.kernel.clone(),
            version: self.version.clone(),
        })
    }

    /// Reads what a file says is done.
    fn state(&self, bytes: &[u8]) -> Result<State, Flaw> {
        let content: Content = record::unseal(bytes)?;
        record::same_part((&content.plan, content.shard), (&self.plan, self.shard))?;
        let positions = content.shard.tasks_of(content.plan.tasks);
        content.counted.check(positions)?;
        if content.done.len() != content.counted.tasks || content.done.end() > positions {
            return Err(Flaw::Damaged("its list of tasks is wrong".to_owned()));
        }
        check_double(&content.counted, self.double_check)?;
        Ok(State {
            done: content.done,
            counted: content.counted,
        })
    }
}

#[cfg(test)]
mod tests;
