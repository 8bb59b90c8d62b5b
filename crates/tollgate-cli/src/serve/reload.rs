//! What is read again while the daemon runs.

use std::time::Duration;

use tokio::signal::unix::Signal;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};
use tollgate_engine::Engine;
use tollgate_server::Certificates;

use super::log::Lines;
use super::manager::Manager;
use super::secrets::Secrets;
use super::unsettled::Unsettled;

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// What is looked at.
pub(super) struct Watched {
    pub(super) engine: Engine,
    pub(super) certificates: Option<Certificates>,
    pub(super) secrets: Secrets,
    pub(super) unsettled: Unsettled,
    pub(super) log: Lines,
}

/// Looks at the policy file, the certificates and the secrets each second, and reads them at once on SIGHUP. Never
/// ends. What came of it is in the log and in the metrics.
pub(super) async fn keep_current(watched: Watched, mut hangup: Signal, manager: Manager) {
    let Watched {
        engine,
        certificates,
        mut secrets,
        mut unsettled,
        log,
    } = watched;
    let mut dropped = 0;
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let is_asked_for = tokio::select! {
            _ = ticks.tick() => false,
            // There is no end of signals while the process lives.
            Some(()) = hangup.recv() => true,
        };
        let (engine, certificates) = (engine.clone(), certificates.clone());
        if is_asked_for {
            manager.say("RELOADING=1");
        }
        let reading = spawn_blocking(move || {
            let read = if is_asked_for {
                let _ = engine.reload();
                Certificates::reload
            } else {
                let _ = engine.poll();
                Certificates::poll
            };
            if let Some(certificates) = &certificates {
                read(certificates);
            }
            secrets.look(is_asked_for);
            unsettled.look(&engine);
            (secrets, unsettled)
        });
        // A panic there is in the log, and what was in force stays.
        (secrets, unsettled) = reading.await.unwrap_or_default();
        if is_asked_for {
            manager.say("READY=1");
        }
        let lines = log.dropped().saturating_sub(dropped);
        if lines > 0 {
            dropped += lines;
            tracing::warn!(
                lines,
                "lines of this log were dropped: whoever keeps standard error is too slow, or has no room"
            );
        }
    }
}
