//! Calls that are waiting for an answer.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::yield_now;
use tokio::time::timeout;

/// Through how many tasks an answer goes on its way from the network to its caller, and some more.
const HANDS: usize = 8;

/// How many calls wait, and how many may.
#[derive(Debug)]
pub(super) struct Flight {
    waiting: AtomicUsize,
    cap: usize,
}

/// A place among the calls that wait, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place<'a>(&'a Flight);

impl Flight {
    pub(super) const fn new(cap: usize) -> Self {
        Self {
            waiting: AtomicUsize::new(0),
            cap,
        }
    }

    /// Takes a place; `None` if all are taken.
    #[inline]
    pub(super) fn board(&self) -> Option<Place<'_>> {
        // It gives the place back if it was one too many.
        let place = Place(self);
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        (before < self.cap).then_some(place)
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed).min(self.cap)
    }
}

impl Drop for Place<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why a future was not waited for any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Late {
    Deadline,
    /// There is nothing that could wake the one who waits.
    NoRuntime,
}

/// The output of a future, if it has one by the deadline. A future that is ready at once needs no
/// timer and no runtime.
pub(super) async fn within<F: Future>(deadline: Duration, future: F) -> Result<F::Output, Late> {
    let mut future = pin!(future);
    if let Poll::Ready(output) = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
    {
        return Ok(output);
    }
    if Handle::try_current().is_err() {
        return Err(Late::NoRuntime);
    }
    if let Ok(output) = timeout(deadline, future.as_mut()).await {
        return Ok(output);
    }
    // Where the process stood still for a while, the answer and the deadline are noticed together,
    // and whoever hands the answer on may have yet to run.
    for _ in 0..HANDS {
        yield_now().await;
        if let Poll::Ready(output) =
            poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
        {
            return Ok(output);
        }
    }
    Err(Late::Deadline)
}
