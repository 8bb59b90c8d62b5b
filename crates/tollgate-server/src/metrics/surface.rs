//! What goes on at one surface.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use http::HeaderMap;
use tokio::time::Instant;
use tollgate_policy::{Decision, Reason};

use super::seconds::Seconds;
use crate::trace::{Tracer, Tracing};

/// What a client is told to wait whose request was too many.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is let through.
    Allow,
    /// It is not.
    Deny,
    /// It is no request that can be decided: a mistake of the client's.
    Invalid,
    /// It came while too many were in flight. [`Surface::begin`] counts it.
    Overloaded,
    /// The daemon could not answer it: a mistake of ours, or the store's.
    Failed,
    /// It asked for no decision.
    Other,
    /// Nobody waited for the answer. Counted by itself.
    Cancelled,
}

impl Outcome {
    /// How a request ends that was decided so. To be denied since the store has failed is no denial.
    pub(crate) fn of(decision: &Decision) -> Self {
        match decision.reason() {
            Reason::StoreFailedDeny => Self::Failed,
            _ if decision.is_allowed() => Self::Allow,
            _ => Self::Deny,
        }
    }

    pub(super) const ALL: [(Self, &'static str); 7] = [
        (Self::Allow, "allow"),
        (Self::Deny, "deny"),
        (Self::Invalid, "invalid"),
        (Self::Overloaded, "overloaded"),
        (Self::Failed, "failed"),
        (Self::Other, "other"),
        (Self::Cancelled, "cancelled"),
    ];
}

/// Why a connection was not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The listener has as many as it may.
    MaxConnections,
    /// Its peer has as many as one may.
    MaxConnectionsPerPeer,
    /// No agreement was reached on encryption: no certificate of the client's, or no TLS at all.
    Handshake,
    /// The handshake took too long.
    HandshakeTimeout,
}

impl Refusal {
    pub(super) const ALL: [(Self, &'static str); 4] = [
        (Self::MaxConnections, "max_connections"),
        (Self::MaxConnectionsPerPeer, "max_connections_per_peer"),
        (Self::Handshake, "handshake"),
        (Self::HandshakeTimeout, "handshake_timeout"),
    ];
}

/// There are as many requests in flight as a surface takes on. What cannot be begun is answered in
/// the words of the protocol, with [`RETRY_AFTER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many requests are in flight; try again in a second")]
pub(crate) struct Overloaded;

/// The counts of one surface, and the bound on what it takes on.
#[derive(Debug)]
pub(crate) struct Surface {
    /// Its label.
    name: &'static str,
    max_in_flight: usize,
    in_flight: AtomicUsize,
    outcomes: [AtomicU64; Outcome::ALL.len()],
    pub(super) seconds: Seconds,
    connections: AtomicUsize,
    accepted: AtomicU64,
    refused: [AtomicU64; Refusal::ALL.len()],
    accept_errors: AtomicU64,
    tracer: Tracer,
}

impl Surface {
    /// `name` is its label; it takes on `max_in_flight` requests at the same time, at least one.
    pub(crate) fn new(name: &'static str, max_in_flight: usize) -> Arc<Self> {
        Self::traced(name, max_in_flight, Tracer::nothing())
    }

    /// The same, whose requests have spans.
    pub(crate) fn traced(name: &'static str, max_in_flight: usize, tracer: Tracer) -> Arc<Self> {
        Arc::new(Self {
            name,
            max_in_flight: max_in_flight.max(1),
            in_flight: AtomicUsize::default(),
            outcomes: Default::default(),
            seconds: Seconds::default(),
            connections: AtomicUsize::default(),
            accepted: AtomicU64::default(),
            refused: Default::default(),
            accept_errors: AtomicU64::default(),
            tracer,
        })
    }

    /// Takes on a request, and begins to measure the time that it takes.
    ///
    /// Two looks at the clock and a few additions that threads share: too much for what is decided
    /// hundreds of times in one reading of a socket, which is counted by
    /// [`count_several`](Self::count_several).
    ///
    /// # Errors
    ///
    /// There are as many as may be. It is counted as such.
    pub(crate) fn begin(self: &Arc<Self>) -> Result<InFlight, Overloaded> {
        if self.in_flight.fetch_add(1, Ordering::Relaxed) >= self.max_in_flight {
            self.in_flight.fetch_sub(1, Ordering::Relaxed);
            self.count(Outcome::Overloaded);
            return Err(Overloaded);
        }
        Ok(InFlight {
            surface: Arc::clone(self),
            begun: Instant::now(),
            outcome: Outcome::Cancelled,
        })
    }

