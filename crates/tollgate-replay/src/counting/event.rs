//! A request that a policy counts by a key.

use crate::tally::Seen;

/// A request that a policy counts by a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) seen: Seen,
    /// When its units are given back, in microseconds, because its response does not count.
    pub(crate) refund_at: Option<u64>,
    /// The position of the policy.
    pub(crate) policy: u16,
    /// 0 for the policy's own limits, or the number of the tier from 1.
    pub(crate) tier: u16,
}
