//! SIGINT and SIGTERM: stop the run, say how far it came, and die of the signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;

use anyhow::Context;
use queens::method::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};
use thiserror::Error;

/// What a signal does to the runs of this process.
pub struct Interrupt {
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    cancel: Cancel,
    signal: AtomicI32,
}

/// A run that a signal stopped.
#[derive(Debug, Error)]
#[error("stopped by {name} in {what}", name = signal_name(*.signal))]
pub struct Interrupted {
    signal: i32,
    what: String,
}

impl Interrupt {
    /// Takes over SIGINT and SIGTERM. The first one stops the run; a second SIGINT kills at once.
    ///
    /// A second SIGTERM does nothing: a batch system sends it to every process of a job, and the
    /// job's script sends it on, while the first still has the run save what it has.
    pub fn install() -> anyhow::Result<Interrupt> {
        let state = Arc::new(State::default());
        let again = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds the flag down, and raises it.
        flag::register_conditional_default(SIGINT, Arc::clone(&again))
            .and_then(|_| flag::register(SIGINT, again))
            .context("cannot handle signals")?;
        // A file that outgrows its limit (`ulimit -f`) is an error of that write, no death.
        flag::register(SIGXFSZ, Arc::default()).context("cannot handle signals")?;
        let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot handle signals")?;
        let seen = Arc::clone(&state);
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    seen.signal.store(signal, Ordering::SeqCst);
                    seen.cancel.trip();
                }
            })
            .context("cannot handle signals")?;
        Ok(Interrupt { state })
    }

    /// The switch that a signal trips.
    pub fn cancel(&self) -> &Cancel {
        &self.state.cancel
    }

    /// The error to end with when the run for `what` was cancelled.
    pub fn interrupted(&self, what: String, done: u64, tasks: u64) -> anyhow::Error {
        self.stopped(format!(
            "the count for {what} after {done} of {tasks} tasks: no total"
        ))
    }

    /// The error to end with when `what` was cancelled.
    pub fn stopped(&self, what: String) -> anyhow::Error {
        let signal = self.state.signal.load(Ordering::SeqCst);
        Interrupted { signal, what }.into()
    }
}

impl Interrupted {
    /// Ends the process by the signal that stopped the run, so that a shell sees the truth.
    pub fn die(&self) {
        // Returns only where the signal's default is not to end the process.
        let _ = low_level::emulate_default_handler(self.signal);
    }
}

fn signal_name(signal: i32) -> &'static str {
    low_level::signal_name(signal).unwrap_or("a signal")
}
