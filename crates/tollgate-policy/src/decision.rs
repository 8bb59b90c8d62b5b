//! The answer to a request.

mod decisions;
mod fallback;
mod policy_decision;
mod reason;
mod together;
mod undecided;

pub use decisions::{Decisions, UndecidedTogether};
pub use policy_decision::PolicyDecision;
pub use reason::Reason;
pub use undecided::Undecided;

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;
use tollgate::{Charge, Micros, Outcomes, Timestamp};

use fallback::Fallback;

use crate::key::KeyBuffer;
use crate::{MissingKey, Mode, NoAddress, Policy, PolicySet};

/// The answer to a request: what every policy that matches it says, which one decided, and why.
#[derive(Clone, Debug)]
pub struct Decision {
    /// `None` if no policy matches: then there are no entries.
    pub(crate) set: Option<Arc<PolicySet>>,
    pub(crate) entries: Entries,
    pub(crate) keys: KeyBuffer,
    /// The store's answer to the charges of all entries, in order; or the local store's.
    outcomes: Option<Outcomes>,
    fallback: Fallback,
    pub(crate) effect: Effect,
    reason: Reason,
    decided_by: Option<usize>,
}

pub(crate) type Entries = SmallVec<[Entry; 2]>;
pub(crate) type Charges<'a> = SmallVec<[Charge<'a>; 4]>;

/// The decision where no policy matches.
impl Default for Decision {
    fn default() -> Self {
        Self {
            set: None,
            entries: Entries::new(),
            keys: KeyBuffer::default(),
            outcomes: None,
            fallback: Fallback::Unused,
            effect: Effect::Spend,
            reason: Reason::NoPolicy,
            decided_by: None,
        }
    }
}

/// What becomes of the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// What is admitted is spent.
    Spend,
    /// Nothing is.
    Look,
    /// Something was given back, which nothing denies.
    GiveBack,
}

/// What is known of one matching policy before the store is asked.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The position of the policy in the set.
    pub(crate) policy: u16,
    /// The tier that applies.
    pub(crate) tier: Option<usize>,
    pub(crate) standing: Standing,
    /// The bytes of its key.
    pub(crate) key: Range<usize>,
    pub(crate) cost: u64,
    /// Its charges among all charges.
    pub(crate) charges: Range<usize>,
}

/// What a policy wants of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Charged,
    Unlimited,
    Blocked,
    /// The request lacks the part of the key at this position; and why it has no client, if the part
    /// is that.
    MissingKey(usize, Option<NoAddress>),
}

impl Standing {
    /// Why a policy of its own denies without a store, if it does. A block denies whatever the
    /// key is.
    pub(crate) fn denial(self, policy: &Policy) -> Option<Reason> {
        match self {
            Self::Blocked => Some(Reason::Blocked),
            Self::MissingKey(..) if policy.missing_key() == MissingKey::Deny => {
                Some(Reason::MissingKey)
            }
            Self::MissingKey(..) | Self::Charged | Self::Unlimited => None,
        }
    }
}

/// The making of a decision. It is made in one place, from the first match to the store's answer,
/// because it is large.
impl Decision {
    /// Adds what is known of the next matching policy.
    #[inline(always)]
    pub(crate) fn push(&mut self, entry: Entry, policy: &Policy) {
        if policy.mode() == Mode::Enforce
            && self.effect != Effect::GiveBack
            && let Some(reason) = entry.standing.denial(policy)
            // A block decides more than a missing key, and the first of several the most.
            && reason.weight() > self.reason.weight()
        {
            self.reason = reason;
            self.decided_by = Some(self.entries.len());
        }
        self.entries.push(entry);
    }

    /// Appends the charges to decide to `charges`, and says where the store's answer to them goes.
    /// There are none if the request is denied already, or nothing is limited.
    pub(crate) fn question<'a>(
        &'a mut self,
        charges: &mut Charges<'a>,
    ) -> &'a mut Option<Outcomes> {
        if self.reason.is_allow() {
            let entries = self.entries.iter().enumerate();
            push_charges(self.set.as_deref(), &self.keys, entries, false, charges);
        }
        &mut self.outcomes
    }

    /// True if the store has answered so many charges, or there were none: what is no outcome for
    /// each of them is no answer.
    pub(crate) fn is_answered(&mut self, charges: usize) -> bool {
        let is_answer = |outcomes: &Outcomes| outcomes.as_slice().len() == charges;
        if !self.outcomes.as_ref().is_some_and(is_answer) {
            self.outcomes = None;
        }
        charges == 0 || self.outcomes.is_some()
    }

    /// Ends it when the store has answered, or was not asked, or another one was in its place.
    pub(crate) fn conclude(&mut self) {
        if self.reason.is_allow() {
            (self.reason, self.decided_by) = self.verdict();
        }
    }

    fn verdict(&self) -> (Reason, Option<usize>) {
        if let Some(outcomes) = &self.outcomes
            && let (Some(index), Some(outcome)) = (outcomes.deciding_index(), outcomes.deciding())
        {
            let decided_by = self
                .entries
                .iter()
                .position(|entry| entry.charges.contains(&index));
            return (self.reason_of(outcome.verdict), decided_by);
        }
        let mut best = (Reason::NoPolicy, None);
        for (position, entry) in self.entries.iter().enumerate() {
            let Some(policy) = policy(self.set.as_deref(), entry) else {
                continue;
            };
            let reason = match entry.standing {
                _ if policy.mode() != Mode::Enforce => continue,
                Standing::MissingKey(..) | Standing::Blocked if self.effect == Effect::GiveBack => {
                    continue;
                }
                // Every enforced charge has an outcome, unless the store made no decision.
                Standing::Charged => self.reason_without_store(policy),
                Standing::Unlimited => Reason::Unlimited,
                Standing::MissingKey(..) => Reason::MissingKeySkipped,
                Standing::Blocked => Reason::Blocked,
            };
            if reason.weight() > best.0.weight() {
                best = (reason, Some(position));
            }
        }
        best
    }
}

