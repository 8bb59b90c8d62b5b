//! Policies that are in force together.

use crate::condition::Facts;
use crate::key::KeyHasher;
use crate::policy::Holders;
use crate::{
    Attributes, Mode, OnStoreFailure, Policy, PolicyError, PolicyErrorKind, PolicyWarning,
};
use index::{Candidates, Index};

mod index;

/// The most policies of a set.
const MAX_POLICIES: usize = 10_000;

/// Policies that are in force together, checked and made ready to be matched.
#[derive(Clone, Debug)]
pub struct PolicySet {
    policies: Box<[Policy]>,
    index: Index,
    hasher: KeyHasher,
}

impl PolicySet {
    /// The policies in the order in which decisions list them.
    ///
    /// # Errors
    ///
    /// If two policies have the same name, or there are more than 10 000.
    pub fn new(policies: impl IntoIterator<Item = Policy>) -> Result<Self, PolicyError> {
        let policies: Box<[Policy]> = policies.into_iter().collect();
        if policies.len() > MAX_POLICIES {
            let problem = format!("is one of {}; a set holds {MAX_POLICIES}", policies.len());
            let last = policies.last().map_or("", Policy::name);
            return Err(PolicyError::new(PolicyErrorKind::TooMany, problem).of_policy(last));
        }
        let mut names: Vec<&str> = policies.iter().map(Policy::name).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            if let [name, same] = pair
                && name == same
            {
                let problem = "has the name of another one; names are what policies count under, so rename one";
                return Err(
                    PolicyError::new(PolicyErrorKind::DuplicateName, problem).of_policy(name)
                );
            }
        }
        Ok(Self {
            index: Index::of(&policies),
            policies,
            hasher: KeyHasher::default(),
        })
    }

    /// Hashes secrets and long values in keys under a secret key, so that whoever reads the store
    /// cannot test guesses of them. Without it the hash is under a key that everyone knows.
    ///
    /// All processes that share a store must have the same secret. Changing it makes those keys
    /// start afresh.
    #[must_use]
    pub fn with_hash_secret(mut self, secret: &[u8]) -> Self {
        self.hasher = KeyHasher::new(secret);
        self
    }

    /// The policies, in order.
    #[must_use]
    pub fn policies(&self) -> &[Policy] {
        &self.policies
    }

    /// What was built as told, but is probably a mistake. A key that clients choose is none where an
    /// enforced policy for the same requests, or for more, counts by what they cannot choose.
    #[must_use]
    pub fn warnings(&self) -> Vec<PolicyWarning> {
        let holders = Holders::of(&self.policies);
        let of_policy = |policy| warnings_beside(policy, &holders);
        self.policies.iter().flat_map(of_policy).collect()
    }

    /// True if some policy is decided in this process when the store makes no decision.
    pub(crate) fn may_decide_locally(&self) -> bool {
        self.policies.iter().any(|policy| {
            policy.mode() != Mode::Off
                && matches!(policy.on_store_failure(), OnStoreFailure::Local(_))
        })
    }

    pub(crate) const fn hasher(&self) -> &KeyHasher {
        &self.hasher
    }

    /// The policies that match a request and are not off, with their positions, in order.
    pub(crate) fn matching<'s, A: Attributes + ?Sized>(
        &'s self,
        facts: &'s Facts<'_, A>,
    ) -> impl Iterator<Item = (u16, &'s Policy)> {
        let candidates: Candidates = self.index.candidates(facts);
        candidates.into_iter().filter_map(|position| {
            let policy = self.policies.get(usize::from(position))?;
            policy.matches(facts).then_some((position, policy))
        })
    }
}

/// What is probably a mistake of a policy that stands beside others.
pub(crate) fn warnings_beside(policy: &Policy, holders: &Holders<'_>) -> Vec<PolicyWarning> {
    let mut warnings = policy.warnings();
    if warnings.iter().any(PolicyWarning::is_about_key) && holders.hold(policy) {
        warnings.retain(|warning| !warning.is_about_key());
    }
    warnings
}

#[cfg(test)]
mod tests;
