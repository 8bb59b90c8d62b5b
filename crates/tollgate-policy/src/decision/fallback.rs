//! What becomes of a decision that the store did not make.

use tollgate::{StoreError, Verdict};

use super::{Charges, Decision, Outcomes, Reason, Standing, policy, push_charges};
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

impl Decision {
    /// Asks the local store, by `decide`, to decide the charges of all policies that are decided
    /// there when the store makes no decision. It returns the number of outages that the local
    /// store knows of. Nothing is asked if another policy denies.
    pub(crate) fn fall_back(
        &mut self,
        decide: impl FnOnce(&Charges<'_>) -> (u64, Result<Outcomes, StoreError>),
    ) {
        let set = self.set.as_deref();
        let mut count = 0;
        let mut denies = false;
        for entry in &mut self.entries {
            let Some(policy) = policy(set, entry) else {
                continue;
            };
            if entry.standing != Standing::Charged {
                continue;
            }
            denies |=
                policy.mode() == Mode::Enforce && policy.on_store_failure() == OnStoreFailure::Deny;
            // Only those policies have such limits.
            let limits = policy.local_limits(entry.tier).len();
            entry.charges = count..count + limits;
            count += limits;
        }
        if count == 0 {
            return;
        }
        if denies {
            self.fallback = Fallback::Spared;
            return;
        }
        let mut charges = Charges::new();
        let entries = self.entries.iter().enumerate();
        push_charges(set, &self.keys, entries, true, &mut charges);
        let (outages, answer) = decide(&charges);
        drop(charges);
        self.fallback = match answer {
            Ok(outcomes) => {
                self.outcomes = Some(outcomes);
                Fallback::Decided(outages)
            }
            Err(_) => Fallback::Failed,
        };
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
            (OnStoreFailure::Deny, _) => Reason::StoreFailedDeny,
            (OnStoreFailure::Allow, _) => Reason::StoreFailedAllow,
            (OnStoreFailure::Local(_), Fallback::Spared) => Reason::NotChecked,
            (OnStoreFailure::Local(_), _) => Reason::StoreFailedDeny,
        }
    }
}
