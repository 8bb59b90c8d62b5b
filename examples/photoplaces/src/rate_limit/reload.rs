//! The policy file, read again while the service runs.

use std::io;
use std::sync::PoisonError;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};
use tollgate_policy::file::{Diagnostics, Reload, Watch};

use super::{RateLimits, settings};

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

impl RateLimits {
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
            let limits = self.clone();
            let reading = spawn_blocking(move || {
                if is_asked_for {
                    limits.reload();
                } else {
                    limits.poll();
                }
            });
            // A panic there is in the log, and what was in force stays.
            let _ = reading.await;
        }
    }

    /// Reads the file if it has become another one, and puts it in force; true if it was. Blocks.
    pub fn poll(&self) -> bool {
        self.read(Watch::poll)
    }

    /// Reads the file now and puts it in force; true if it was. Blocks.
    pub fn reload(&self) -> bool {
        self.read(|watch| Some(watch.reload()))
    }

    fn read(&self, read: impl FnOnce(&mut Watch) -> Option<Result<Reload, Diagnostics>>) -> bool {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        // What is wrong has been logged and counted, and what is in force stays.
        let Some(Ok(Reload { file, .. })) = read(&mut watch) else {
            return false;
        };
        // The same store, so that what was used stays used.
        let policies = self.limiter.policies().with_policies(file.policies.clone());
        self.limiter
            .replace_with(&settings::limiter(policies, &file));
        self.counts.policies_changed();
        true
    }
}
