//! The task that finds out when the store is back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::{Shared, flight};
use crate::Store;

/// Whether a task probes, and which. It ends with the guard.
#[derive(Debug, Default)]
pub(super) struct Prober {
    is_running: AtomicBool,
    task: Mutex<Option<AbortHandle>>,
}

impl Drop for Prober {
    fn drop(&mut self) {
        let task = self.task.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = task.take() {
            task.abort();
        }
    }
}

/// Sees to it that there is a task, unless there is no runtime for it.
pub(super) fn ensure<S: Store>(shared: &Arc<Shared<S>>) {
    let prober = &shared.prober;
    if prober.is_running.load(Ordering::SeqCst) {
        return;
    }
    let Ok(runtime) = Handle::try_current() else {
        return;
    };
    if prober.is_running.swap(true, Ordering::SeqCst) {
        return;
    }
    let running = Running(Arc::downgrade(shared));
    let task = runtime.spawn(probe_until_closed(running));
    let mut known = prober.task.lock().unwrap_or_else(PoisonError::into_inner);
    *known = Some(task.abort_handle());
}

/// Says that the task runs, until it is dropped: also with a runtime that is shut down, so that
/// the next call makes another.
struct Running<S>(Weak<Shared<S>>);

impl<S> Running<S> {
    /// How long to wait for the next probe; `None` if there is nothing to find out any more.
    fn next_wait(&mut self) -> Option<Duration> {
        let shared = self.0.upgrade()?;
        let is_running = &shared.prober.is_running;
        if shared.breaker.open_generation().is_none() {
            // Whoever opens the breaker from here on either finds no task and makes one, or is
            // seen below.
            is_running.store(false, Ordering::SeqCst);
            let is_needed = shared.breaker.open_generation().is_some();
            if !is_needed || is_running.swap(true, Ordering::SeqCst) {
                // The word is another task's now.
                self.0 = Weak::new();
                return None;
            }
        }
        Some(shared.changes.next_wait())
    }
}

impl<S> Drop for Running<S> {
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            shared.prober.is_running.store(false, Ordering::SeqCst);
        }
    }
}

async fn probe_until_closed<S: Store>(mut running: Running<S>) {
    // The guard is held on to only between awaits, so that it can be dropped at any of them.
    while let Some(wait) = running.next_wait() {
        tokio::time::sleep(wait).await;
        let Some((store, deadline)) = running
            .0
            .upgrade()
            .map(|shared| (Arc::clone(&shared.store), shared.deadline))
        else {
            return;
        };
        let answer = flight::within(deadline, store.probe()).await;
        drop(store);
        if matches!(answer, Ok(Ok(())))
            && let Some(shared) = running.0.upgrade()
        {
            shared.close();
        }
    }
}

impl<S> Shared<S> {
    fn close(&self) {
        if let Some(generation) = self.breaker.open_generation() {
            let degraded = || self.counters.degraded();
            self.changes
                .close(&self.breaker, generation, degraded, &self.ended);
        }
    }
}
