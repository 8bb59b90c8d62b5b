//! One limit's answer to a charge.

use crate::{Micros, Timestamp};

/// Whether a charge is admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The charge fits now.
    Allow,
    /// The charge does not fit now; it will after [`Outcome::retry_after`].
    Deny,
    /// The cost is more than the limit could ever admit: waiting does not help.
    Never,
}

impl Verdict {
    /// True for [`Verdict::Allow`].
    #[must_use]
    pub const fn is_allow(self) -> bool {
        matches!(self, Self::Allow)
    }
}

/// One limit's answer to a charge, at one instant of the store's clock.
///
/// The numbers describe the limit *after* the decision: after the charge if it was spent, and
/// as it stood if it was not (because this limit or another one of the same request denied).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Whether this limit admits the charge.
    pub verdict: Verdict,
    /// The most units that one request could ever get: the burst of a token bucket, the units of
    /// the other algorithms.
    pub limit: u64,
    /// Units that an immediate request could still get, from 0 to `limit`.
    pub remaining: u64,
    /// Time until the limit is as if never used, if nothing more is spent.
    pub reset_after: Micros,
    /// For [`Verdict::Deny`], the time after which the same charge is admitted if nothing else is
    /// spent on the key; a microsecond sooner it is denied. `None` for the other verdicts.
    pub retry_after: Option<Micros>,
    /// The store's instant to which the spans count from.
    pub at: Timestamp,
}

impl Outcome {
    /// In place of the outcome of an admission, for a refund: gives back of whatever is counted,
    /// the latest first, and at least leaves nothing counted.
    ///
    /// A token bucket is filled up, a fixed window counts less, a sliding window gives back of the
    /// present window and then of the one before, and a sliding log forgets its newest admissions,
    /// the last one in part.
    pub const ANY_ADMISSION: Self = Self {
        verdict: Verdict::Allow,
        limit: 0,
        remaining: 0,
        reset_after: Micros::ZERO,
        retry_after: None,
        at: Timestamp::EPOCH,
    };

    /// True for [`ANY_ADMISSION`](Self::ANY_ADMISSION). Whatever was admitted resets later than
    /// that.
    pub(crate) fn is_any_admission(&self) -> bool {
        self.reset_at() == Timestamp::EPOCH
    }

    /// The instant at which the limit is as if never used, if nothing more is spent.
    #[must_use]
    pub const fn reset_at(&self) -> Timestamp {
        self.at.saturating_add(self.reset_after)
    }
}
