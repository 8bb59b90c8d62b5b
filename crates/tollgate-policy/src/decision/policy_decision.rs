//! What one policy says to a request.

use tollgate::{Limit, Outcome, Outcomes};

use super::{Decision, Entry, Reason, Standing};
use crate::{Allowance, Count, KeyPart, MissingKey, Mode, NoAddress, Policy};

/// What one matching policy says to a request: a view into a [`Decision`].
#[derive(Clone, Copy, Debug)]
pub struct PolicyDecision<'d> {
    decision: &'d Decision,
    policy: &'d Policy,
    entry: &'d Entry,
}

impl<'d> PolicyDecision<'d> {
    pub(super) const fn new(decision: &'d Decision, policy: &'d Policy, entry: &'d Entry) -> Self {
        Self {
            decision,
            policy,
            entry,
        }
    }

    /// The policy.
    #[must_use]
    pub const fn policy(&self) -> &'d Policy {
        self.policy
    }

    /// The policy's position in its [set](crate::PolicySet::policies).
    #[must_use]
    pub fn position(&self) -> usize {
        usize::from(self.entry.policy)
    }

    /// Whether it is enforced.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.policy.mode()
    }

    /// True if this policy by itself lets the request through; for one in shadow, if it would.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.reason().is_allow()
    }

    /// Why this policy by itself allows or denies.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self.entry.standing {
            Standing::Unlimited => Reason::Unlimited,
            Standing::Blocked => Reason::Blocked,
            Standing::MissingKey(..) => match self.policy.missing_key() {
                MissingKey::Deny => Reason::MissingKey,
                MissingKey::Skip => Reason::MissingKeySkipped,
            },
            Standing::Charged => match self.deciding_outcome() {
                Some((_, outcome)) => self.decision.reason_of(outcome.verdict),
                None if self.is_unasked() => Reason::NotChecked,
                None => self.decision.reason_without_store(self.policy),
            },
        }
    }

    /// True if the store made no decision, so that its limits were not checked, or only this
    /// process's share of them was.
    #[must_use]
    pub fn is_degraded(&self) -> bool {
        self.reason().is_degraded()
    }

    /// Its limits with their outcomes, in order. None if the store was not asked, or made no
    /// decision: what this process's share of a limit says is not what the limit says.
    pub fn limits(&self) -> impl ExactSizeIterator<Item = (&'d Limit, &'d Outcome)> + use<'d> {
        let limits = self.policy.limits_of(self.entry.tier);
        let outcomes = if self.decision.is_local() {
            &[]
        } else {
            self.outcomes()
        };
        limits.iter().zip(outcomes)
    }

    /// The limit that decides in this policy: of those that deny the one with the longest wait,
    /// else the one that is closest to exhaustion.
    #[must_use]
    pub fn deciding(&self) -> Option<(&'d Limit, &'d Outcome)> {
        if self.decision.is_local() {
            return None;
        }
        let (index, outcome) = self.deciding_outcome()?;
        Some((self.policy.limits_of(self.entry.tier).get(index)?, outcome))
    }

    /// The position of the [deciding](Self::deciding) limit among [its limits](Self::limits).
    #[must_use]
    pub fn deciding_index(&self) -> Option<usize> {
        if self.decision.is_local() {
            return None;
        }
        self.deciding_outcome().map(|(index, _)| index)
    }

    /// True if this policy decided the request: see [`Decision::decided_by`].
    #[must_use]
    pub fn decides(&self) -> bool {
        self.decision
            .decided_by()
            .is_some_and(|decided| decided.position() == self.position())
    }

    /// The outcome that decides, of the store or the local one, and its position.
    fn deciding_outcome(&self) -> Option<(usize, &'d Outcome)> {
        let outcomes = self.outcomes();
        if let [outcome] = outcomes {
            // Most policies have one limit.
            return Some((0, outcome));
        }
        let at = self.decision.outcomes()?.at();
        let own = Outcomes::new(at, outcomes.iter().map(|outcome| (*outcome, true)));
        let index = own.deciding_index()?;
        Some((index, outcomes.get(index)?))
    }

    /// The number of the tier that applies, from 0.
    #[must_use]
    pub const fn tier(&self) -> Option<usize> {
        self.entry.tier
    }

    /// What applies to the request: of the policy, or of its [tier](Self::tier). Its limits are there
    /// also where they have no outcomes.
    #[must_use]
    pub fn allowance(&self) -> &'d Allowance {
        self.policy.allowance_of(self.entry.tier)
    }

    /// The units that the request takes of each limit: the policy's cost, times the request's; one
    /// more than [`MAX_UNITS`](tollgate::MAX_UNITS) for whatever is more than that.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.entry.cost
    }

    /// The key by which the request is counted, if it is counted: printable ASCII, with secrets
    /// hashed. Never make it the label of a metric.
    #[must_use]
    pub fn key(&self) -> Option<&'d str> {
        (self.entry.standing == Standing::Charged).then(|| self.decision.key(self.entry))
    }

    /// The part of the key that the request lacks, if it lacks one.
    #[must_use]
    pub fn missing_key(&self) -> Option<&'d KeyPart> {
        match self.entry.standing {
            Standing::MissingKey(part, _) => self.policy.key().get(part),
            _ => None,
        }
    }

    /// Why the request has no client, if it lacks the key for that, and somebody knows.
    #[must_use]
    pub const fn no_client(&self) -> Option<NoAddress> {
        match self.entry.standing {
            Standing::MissingKey(_, why) => why,
            _ => None,
        }
    }

    /// True if it was charged, and the charge stays only if the response's status counts.
    pub(super) fn is_provisional(&self) -> bool {
        matches!(self.policy.count(), Count::Failures(_)) && self.is_spent()
    }

    /// True if a response of this status counts.
    pub(super) fn counts(&self, status: u16) -> bool {
        match self.policy.count() {
            Count::All => true,
            Count::Failures(statuses) => statuses.contains(status),
        }
    }

    /// True if units were spent: by a store, this process's too, that admitted the request, and this policy with it.
    pub(super) fn is_spent(&self) -> bool {
        let outcomes = self.outcomes();
        self.entry.cost > 0
            && !self.decision.only_looked()
            && self.decision.outcomes().is_some_and(Outcomes::is_allowed)
            && !outcomes.is_empty()
            && outcomes.iter().all(|outcome| outcome.verdict.is_allow())
    }

    fn outcomes(&self) -> &'d [Outcome] {
        self.decision
            .outcomes()
            .and_then(|outcomes| outcomes.as_slice().get(self.entry.charges.clone()))
            .unwrap_or_default()
    }

    /// True if the store was not asked, because the request is denied without it.
    const fn is_unasked(&self) -> bool {
        matches!(self.decision.reason(), Reason::Blocked | Reason::MissingKey)
    }
}
