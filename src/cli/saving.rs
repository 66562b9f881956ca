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

/// A checkpoint, and what it takes to keep it up to date.
pub struct Saving {
    checkpoint: Option<Mutex<Checkpoint>>,
    path: PathBuf,
    every: Duration,
    quiet: bool,
    requests: Sender<Request>,
    /// The saver's end.
    requested: Mutex<Receiver<Request>>,
}

enum Request {
    Save,
    End,
}

impl Saving {
    /// Takes over SIGUSR1 and the checkpoint file, if the options name one, and reads it.
    pub fn open(
        long: &LongRun,
        purpose: Purpose,
        quiet: bool,
    ) -> anyhow::Result<(Option<Saving>, State)> {
        let Some(path) = &long.checkpoint else {
            return Ok((None, State::default()));
        };
        let (requests, requested) = mpsc::channel();
        forward_sigusr1(requests.clone())?;
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
            requested: Mutex::new(requested),
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
            let result = work();
            // The saver listens until this arrives.
            let _ = self.requests.send(Request::End);
            (result, saver.join().expect("saving does not panic"))
        })
    }

    fn save_until_the_end(&self, state: &dyn Fn() -> State) -> bool {
        let requested = self.requested.lock().expect("one saver at a time");
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

/// Asks for a save whenever SIGUSR1 comes, which otherwise would end the process.
fn forward_sigusr1(requests: Sender<Request>) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGUSR1]).context("cannot handle signals")?;
    thread::Builder::new()
        .name("save requests".to_owned())
        .spawn(move || {
            for _ in signals.forever() {
                // Nobody listens any more when the count is done.
                let _ = requests.send(Request::Save);
            }
        })
        .context("cannot handle signals")?;
    Ok(())
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
