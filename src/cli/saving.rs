//! Checkpoints under way: a thread that saves now and then, and when SIGUSR1 asks for it.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use queens::run::checkpoint::{Checkpoint, Purpose, State};
use queens::run::record::{FileError, Flaw};
use queens::run::shard::Shard;
use signal_hook::consts::SIGUSR1;
use signal_hook::iterator::Signals;

use super::args::seconds;
use super::tell;

/// Options of a count that may take long.
#[derive(Debug, Default, clap::Args)]
pub struct LongRun {
    /// Save the state in FILE now and then; the same command again goes on from there
    ///
    /// Any number of threads, any kernel and machine may go on. SIGUSR1 saves at once; SIGINT
    /// and SIGTERM save, and stop. The file is kept when the count is complete.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,

    /// Seconds between two saves
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, allow_negative_numbers = true, requires = "checkpoint")]
    pub checkpoint_every: Duration,

    /// Begin anew: a checkpoint or shard record that is there gets a new name (FILE.old)
    #[arg(long)]
    pub force_new: bool,

    /// Count every task in two different ways and compare
    ///
    /// join: again by another kernel and with another depth of prefixes; backtrack: again in the
    /// mirrored tree. Takes twice as long, or longer where the other kernel is slower.
    #[arg(long)]
    pub double_check: bool,
}

/// SIGUSR1 as requests to save, from before a count is set up until it ends.
pub struct SaveRequests {
    sender: Sender<Request>,
    /// The saver's end.
    receiver: Mutex<Receiver<Request>>,
}

/// A checkpoint, and what it takes to keep it up to date.
pub struct Saving<'a> {
    checkpoint: Option<Mutex<Checkpoint>>,
    path: PathBuf,
    every: Duration,
    quiet: bool,
    requests: &'a SaveRequests,
}

enum Request {
    Save,
    End,
}

impl SaveRequests {
    /// Takes over SIGUSR1, which otherwise would end the process. What is asked before there is
    /// a saver waits for it.
    pub fn install() -> anyhow::Result<SaveRequests> {
        let (sender, receiver) = mpsc::channel();
        let mut signals = Signals::new([SIGUSR1]).context("cannot handle signals")?;
        let requests = sender.clone();
        thread::Builder::new()
            .name("save requests".to_owned())
            .spawn(move || {
                for _ in signals.forever() {
                    // Nobody listens any more when the count is done.
                    let _ = requests.send(Request::Save);
                }
            })
            .context("cannot handle signals")?;
        Ok(SaveRequests {
            sender,
            receiver: Mutex::new(receiver),
        })
    }
}

impl<'a> Saving<'a> {
    /// Takes over the checkpoint file, if the options name one, and reads it.
    pub fn open(
        long: &LongRun,
        purpose: Purpose,
        requests: Option<&'a SaveRequests>,
        quiet: bool,
    ) -> anyhow::Result<(Option<Saving<'a>>, State)> {
        let Some(path) = &long.checkpoint else {
            return Ok((None, State::default()));
        };
        let requests = requests.expect("SIGUSR1 is taken over where a checkpoint is named");
        let shard = purpose.shard;
        let opened = if long.force_new {
            Checkpoint::begin_anew(path, purpose).map(|(checkpoint, aside)| {
                if let Some(aside) = aside.filter(|_| !quiet) {
                    let (path, aside) = (path.display(), aside.display());
                    tell(format_args!("queens: {path} was there: it is {aside} now"));
                }
                (checkpoint, State::default())
            })
        } else {
            Checkpoint::open(path, purpose)
        };
        let (checkpoint, state) = match opened {
            Ok((checkpoint, state)) => {
                if !checkpoint.is_locked() {
                    tell(format_args!(
                        "queens: warning: the file system of {} has no locks: see to it that no \
                         other process uses this checkpoint",
                        path.display()
                    ));
                }
                (Some(Mutex::new(checkpoint)), state)
            }
            // A scheduler may start a shard twice; both must end in a good record.
            Err(error @ FileError::Locked(_)) if shard != Shard::WHOLE => {
                tell(format_args!(
                    "queens: warning: {error}: counting shard {shard} without a checkpoint"
                ));
                (None, State::default())
            }
            Err(error) => return Err(explained(error)),
        };
        let saving = Saving {
            checkpoint,
            path: path.clone(),
            every: long.checkpoint_every,
            quiet,
            requests,
        };
        Ok((Some(saving), state))
    }

