//! The policy file, read again while the service runs.

use std::io;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};
use tollgate_policy::file::{Diagnostics, Reload, Watch};

use crate::{Engine, limiter_of};

/// How often the file is looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// SIGHUP, which asks for the file to be read at once. Until this is called it ends the process.
///
/// # Errors
///
/// A handler cannot be installed.
pub fn hangup_signal() -> io::Result<Signal> {
    signal(SignalKind::hangup())
}

impl Engine {
    /// Looks at the file each second, and reads it at once on SIGHUP. Never ends.
    pub async fn keep_current(self, mut hangup: Signal) {
        let mut ticks = interval(INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_asked_for = tokio::select! {
                _ = ticks.tick() => false,
                // There is no end of signals while the process lives.
                Some(()) = hangup.recv() => true,
            };
            let engine = self.clone();
            let reading = spawn_blocking(move || {
                // What came of it is in the log and in the metrics.
                if is_asked_for {
                    let _ = engine.reload();
                } else {
                    let _ = engine.poll();
                }
            });
            // A panic there is in the log, and what was in force stays.
            let _ = reading.await;
        }
    }

    /// Looks whether the file has become another one, and puts it in force if so; `None` if it is
    /// the same, or was found as it is for the first time, since it may still be written to. Blocks.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file, warnings among them. What was in force stays.
    pub fn poll(&self) -> Option<Result<Reload, Diagnostics>> {
        // Held until the file is in force, so that of two the later one stays.
        let mut watch = self.lock();
        let reload = watch.poll()?;
        Some(self.put_in_force(reload))
    }

    /// Reads the file now and puts it in force. Blocks.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file, warnings among them. What was in force stays.
    pub fn reload(&self) -> Result<Reload, Diagnostics> {
        let mut watch = self.lock();
        let reload = watch.reload();
        self.put_in_force(reload)
    }

    fn put_in_force(&self, reload: Result<Reload, Diagnostics>) -> Result<Reload, Diagnostics> {
        let reload = reload?;
        let limiter = self.limiter();
        // The same store, so that what was used stays used.
        let policies = limiter
            .policies()
            .with_policies(reload.file.policies.clone());
        limiter.replace_with(&limiter_of(policies, &reload.file));
        self.shared.counts.policies_changed();
        Ok(reload)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Watch> {
        // A panic while it was held has left a file that was in force.
        let watch = self.shared.watch.lock();
        watch.unwrap_or_else(PoisonError::into_inner)
    }
}
