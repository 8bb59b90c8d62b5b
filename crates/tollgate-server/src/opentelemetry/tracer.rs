//! From requests to spans.

use std::fmt::{Error, Write};
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use tokio::time::Instant;
use tollgate_policy::{Decision, Reason};

use super::context::Parent;
use super::settings::Sampler;
use super::spans::{Decided, Span, Waiting};
use super::tally::Tally;

/// Makes the spans of requests. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Tracer(Option<Arc<Shared>>);

#[derive(Debug)]
pub(super) struct Shared {
    /// `None` if spans are not exported.
    pub(super) sampler: Option<Sampler>,
    pub(super) waiting: Waiting,
    pub(super) tally: Tally,
}

impl Tracer {
    /// Makes none.
    pub(crate) const fn nothing() -> Self {
        Self(None)
    }

    pub(super) const fn new(shared: Arc<Shared>) -> Self {
        Self(Some(shared))
    }

    /// Begins the span of a request, if it is to have one: below the caller's, if the fields of the
    /// request name that. `name` is what is asked, at one of the surfaces.
    #[inline]
    pub(crate) fn begin(
        &self,
        surface: &'static str,
        name: &'static str,
        headers: &HeaderMap,
    ) -> Tracing {
        match &self.0 {
            None => Tracing(None),
            Some(shared) => Tracing(shared.begin(surface, name, headers)),
        }
    }

    /// Writes how exports go, as Prometheus reads it, if there are any.
    pub(crate) fn write_metrics(&self, text: &mut impl Write) -> Result<(), Error> {
        match &self.0 {
            None => Ok(()),
            Some(shared) => shared.tally.write(text, shared.waiting.dropped()),
        }
    }
}

impl Shared {
    fn begin(
        self: &Arc<Self>,
        surface: &'static str,
        name: &'static str,
        headers: &HeaderMap,
    ) -> Option<Box<Begun>> {
        let sampler = self.sampler?;
        let parent = Parent::of(headers);
        let trace = parent.map_or_else(|| fastrand::u128(1..), |parent| parent.trace);
        sampler.samples(parent, trace).then(|| {
            Box::new(Begun {
                shared: Arc::clone(self),
                parent: parent.map_or(0, |parent| parent.span),
                trace,
                name,
                surface,
                start: super::since_epoch(super::wall_clock()),
                begun: Instant::now(),
            })
        })
    }
}

/// A request that is being decided, and its span, if it has one. Without an end it makes none: what
/// is not decided is counted, and no more.
#[derive(Debug)]
#[must_use = "a span is exported when it has ended"]
pub(crate) struct Tracing(Option<Box<Begun>>);

#[derive(Debug)]
struct Begun {
    shared: Arc<Shared>,
    trace: u128,
    parent: u64,
    name: &'static str,
    surface: &'static str,
    start: Duration,
    begun: Instant,
}

impl Tracing {
    /// It is decided.
    #[inline]
    pub(crate) fn end(self, decision: &Decision) {
        self.end_all([decision]);
    }

    /// It is decided by several decisions. What is told is the first that denies, or else the first.
    #[inline]
    pub(crate) fn end_all<'d>(self, decisions: impl IntoIterator<Item = &'d Decision>) {
        if let Some(begun) = self.0 {
            begun.end(decisions.into_iter());
        }
    }
}

impl Begun {
    fn end<'d>(self, decisions: impl Iterator<Item = &'d Decision>) {
        let mut told: Option<&Decision> = None;
        let mut count = 0;
        for decision in decisions {
            count += 1;
            match told {
                Some(told) if decision.is_allowed() || !told.is_allowed() => {}
                _ => told = Some(decision),
            }
        }
        let Some(decision) = told else { return };
        let policy = decision.decided_by();
        self.shared.waiting.push(Span {
            trace: self.trace,
            id: fastrand::u64(1..),
            parent: self.parent,
            name: self.name,
            surface: self.surface,
            start: self.start,
            took: self.begun.elapsed(),
            decided: Decided {
                is_allowed: decision.is_allowed(),
                reason: decision.reason().as_str(),
                policy: policy.map(|it| it.policy().name().into()),
                is_degraded: decision.is_degraded(),
                is_error: decision.reason() == Reason::StoreFailedDeny,
                decisions: count,
            },
        });
    }
}
