//! What operators see of decisions.

#[cfg(feature = "metrics")]
mod counters;
#[cfg(feature = "tracing")]
mod denials;
#[cfg(feature = "file")]
pub(crate) mod reloads;

#[cfg(feature = "metrics")]
pub use counters::describe_metrics;

use crate::{Decision, PolicySet};

/// Sees every decision of a limiter. Without features there is nothing in it.
#[derive(Debug)]
pub(crate) struct Observer {
    #[cfg(feature = "metrics")]
    counters: counters::Counters,
    #[cfg(feature = "tracing")]
    denials: denials::Denials,
}

impl Observer {
    #[cfg_attr(
        not(feature = "metrics"),
        expect(unused_variables, reason = "only metrics are kept for each policy")
    )]
    pub(crate) fn of(set: &PolicySet) -> Self {
        Self {
            #[cfg(feature = "metrics")]
            counters: counters::Counters::of(set),
            #[cfg(feature = "tracing")]
            denials: denials::Denials::default(),
        }
    }

    /// Sees a decision, by the limiter's own set or by another one.
    #[inline]
    #[cfg_attr(
        not(any(feature = "metrics", feature = "tracing")),
        expect(clippy::unused_self, reason = "without features nobody looks")
    )]
    #[cfg_attr(
        not(feature = "metrics"),
        expect(unused_variables, reason = "only metrics are kept for each policy")
    )]
    pub(crate) fn decided(&self, decision: &Decision, is_by_set: bool) {
        #[cfg(feature = "metrics")]
        self.counters.count(decision, is_by_set);
        #[cfg(feature = "tracing")]
        if !decision.is_allowed() {
            self.denials.tell(decision);
        }
    }
}
