//! What is being timed, on stderr: a line that is redrawn on a terminal, elsewhere one now and
//! then.
//!
//! The threads that are timed only add to a number when a task is done; a thread of its own
//! draws, seldom enough to take nothing from them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{FormattedDuration, ProgressBar};

use crate::cli::drawing::{Drawing, Shown};

/// The progress of the runs at one size.
pub struct Progress {
    state: Arc<State>,
    _drawing: Option<Drawing>,
}

struct State {
    start: Instant,
    what: Mutex<String>,
    done: AtomicU64,
    tasks: AtomicU64,
}

impl Progress {
    /// Begins to show it, off a terminal a line each time `every` is over; `None` shows nothing.
    pub fn start(every: Option<Duration>) -> Progress {
        let state = Arc::new(State {
            start: Instant::now(),
            what: Mutex::default(),
            done: AtomicU64::new(0),
            tasks: AtomicU64::new(0),
        });
        let drawing = every.map(|every| Drawing::start(Arc::clone(&state), every));
        Progress {
            state,
            _drawing: drawing,
        }
    }

    /// Says what runs now.
    pub fn says(&self, what: String) {
        *self.state.what.lock().expect("nothing panics with it") = what;
        self.begin(0);
    }

    /// A count of so many tasks begins.
    pub fn begin(&self, tasks: u64) {
        self.state.done.store(0, Ordering::Relaxed);
        self.state.tasks.store(tasks, Ordering::Relaxed);
    }

    /// Takes note of a finished task.
    pub fn task_done(&self) {
        self.state.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Shown for State {
    /// Seldom: the runs that are timed need the cores.
    const REDRAW: Duration = Duration::from_millis(500);

    fn bar(&self) -> ProgressBar {
        ProgressBar::new_spinner()
    }

    fn draw(&self, spinner: &ProgressBar) {
        spinner.set_message(self.line());
        spinner.tick();
    }

    fn line(&self) -> String {
        let what = self.what.lock().expect("nothing panics with it").clone();
        let (done, tasks) = (&self.done, &self.tasks);
        let tasks = match tasks.load(Ordering::Relaxed) {
            0 => String::new(),
            tasks => format!(", {} of {tasks} tasks", done.load(Ordering::Relaxed)),
        };
        let elapsed = FormattedDuration(self.start.elapsed());
        format!("{what}{tasks}, {elapsed} at this size")
    }
}
