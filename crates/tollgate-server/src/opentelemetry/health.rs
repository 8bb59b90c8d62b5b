//! Whether collectors take what is exported: a line in the log when that changes.

use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

use super::client::Failure;
use super::settings::{Signal, Target};

/// How exports to one collector go.
#[derive(Debug, Default)]
pub(super) struct Health(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The signals that were not taken last.
    failing: Vec<Signal>,
    since: Option<Instant>,
}

impl Health {
    /// An export was taken.
    pub(super) fn taken(&self, signal: Signal) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failing.retain(|it| *it != signal);
        if state.failing.is_empty()
            && let Some(since) = state.since.take()
        {
            let lasted = since.elapsed().as_secs_f64();
            tracing::info!(lasted, "exports by OTLP are taken again");
        }
    }

    /// An export was not. Said once, however long it lasts and whatever else is not taken.
    pub(super) fn not_taken(&self, target: &Target, failure: &Failure) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.failing.contains(&target.signal) {
            state.failing.push(target.signal);
        }
        let (endpoint, signal) = (&target.endpoint, target.signal.name());
        let cause = &failure.cause;
        if state.since.is_none() {
            state.since = Some(Instant::now());
            tracing::warn!(
                %endpoint, signal, cause,
                "an export by OTLP was not taken; requests are answered as before, and exports go on"
            );
        } else {
            tracing::debug!(%endpoint, signal, cause, "an export by OTLP was not taken");
        }
    }

    /// True if the last export of a signal was not taken.
    pub(super) fn is_failing(&self, signal: Signal) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failing.contains(&signal)
    }
}