pub(crate) fn policy<'s>(set: Option<&'s PolicySet>, entry: &Entry) -> Option<&'s Policy> {
    set?.policies().get(usize::from(entry.policy))
}

/// Appends the charges of some entries, which come with their positions in the call: for the store,
/// or for the local one.
fn push_charges<'a>(
    set: Option<&'a PolicySet>,
    keys: &'a KeyBuffer,
    entries: impl Iterator<Item = (usize, &'a Entry)>,
    is_local: bool,
    charges: &mut Charges<'a>,
) {
    for (position, entry) in entries {
        let Some(policy) = policy(set, entry) else {
            continue;
        };
        if entry.standing != Standing::Charged {
            continue;
        }
        let key = keys.key(entry.key.clone());
        let limits = if is_local {
            policy.local_limits(entry.tier)
        } else {
            policy.limits_of(entry.tier)
        };
        for limit in limits {
            let name = policy.counts_under(entry.tier, limit);
            let charge = Charge::new(limit, key, entry.cost).of_policy(name);
            charges.push(match policy.mode() {
                // A call would need many questions that thousands of policies match before the
                // last of those in shadow were taken for one.
                Mode::Shadow => charge.in_shadow(u16::try_from(position).unwrap_or(u16::MAX)),
                _ => charge,
            });
        }
    }
}

impl Decision {
    /// True if the request may be served.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        self.reason.is_allow()
    }

    /// Why.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// The enforced policy that decided: of those whose limits deny, the one with the longest
    /// wait; if all admit, the one that is closest to exhaustion. Its
    /// [`deciding`](PolicyDecision::deciding) limit is the request's.
    #[must_use]
    pub fn decided_by(&self) -> Option<PolicyDecision<'_>> {
        self.policy_decision(self.decided_by?)
    }

    /// What every matching policy says, in the order of the set, also those in shadow. Policies
    /// that are off are left out.
    pub fn policies(&self) -> impl Iterator<Item = PolicyDecision<'_>> {
        (0..self.entries.len()).filter_map(|position| self.policy_decision(position))
    }

    fn policy_decision(&self, position: usize) -> Option<PolicyDecision<'_>> {
        let entry = self.entries.get(position)?;
        let policy = policy(self.set.as_deref(), entry)?;
        Some(PolicyDecision::new(self, policy, entry))
    }

    /// How long to wait until the same request is admitted: the longest wait of the limits that
    /// deny it. `None` if it was allowed, or waiting does not help, or nobody knows.
    #[must_use]
    pub fn retry_after(&self) -> Option<Micros> {
        match self.reason {
            Reason::LimitExceeded | Reason::StoreFailedLocalDeny => {
                self.outcomes.as_ref()?.retry_after()
            }
            _ => None,
        }
    }

    /// The store's instant at which it was decided; `None` if the store decided nothing.
    #[must_use]
    pub fn at(&self) -> Option<Timestamp> {
        let outcomes = self.outcomes.as_ref()?;
        (!self.is_local()).then(|| outcomes.at())
    }

    /// True if the store made no decision, so that an enforced policy's limits were not checked, or
    /// only this process's share of them was.
    #[must_use]
    pub const fn is_degraded(&self) -> bool {
        self.reason.is_degraded()
    }

    /// True if it says what would be decided: it was [peeked](crate::PolicyLimiter::peek) at, or it
    /// is allowed and another question of the same
    /// [call](crate::PolicyLimiter::decide_together) is denied, so that nothing was spent.
    #[must_use]
    pub const fn only_looked(&self) -> bool {
        matches!(self.effect, Effect::Look)
    }

    /// True if units were taken of some policy's limits, also of one in shadow: the request is allowed
    /// by limits, of the store or of this process's share, and it costs something.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.is_allowed() && self.policies().any(|policy| policy.is_spent())
    }

    /// True if the decision should be settled once the response's status is known: see
    /// [`PolicyLimiter::settle`](crate::PolicyLimiter::settle).
    #[must_use]
    pub fn needs_settling(&self) -> bool {
        self.outcomes.is_some() && self.policies().any(|policy| policy.is_provisional())
    }

    pub(crate) const fn outcomes(&self) -> Option<&Outcomes> {
        self.outcomes.as_ref()
    }

    pub(crate) fn key(&self, entry: &Entry) -> &str {
        self.keys.key(entry.key.clone())
    }

    /// What was spent for good reason only, if the response has this status: charges to give back,
    /// with the outcomes that admitted them.
    pub(crate) fn refunds(&self, status: u16) -> Option<(Charges<'_>, Outcomes)> {
        let outcomes = self.outcomes.as_ref()?;
        let refunded = || {
            let entries = self.entries.iter().zip(0..);
            entries.filter_map(move |(entry, position)| {
                let decided = self.policy_decision(position)?;
                let refunds = decided.is_provisional() && !decided.counts(status);
                refunds.then_some((position, entry))
            })
        };
        let mut charges = Charges::new();
        let set = self.set.as_deref();
        push_charges(set, &self.keys, refunded(), self.is_local(), &mut charges);
        if charges.is_empty() {
            return None;
        }
        let admitted = refunded().flat_map(|(_, entry)| {
            let outcomes = outcomes.as_slice().get(entry.charges.clone());
            outcomes
                .unwrap_or_default()
                .iter()
                .map(|outcome| (*outcome, true))
        });
        Some((charges, Outcomes::new(outcomes.at(), admitted)))
    }
}
