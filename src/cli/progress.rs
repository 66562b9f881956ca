//! How far a count has come, on stderr: a bar on a terminal, elsewhere a plain line now and then.
//!
//! The counting threads only add to two numbers; a thread of its own draws. The time left is
//! the time so far, scaled by the tasks still to do: methods list their tasks so that those
//! finished at any time are a fair sample of all.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{FormattedDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use queens::run::record::Counted;
use queens::run::tally::Count;

use super::args::{ShowProgress, Work};
use super::drawing::{Drawing, Shown};
use super::tell;

/// The progress of one run.
pub struct Progress {
    state: Arc<State>,
    drawing: Option<Drawing>,
    final_line: bool,
}

struct State {
    what: String,
    tasks: u64,
    /// What was done when this process began.
    before: Counted,
    start: Instant,
    done: Mutex<(u64, u128)>,
}

impl Progress {
    /// Begins to show the progress of a run of so many tasks, as `work` asks for it. Those
    /// in `before` were done by an earlier process.
    pub fn start(work: &Work, what: String, tasks: u64, before: &Counted) -> Progress {
        let state = Arc::new(State {
            what,
            tasks,
            before: *before,
            start: Instant::now(),
            done: Mutex::new((before.tasks, before.solutions)),
        });
        let shown = work.progress != ShowProgress::Never && !work.quiet;
        let drawing = shown.then(|| Drawing::start(Arc::clone(&state), work.progress_every));
        Progress {
            state,
            drawing,
            final_line: shown && work.progress == ShowProgress::Always,
        }
    }

    /// Takes note of a finished task.
    pub fn task_done(&self, count: &Count) {
        let mut done = self
            .state
            .done
            .lock()
            .expect("no thread panics while it adds");
        done.0 += 1;
        // A sum that does not fit is the run's error to report, not this one's.
        done.1 = done.1.saturating_add(count.solutions);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.drawing = None;
        if self.final_line {
            tell(self.state.line());
        }
    }
}

impl State {
    fn done(&self) -> (u64, u128) {
        *self.done.lock().expect("no thread panics while it adds")
    }

    fn left(&self, done: u64) -> String {
        // By this process's tasks, or else by those of the process before it.
        let (seconds, tasks) = match done - self.before.tasks {
            0 => (self.before.seconds, self.before.tasks),
            now => (self.start.elapsed().as_secs_f64(), now),
        };
        match tasks {
            0 => "time left unknown".to_owned(),
            tasks => {
                let left = seconds * (self.tasks - done) as f64 / tasks as f64;
                let left = Duration::try_from_secs_f64(left.ceil()).unwrap_or(Duration::MAX);
                format!("{} left", FormattedDuration(left))
            }
        }
    }
}

impl Shown for State {
    const REDRAW: Duration = Duration::from_millis(100);

    fn bar(&self) -> ProgressBar {
        let target = ProgressDrawTarget::stderr_with_hz(20);
        let style = ProgressStyle::with_template("{prefix} [{wide_bar}] {pos}/{len}, {msg}")
            .expect("the template is well formed")
            .progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(Some(self.tasks), target).with_style(style);
        bar.set_prefix(self.what.clone());
        bar
    }

    fn draw(&self, bar: &ProgressBar) {
        let (done, solutions) = self.done();
        // Short, so that 80 columns have room for the bar.
        bar.set_position(done);
        bar.set_message(format!("{solutions} solutions, {}", self.left(done)));
    }

    fn line(&self) -> String {
        let (done, solutions) = self.done();
        let percent = if self.tasks == 0 {
            100.0
        } else {
            100.0 * done as f64 / self.tasks as f64
        };
        format!(
            "{}: {done} of {} tasks ({percent:.1} %), {solutions} solutions so far, {} elapsed, {}",
            self.what,
            self.tasks,
            FormattedDuration(self.start.elapsed()),
            self.left(done)
        )
    }
}
