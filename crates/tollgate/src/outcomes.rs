//! A store's answer to the charges of one request.

use smallvec::SmallVec;
use tollgate_core::{Charge, Micros, Outcome, Timestamp};

/// The outcomes of one decision, in the order of its charges.
///
/// Up to four are kept without allocating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    outcomes: SmallVec<[Outcome; 4]>,
    deciding: Option<usize>,
    at: Timestamp,
    allowed: bool,
}

impl Outcomes {
    /// The answer made of `outcomes`, at the store's instant `at`. Each comes with true if it
    /// counts for the verdict, and with false if its charge was in shadow.
    pub fn new(at: Timestamp, outcomes: impl IntoIterator<Item = (Outcome, bool)>) -> Self {
        let mut answer = Self {
            outcomes: SmallVec::new(),
            deciding: None,
            at,
            allowed: true,
        };
        for (outcome, counts) in outcomes {
            answer.push(outcome, counts);
        }
        answer
    }

    /// The answer to a single charge.
    #[inline]
    pub(crate) fn one(outcome: Outcome, counts: bool) -> Self {
        let mut outcomes = SmallVec::new();
        outcomes.push(outcome);
        Self {
            outcomes,
            deciding: counts.then_some(0),
            at: outcome.at,
            allowed: !counts || outcome.verdict.is_allow(),
        }
    }

    pub(crate) fn push(&mut self, outcome: Outcome, counts: bool) {
        if counts {
            self.allowed &= outcome.verdict.is_allow();
            let decides = self
                .deciding()
                .is_none_or(|deciding| rank(&outcome) > rank(deciding));
            if decides {
                self.deciding = Some(self.outcomes.len());
            }
        }
        self.outcomes.push(outcome);
    }

    /// True if every charge that is not in shadow was admitted, and so all of them were spent.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        self.allowed
    }

    /// The outcome that decided: of the denials the one with the longest wait (never, if there is
    /// one), else the outcome that is closest to exhaustion. `None` if no charge counted.
    #[must_use]
    pub fn deciding(&self) -> Option<&Outcome> {
        self.outcomes.get(self.deciding?)
    }

    /// The position of [`deciding`](Self::deciding).
    #[must_use]
    pub const fn deciding_index(&self) -> Option<usize> {
        self.deciding
    }

    /// True if the charge at `index` of the decision's `charges` was spent: all that are not in
    /// shadow were admitted and, if it is in shadow itself, so was all of its group.
    #[must_use]
    pub fn spent(&self, charges: &[Charge<'_>], index: usize) -> bool {
        let Some(group) = charges.get(index).map(Charge::shadow) else {
            return false;
        };
        self.allowed
            && charges
                .iter()
                .zip(self.iter())
                .filter(|(charge, _)| charge.shadow() == group)
                .all(|(_, outcome)| outcome.verdict.is_allow())
    }

    /// How long to wait until the same request is admitted, if it was denied and can ever be.
    #[must_use]
    pub fn retry_after(&self) -> Option<Micros> {
        self.deciding()?.retry_after
    }

    /// The store's instant at which all of it was decided.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.at
    }

    /// The outcomes, in the order of the charges.
    #[must_use]
    pub fn as_slice(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Each outcome in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Outcome> {
        self.outcomes.iter()
    }
}

/// How much an outcome decides; the greater one does. The share that remains is compared without
/// dividing.
fn rank(outcome: &Outcome) -> (u8, Micros, Exhaustion) {
    use tollgate_core::Verdict;
    let (class, wait) = match outcome.verdict {
        Verdict::Allow => (0, Micros::ZERO),
        Verdict::Deny => (1, outcome.retry_after.unwrap_or_default()),
        Verdict::Never => (2, Micros::ZERO),
    };
    (class, wait, Exhaustion(outcome.remaining, outcome.limit))
}

/// Ordered by how little of the limit remains.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Exhaustion(u64, u64);

impl PartialOrd for Exhaustion {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exhaustion {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let ours = u128::from(self.0) * u128::from(other.1);
        let theirs = u128::from(other.0) * u128::from(self.1);
        theirs.cmp(&ours)
    }
}
