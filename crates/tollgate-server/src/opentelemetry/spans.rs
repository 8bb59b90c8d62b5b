//! Spans that have ended and wait to be exported: a bounded number.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::message::{self, AnyValue, Attribute, Status};

/// A decision, as a trace shows it. It holds no key, no address, and nothing else of the client's but
/// the numbers of its trace.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) trace: u128,
    pub(super) id: u64,
    /// 0 if the trace begins with it.
    pub(super) parent: u64,
    /// What was asked: one of the daemon's methods.
    pub(super) name: &'static str,
    pub(super) surface: &'static str,
    /// Since the epoch.
    pub(super) start: Duration,
    pub(super) took: Duration,
    pub(super) decided: Decided,
}

/// What was decided.
#[derive(Debug)]
pub(super) struct Decided {
    pub(super) is_allowed: bool,
    pub(super) reason: &'static str,
    /// The policy that decided, if one did.
    pub(super) policy: Option<Box<str>>,
    /// The store made no decision.
    pub(super) is_degraded: bool,
    /// A policy denies since the store has failed.
    pub(super) is_error: bool,
    /// How many decisions the request was.
    pub(super) decisions: usize,
}

/// What waits.
#[derive(Debug)]
pub(super) struct Waiting {
    spans: Mutex<Vec<Span>>,
    max: usize,
    batch: usize,
    /// There are enough for a batch.
    pub(super) full: Notify,
    dropped: AtomicU64,
}

impl Waiting {
    pub(super) const fn new(max: usize, batch: usize) -> Self {
        Self {
            spans: Mutex::new(Vec::new()),
            max,
            batch,
            full: Notify::const_new(),
            dropped: AtomicU64::new(0),
        }
    }

    /// Adds one, or drops it where there are as many as may be: what is there already is closer to
    /// being whole traces.
    pub(super) fn push(&self, span: Span) {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        if spans.len() >= self.max {
            drop(spans);
            self.count_dropped(1);
            return;
        }
        spans.push(span);
        let is_full = spans.len() == self.batch;
        drop(spans);
        if is_full {
            self.full.notify_one();
        }
    }

    /// Takes those that came first, as many as go together.
    pub(super) fn take(&self) -> Vec<Span> {
        let mut spans = self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        if spans.len() <= self.batch {
            return mem::take(&mut spans);
        }
        let later = spans.split_off(self.batch);
        mem::replace(&mut spans, later)
    }

    /// How many were not exported.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    pub(super) fn count_dropped(&self, spans: u64) {
        self.dropped.fetch_add(spans, Ordering::Relaxed);
    }
}

impl From<Span> for message::Span {
    fn from(span: Span) -> Self {
        /// What a server does.
        const SERVER: i32 = 2;
        const ERROR: i32 = 2;
        /// It is recorded; and it is known whether the parent is another process's.
        const RECORDED: u32 = 0x001 | 0x100;
        const REMOTE: u32 = 0x200;
        let decided = span.decided;
        let count = i64::try_from(decided.decisions).unwrap_or(i64::MAX);
        let mut attributes = vec![
            Attribute::text("tollgate.surface", span.surface),
            Attribute::new("tollgate.allowed", AnyValue::Bool(decided.is_allowed)),
            Attribute::text("tollgate.reason", decided.reason),
            Attribute::new("tollgate.degraded", AnyValue::Bool(decided.is_degraded)),
            Attribute::new("tollgate.decisions", AnyValue::Int(count)),
        ];
        if let Some(policy) = decided.policy {
            attributes.push(Attribute::text("tollgate.policy", policy));
        }
        let (parent, flags) = match span.parent {
            0 => (Vec::new(), RECORDED),
            parent => (parent.to_be_bytes().to_vec(), RECORDED | REMOTE),
        };
        Self {
            trace_id: span.trace.to_be_bytes().to_vec(),
            span_id: span.id.to_be_bytes().to_vec(),
            parent_span_id: parent,
            flags,
            name: span.name.to_owned(),
            kind: SERVER,
            start: super::nanos(span.start),
            end: super::nanos(span.start.saturating_add(span.took)),
            attributes,
            status: decided.is_error.then_some(Status { code: ERROR }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(id: u64) -> Span {
        Span {
            trace: 1,
            id,
            parent: 0,
            name: "check",
            surface: "http",
            start: Duration::from_secs(1),
            took: Duration::from_micros(3),
            decided: Decided {
                is_allowed: true,
                reason: "allowed",
                policy: None,
                is_degraded: false,
                is_error: false,
                decisions: 1,
            },
        }
    }

    #[test]
    fn no_more_wait_than_may_and_those_that_came_first_go_first() {
        let waiting = Waiting::new(3, 2);
        for id in 1..=5 {
            waiting.push(span(id));
        }
        assert_eq!(waiting.dropped(), 2);
        let ids = |spans: Vec<Span>| spans.iter().map(|span| span.id).collect::<Vec<_>>();
        assert_eq!(ids(waiting.take()), [1, 2]);
        assert_eq!(ids(waiting.take()), [3]);
        assert!(waiting.take().is_empty());
    }

    #[test]
    fn a_span_ends_when_it_has_taken_its_time() {
        let span = message::Span::from(span(1));
        assert_eq!(span.start, 1_000_000_000);
        assert_eq!(span.end, 1_000_003_000);
        assert_eq!(span.flags, 0x101);
    }
}