    /// The name of the file, if it is kept up to date.
    pub fn path(&self) -> Option<&Path> {
        self.checkpoint.as_ref().map(|_| self.path.as_path())
    }

    /// Does the work, saves what `state` says meanwhile, and once more when the work is done.
    /// The second result tells whether that last save worked.
    pub fn during<R>(
        &self,
        state: &(dyn Fn() -> State + Sync),
        work: impl FnOnce() -> R,
    ) -> (R, bool) {
        thread::scope(|scope| {
            let saver = scope.spawn(|| self.save_until_the_end(state));
            // Sent even where the work panics: the saver listens until it arrives.
            let end = End(&self.requests.sender);
            let result = work();
            drop(end);
            (result, saver.join().expect("saving does not panic"))
        })
    }

    fn save_until_the_end(&self, state: &dyn Fn() -> State) -> bool {
        let requested = self.requests.receiver.lock().expect("one saver at a time");
        let mut failing = false;
        let mut next = Instant::now() + self.every;
        loop {
            let wait = next.saturating_duration_since(Instant::now());
            let request = requested.recv_timeout(wait);
            if matches!(request, Err(RecvTimeoutError::Disconnected)) {
                return false;
            }
            let end = matches!(request, Ok(Request::End));
            let asked = matches!(request, Ok(Request::Save));
            let Some(checkpoint) = &self.checkpoint else {
                if asked {
                    tell(format_args!(
                        "queens: warning: nothing saved: this process has no checkpoint"
                    ));
                }
                if end {
                    return false;
                }
                next = Instant::now() + self.every;
                continue;
            };
            let state = state();
            let mut checkpoint = checkpoint.lock().expect("one saver at a time");
            match checkpoint.save(&state) {
                Ok(()) => {
                    if (asked || failing) && !self.quiet {
                        let tasks = state.counted().tasks;
                        tell(format_args!(
                            "queens: saved {tasks} tasks in {}",
                            self.path.display()
                        ));
                    }
                    failing = false;
                }
                // Said once, or when the user waits for an answer.
                Err(error) => {
                    if !failing || asked || end {
                        let then = if end {
                            ""
                        } else {
                            "; the count goes on and tries again"
                        };
                        tell(format_args!(
                            "queens: warning: not saved: {}{then}",
                            told(error)
                        ));
                    }
                    failing = true;
                }
            }
            if end {
                return !failing;
            }
            next = Instant::now() + self.every;
        }
    }
}

/// Tells the saver that the work has ended, however it did.
struct End<'a>(&'a Sender<Request>);

impl Drop for End<'_> {
    fn drop(&mut self) {
        let _ = self.0.send(Request::End);
    }
}

/// An error with everything behind it, on one line.
fn told(error: FileError) -> String {
    format!("{:#}", anyhow::Error::from(error))
}

/// Says what can be done about a file that is there and is not right.
pub fn explained(error: FileError) -> anyhow::Error {
    let advice = match &error {
        FileError::Flaw {
            flaw: Flaw::Newer(_),
            ..
        } => None,
        FileError::Flaw { .. } => {
            Some("it is left as it is; --force-new begins anew and keeps it under another name")
        }
        _ => None,
    };
    match advice {
        Some(advice) => anyhow::anyhow!("{} ({advice})", told(error)),
        None => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn work_that_panics_ends_the_saver_too() {
        let (told, heard) = mpsc::channel();
        thread::spawn(move || {
            let (sender, receiver) = mpsc::channel();
            let requests = SaveRequests {
                sender,
                receiver: Mutex::new(receiver),
            };
            let saving = Saving {
                checkpoint: None,
                path: PathBuf::new(),
                every: Duration::from_secs(3600),
                quiet: true,
                requests: &requests,
            };
            let work = || saving.during(&State::default, || panic!("the test's own"));
            let _ = told.send(catch_unwind(AssertUnwindSafe(work)).is_err());
        });
        assert_eq!(heard.recv_timeout(Duration::from_secs(60)), Ok(true));
    }
}