    /// Begins the span of a request, if it is to have one. `name` is what is asked; the fields of the
    /// request say to which trace it belongs.
    #[inline]
    pub(crate) fn trace(&self, name: &'static str, headers: &HeaderMap) -> Tracing {
        self.tracer.begin(self.name, name, headers)
    }

    /// Counts what needed no time: a request that cannot even be read, or one that asks for nothing.
    pub(crate) fn count(&self, outcome: Outcome) {
        self.count_several(outcome, 1);
    }

    /// Counts several that ended alike, at the cost of one.
    pub(crate) fn count_several(&self, outcome: Outcome, several: u64) {
        let place = Outcome::ALL.iter().position(|(it, _)| *it == outcome);
        if let Some(count) = place.and_then(|place| self.outcomes.get(place)) {
            count.fetch_add(several, Ordering::Relaxed);
        }
    }

    /// Counts a connection as accepted, and as open until the guard is dropped.
    pub(crate) fn connected(self: &Arc<Self>) -> Connected {
        self.accepted.fetch_add(1, Ordering::Relaxed);
        self.connections.fetch_add(1, Ordering::Relaxed);
        Connected(Arc::clone(self))
    }

    pub(crate) fn refused(&self, refusal: Refusal) {
        let place = Refusal::ALL.iter().position(|(it, _)| *it == refusal);
        if let Some(count) = place.and_then(|place| self.refused.get(place)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn accept_failed(&self) {
        self.accept_errors.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    pub(super) fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    pub(super) fn accept_errors(&self) -> u64 {
        self.accept_errors.load(Ordering::Relaxed)
    }

    pub(super) fn outcomes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let names = Outcome::ALL.iter().map(|(_, name)| *name);
        names.zip(self.outcomes.iter().map(|it| it.load(Ordering::Relaxed)))
    }

    pub(super) fn refusals(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let names = Refusal::ALL.iter().map(|(_, name)| *name);
        names.zip(self.refused.iter().map(|it| it.load(Ordering::Relaxed)))
    }
}

/// A request that was taken on. Without [`end`](Self::end) it is counted as cancelled.
#[derive(Debug)]
#[must_use = "a request that is dropped is counted as cancelled"]
pub(crate) struct InFlight {
    surface: Arc<Surface>,
    begun: Instant,
    outcome: Outcome,
}

impl InFlight {
    /// It has its answer.
    pub(crate) fn end(mut self, outcome: Outcome) {
        self.outcome = outcome;
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.surface.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.surface.count(self.outcome);
        self.surface.seconds.record(self.begun.elapsed());
    }
}

/// A connection that is open.
#[derive(Debug)]
pub(crate) struct Connected(Arc<Surface>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(surface: &Surface) -> Vec<(&'static str, u64)> {
        surface.outcomes().filter(|(_, count)| *count > 0).collect()
    }

    #[test]
    fn each_request_is_counted_once_by_how_it_ended() {
        let surface = Surface::new("http", 10);
        surface.begin().unwrap().end(Outcome::Allow);
        surface.begin().unwrap().end(Outcome::Deny);
        drop(surface.begin().unwrap());
        assert_eq!(
            counted(&surface),
            [("allow", 1), ("deny", 1), ("cancelled", 1)]
        );
        assert_eq!(surface.in_flight(), 0);
        assert_eq!(surface.seconds.cumulative().last(), Some(("+Inf", 3)));
    }

    #[test]
    fn no_more_are_in_flight_than_may_be_and_a_place_that_is_left_can_be_taken() {
        let surface = Surface::new("grpc", 1);
        let first = surface.begin().unwrap();
        assert_eq!(surface.begin().unwrap_err(), Overloaded);
        assert_eq!(surface.in_flight(), 1);
        first.end(Outcome::Allow);
        surface.begin().unwrap().end(Outcome::Allow);
        assert_eq!(counted(&surface), [("allow", 2), ("overloaded", 1)]);
    }
}
