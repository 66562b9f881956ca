//! The threads of a run: a pool of its own, never the process's global one.

use thiserror::Error;

/// A fixed number of threads that count tasks.
#[derive(Debug)]
pub struct Pool(rayon::ThreadPool);

/// Why there is no pool.
#[derive(Debug, Error)]
pub enum PoolError {
    /// No pool has so few or so many threads.
    #[error("{0} threads are out of range: there must be from 1 to {max}", max = Pool::MOST)]
    OutOfRange(usize),
    /// The system gave no threads.
    #[error("cannot start {threads} threads; fewer may work")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// The system's answer.
        source: rayon::ThreadPoolBuildError,
    },
}

impl Pool {
    /// The most threads a pool may have: more than the largest machines' cores.
    pub const MOST: usize = 4096;

    /// A pool of so many threads.
    ///
    /// # Errors
    /// [`PoolError`] if the number is not from 1 to [`Pool::MOST`] or the system refuses.
    pub fn new(threads: usize) -> Result<Pool, PoolError> {
        if !(1..=Pool::MOST).contains(&threads) {
            return Err(PoolError::OutOfRange(threads));
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("queens-{index}"))
            .build()
            .map(Pool)
            .map_err(|source| PoolError::Threads { threads, source })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Runs `work` inside the pool, so that its parallel iterators use these threads.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.0.install(work)
    }
}
