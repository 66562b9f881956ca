//! The thread that shows how far something has come, on stderr: a bar on a terminal, elsewhere a
//! plain line now and then. Those who work only change what it shows.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::tell;

/// What can be shown.
pub trait Shown: Send + Sync + 'static {
    /// The time between two drawings of the bar.
    const REDRAW: Duration;

    /// The bar of a terminal.
    fn bar(&self) -> ProgressBar;

    /// Brings the bar up to date.
    fn draw(&self, bar: &ProgressBar);

    /// What is said elsewhere.
    fn line(&self) -> String;
}

/// The thread, which ends when this is dropped.
pub struct Drawing {
    /// Dropped to end the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drawing {
    /// Begins to show it, off a terminal a line each time `every` is over.
    pub fn start(shown: Arc<impl Shown>, every: Duration) -> Drawing {
        let (stop, stopped) = mpsc::channel::<()>();
        let goes_on = move |time| stopped.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
        // Hidden where the bar could not be drawn: stderr is no terminal, or a dumb one.
        let terminal = !ProgressDrawTarget::stderr().is_hidden();
        let thread = thread::spawn(move || draw(&*shown, terminal, every, goes_on));
        Drawing {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

fn draw<S: Shown>(shown: &S, terminal: bool, every: Duration, goes_on: impl Fn(Duration) -> bool) {
    if terminal {
        let bar = shown.bar();
        while goes_on(S::REDRAW) {
            shown.draw(&bar);
        }
        bar.finish_and_clear();
    } else {
        while goes_on(every) {
            tell(shown.line());
        }
    }
}

impl Drop for Drawing {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
