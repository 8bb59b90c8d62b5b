//! What becomes of a decision that the store did not make.

use tollgate::Verdict;

use super::{Charges, Decision, Effect, Reason, Standing, policy, push_charges};
use crate::{Mode, OnStoreFailure, Policy};

/// What the local store had to do with a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fallback {
    /// Nothing.
    #[default]
    Unused,
    /// It was not asked, because a policy denies when the store fails.
    Spared,
    /// It has decided, after so many outages: the outcomes are its.
    Decided(u64),
    /// It could make no decision either.
    Failed,
}

/// What a question asks of the local store.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AskedLocally {
    pub(crate) charges: usize,
    /// True if a policy denies without the store.
    pub(crate) denies: bool,
}

impl Decision {
    /// Makes the charges of all policies that are decided in this process when the store makes no
    /// decision what it asks for. There are none if it is denied already, or another policy denies.
    pub(crate) fn prepare_local(&mut self) -> AskedLocally {
        let mut asked = AskedLocally::default();
        if !self.reason.is_allow() {
            return asked;
        }
        let set = self.set.as_deref();
        for entry in &mut self.entries {
            let Some(policy) = policy(set, entry) else {
                continue;
            };
            if entry.standing != Standing::Charged {
                continue;
            }
            asked.denies |=
                policy.mode() == Mode::Enforce && policy.on_store_failure() == OnStoreFailure::Deny;
            // Only those policies have such limits.
            let limits = policy.local_limits(entry.tier).len();
            entry.charges = asked.charges..asked.charges + limits;
            asked.charges += limits;
        }
        if asked.denies && asked.charges > 0 {
            self.fallback = Fallback::Spared;
            asked.charges = 0;
        }
        asked
    }

    /// Appends the charges that are [prepared](Self::prepare_local). Groups of those in shadow are
    /// numbered from `first`.
    pub(crate) fn push_local<'a>(&'a self, first: usize, charges: &mut Charges<'a>) {
        if self.asks() > 0 {
            let entries = (first..).zip(&self.entries);
            push_charges(self.set.as_deref(), &self.keys, entries, true, charges);
        }
    }

    /// The local store could make no decision either.
    pub(crate) fn fail_locally(&mut self) {
        if self.asks() > 0 {
            self.fallback = Fallback::Failed;
        }
    }

    /// True if the outcomes are those of the local store.
    pub(crate) const fn is_local(&self) -> bool {
        matches!(self.fallback, Fallback::Decided(_))
    }

    /// After how many outages the local store has decided, if it has.
    pub(crate) const fn decided_locally_after(&self) -> Option<u64> {
        match self.fallback {
            Fallback::Decided(outages) => Some(outages),
            Fallback::Unused | Fallback::Spared | Fallback::Failed => None,
        }
    }

    /// What a verdict among the outcomes means.
    pub(super) const fn reason_of(&self, verdict: Verdict) -> Reason {
        match (self.is_local(), verdict) {
            (false, Verdict::Allow) => Reason::Allowed,
            (false, Verdict::Deny) => Reason::LimitExceeded,
            (false, Verdict::Never) => Reason::NeverFits,
            (true, Verdict::Allow) => Reason::StoreFailedLocalAllow,
            // What never fits into a share may fit again when the store is back.
            (true, Verdict::Deny | Verdict::Never) => Reason::StoreFailedLocalDeny,
        }
    }

    /// What a policy says whose charges nobody has decided.
    pub(super) const fn reason_without_store(&self, policy: &Policy) -> Reason {
        match (policy.on_store_failure(), self.fallback) {
            _ if matches!(self.effect, Effect::GiveBack) => Reason::StoreFailedAllow,
            (OnStoreFailure::Deny, _) => Reason::StoreFailedDeny,
            (OnStoreFailure::Allow, _) => Reason::StoreFailedAllow,
            (OnStoreFailure::Local(_), Fallback::Spared) => Reason::NotChecked,
            (OnStoreFailure::Local(_), _) => Reason::StoreFailedDeny,
        }
    }
}
