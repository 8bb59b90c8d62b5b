//! Counts that are to be forgotten.

mod error;

use std::ops::Range;
use std::sync::Arc;

use tollgate::{Limit, Store, StoreError};

use super::PolicyLimiter;
use crate::condition::Facts;
use crate::key::KeyBuffer;
use crate::{Attributes, Policy, PolicySet};
pub use error::{ResetError, ResetErrorKind};

/// Keys of policies whose counts are to be forgotten.
#[derive(Default)]
struct Keys {
    text: KeyBuffer,
    /// The policies, by their positions, and the bytes of their keys.
    of: Vec<(usize, Range<usize>)>,
}

impl<S: Store> PolicyLimiter<S> {
    /// Forgets what every policy that matches a request has counted for the request's key, whichever
    /// tier it was counted by, in the store and in this process. Says how many limits had something
    /// counted in the store. Policies that are off, or whose key the request lacks, are passed over.
    ///
    /// The request is read before this function returns.
    ///
    /// # Errors
    ///
    /// If the store could not forget. Some limits may be forgotten then: do it again.
    pub fn reset<'s, A: Attributes + ?Sized>(
        &'s self,
        request: &A,
    ) -> impl Future<Output = Result<usize, StoreError>> + Send + use<'s, S, A> {
        let facts = Facts::new(request);
        let mut keys = Keys::default();
        for (position, policy) in self.set.matching(&facts) {
            // Without its key a request is not counted.
            let _ = keys.push(&self.set, (usize::from(position), policy), &facts);
        }
        self.forget(keys)
    }

    /// Forgets what one policy has counted for one key, as [`reset`](Self::reset) does: given by the
    /// key's attributes alone, whatever else the policy matches on, and whatever its mode.
    ///
    /// Attributes have the values that requests have: secrets are hashed here.
    ///
    /// # Errors
    ///
    /// If there is no policy of this name, an attribute of its key is missing, or the store could not
    /// forget.
    pub fn reset_policy<'s, A: Attributes + ?Sized>(
        &'s self,
        name: &str,
        attributes: &A,
    ) -> impl Future<Output = Result<usize, ResetError>> + Send + use<'s, S, A> {
        let keys = self.keys_of(name, attributes);
        async move { Ok(self.forget(keys?).await?) }
    }

    fn keys_of<A: Attributes + ?Sized>(
        &self,
        name: &str,
        attributes: &A,
    ) -> Result<Keys, ResetError> {
        let mut policies = self.set.policies().iter().enumerate();
        let found = policies
            .find(|(_, policy)| policy.name() == name)
            .ok_or_else(|| ResetError::unknown_policy(name))?;
        let mut keys = Keys::default();
        keys.push(&self.set, found, &Facts::new(attributes))
            .map_err(|part| ResetError::missing_key(found.1, part))?;
        Ok(keys)
    }

    fn forget(
        &self,
        keys: Keys,
    ) -> impl Future<Output = Result<usize, StoreError>> + Send + use<'_, S> {
        let set = Arc::clone(&self.set);
        async move {
            let mut forgotten = 0;
            for (position, key) in keys.of {
                let Some(policy) = set.policies().get(position) else {
                    continue;
                };
                let key = keys.text.key(key);
                if let Some(local) = self.local.get() {
                    for (name, limit) in counts(policy, Policy::local_limits) {
                        local.reset(limit, name, key);
                    }
                }
                for (name, limit) in counts(policy, Policy::limits_of) {
                    forgotten += usize::from(self.store.reset(limit, name, key).await?);
                }
            }
            Ok(forgotten)
        }
    }
}

impl Keys {
    /// Adds the key of a policy, or gives the position of the part that is missing.
    fn push<A: Attributes + ?Sized>(
        &mut self,
        set: &PolicySet,
        (position, policy): (usize, &Policy),
        facts: &Facts<'_, A>,
    ) -> Result<(), usize> {
        let start = self.text.len();
        policy
            .keyed_by()
            .write(facts, set.hasher(), &mut self.text)?;
        self.of.push((position, start..self.text.len()));
        Ok(())
    }
}

/// What a policy counts, for all of its tiers: each name and limit that a store tells apart, once.
fn counts(
    policy: &Policy,
    limits_of: impl Fn(&Policy, Option<usize>) -> &[Limit],
) -> Vec<(&str, &Limit)> {
    let tiers = (0..policy.tiers().len()).map(Some);
    let mut counts: Vec<(&str, &Limit)> = Vec::new();
    for tier in tiers.chain([None]) {
        for limit in limits_of(policy, tier) {
            let name = policy.counts_under(tier, limit);
            let is_known = counts
                .iter()
                .any(|(known, other)| *known == name && other.id() == limit.id());
            if !is_known {
                counts.push((name, limit));
            }
        }
    }
    counts
}
