//! The threads that serve connections.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;

/// A few threads, each with a runtime of its own. A connection stays on the thread that it was given
/// to. Dropping them ends the threads, and what still runs on them.
///
/// If there are none, connections are served in the runtime that accepts them.
pub(crate) struct Workers {
    workers: Vec<Worker>,
    end: CancellationToken,
}

struct Worker {
    runtime: Handle,
    /// How many futures it has.
    load: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl Workers {
    /// Begins `count` threads.
    pub(crate) fn start(count: usize) -> io::Result<Self> {
        let end = CancellationToken::new();
        let workers = (0..count).map(|index| Worker::start(index, end.clone()));
        Ok(Self {
            workers: workers.collect::<io::Result<_>>()?,
            end,
        })
    }

    /// Runs a future on the thread that has the fewest. Must be called in a runtime.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let idlest = self.workers.iter().min_by_key(|worker| worker.load());
        let Some(worker) = idlest else {
            tokio::spawn(future);
            return;
        };
        let load = Counted::one_more(&worker.load);
        worker.runtime.spawn(async move {
            future.await;
            drop(load);
        });
    }
}

impl Worker {
    fn start(index: usize, end: CancellationToken) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let thread = thread::Builder::new()
            .name(format!("tollgate-{index}"))
            .spawn(move || runtime.block_on(end.cancelled()))?;
        Ok(Self {
            runtime: handle,
            load: Arc::default(),
            thread: Some(thread),
        })
    }

    fn load(&self) -> usize {
        self.load.load(Ordering::Relaxed)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.end.cancel();
        for worker in &mut self.workers {
            if let Some(thread) = worker.thread.take() {
                // A panic there has been told by the thread itself.
                let _ = thread.join();
            }
        }
    }
}

/// Counts one while it lives, also if its task panics.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn one_more(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
