//! Responses that are still to come.

use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_policy::{Decision, PolicyLimiter};

use crate::later::Later;

/// The most requests that wait for their response. Above it, the first one is settled early.
const MOST: usize = 16_384;

/// Decisions to be settled when their response is sent, each with its status.
#[derive(Debug, Default)]
pub(crate) struct Settling(Later<(Box<Decision>, u16)>);

type Limiter = PolicyLimiter<MemoryStore<ManualClock>>;

impl Settling {
    /// Settles what is answered by `now`: a response that is sent in the same instant as a request
    /// comes was sent before it.
    pub(crate) fn settle(&mut self, limiter: &Limiter, clock: &ManualClock, now: u64) {
        while let Some((due, (decision, status))) = self.0.pop_due(now) {
            clock.set(Timestamp::from_micros(due));
            limiter.settle_now(&decision, status);
        }
    }

    /// Waits for the response of a decision: when it is sent, and its status.
    pub(crate) fn wait(
        &mut self,
        limiter: &Limiter,
        (due, status): (u64, u16),
        decision: Decision,
    ) {
        let early = self.0.push(due, (Box::new(decision), status), MOST);
        if let Some((decision, status)) = early {
            limiter.settle_now(&decision, status);
        }
    }
}
