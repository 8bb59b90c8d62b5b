//! How far a run has come, for whoever waits for it.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::log::Stoppable;

/// How far a run has come. Share it with another thread to draw a progress bar, or to stop the run.
#[derive(Debug, Default)]
pub struct Progress {
    total: AtomicU64,
    consumed: AtomicU64,
    lines: AtomicU64,
    requests: AtomicU64,
    stop: Stop,
}

/// Whether to stop, for whoever waits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    stopped: Arc<AtomicBool>,
    /// What stops this one, too.
    other: Option<Arc<Progress>>,
}

impl Stop {
    pub(crate) fn is_stopped(&self) -> bool {
        let is_other_stopped = || self.other.as_ref().is_some_and(|other| other.is_stopped());
        self.stopped.load(Ordering::Relaxed) || is_other_stopped()
    }
}

impl Progress {
    /// Nothing was read yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The progress of a run beside another one, which stops when that one is stopped.
    #[must_use]
    pub fn beside(other: &Arc<Self>) -> Self {
        Self {
            stop: Stop {
                other: Some(Arc::clone(other)),
                ..Stop::default()
            },
            ..Self::default()
        }
    }

    /// Ends the run soon: what was read is decided, and the report says that it is not complete.
    /// Nothing waits, so that a handler of signals may call it.
    pub fn stop(&self) {
        self.stop.stopped.store(true, Ordering::Relaxed);
    }

    /// True after [`stop`](Self::stop).
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// The same for whoever waits elsewhere.
    pub(crate) fn stopper(&self) -> Stop {
        self.stop.clone()
    }

    /// What reads from a pipe, or from anything that may be silent for long, until this is told to stop:
    /// then reading fails, and does not wait for what may never come. A thread reads ahead, and stays
    /// until the pipe ends or gives something that nobody takes.
    ///
    /// # Errors
    ///
    /// There can be no thread.
    pub fn reader(&self, from: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Stoppable::new(from, self.stopper())?))
    }

    /// The bytes of all logs as they are stored; 0 while that is not known, or as long as one of them
    /// is a pipe.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// The bytes that were read, as they are stored.
    #[must_use]
    pub fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    /// The lines that were read.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines.load(Ordering::Relaxed)
    }

    /// The requests that were decided.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    pub(crate) fn set_total(&self, bytes: u64) {
        self.total.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn read(&self, bytes: u64, lines: u64) {
        self.consumed.fetch_add(bytes, Ordering::Relaxed);
        self.lines.fetch_add(lines, Ordering::Relaxed);
    }

    pub(crate) fn decided(&self, requests: u64) {
        self.requests.fetch_add(requests, Ordering::Relaxed);
    }

    /// Begins again, for another pass over the same logs.
    pub(crate) fn begin(&self) {
        for count in [&self.total, &self.consumed, &self.lines, &self.requests] {
            count.store(0, Ordering::Relaxed);
        }
    }
}
