//! Responses that are still to come.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_policy::{Decision, PolicyLimiter};

/// The most requests that wait for their response. Above it, the first one is settled early.
const MOST: usize = 16_384;

/// Decisions to be settled when their response is sent.
#[derive(Debug, Default)]
pub(super) struct Settling {
    waiting: BinaryHeap<Reverse<Waiting>>,
    /// How many ever waited, which puts those of the same instant in order.
    count: u64,
}

#[derive(Debug)]
struct Waiting {
    due: u64,
    number: u64,
    status: u16,
    decision: Box<Decision>,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.due, self.number).cmp(&(other.due, other.number))
    }
}

type Limiter = PolicyLimiter<MemoryStore<ManualClock>>;

impl Settling {
    /// Settles what is answered by `now`: a response that is sent in the same instant as a request
    /// comes was sent before it.
    pub(super) fn settle(&mut self, limiter: &Limiter, clock: &ManualClock, now: u64) {
        while self
            .waiting
            .peek()
            .is_some_and(|Reverse(first)| first.due <= now)
        {
            if let Some(Reverse(first)) = self.waiting.pop() {
                clock.set(Timestamp::from_micros(first.due));
                limiter.settle_now(&first.decision, first.status);
            }
        }
    }

    /// Waits for the response of a decision: when it is sent, and its status.
    pub(super) fn wait(
        &mut self,
        limiter: &Limiter,
        (due, status): (u64, u16),
        decision: Decision,
    ) {
        if self.waiting.len() >= MOST
            && let Some(Reverse(first)) = self.waiting.pop()
        {
            limiter.settle_now(&first.decision, first.status);
        }
        self.count += 1;
        self.waiting.push(Reverse(Waiting {
            due,
            number: self.count,
            status,
            decision: Box::new(decision),
        }));
    }
}
