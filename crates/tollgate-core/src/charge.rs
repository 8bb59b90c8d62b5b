//! What a store is asked to decide.

use crate::Limit;

/// One thing for a store to decide: `cost` units of `limit`, counted for `key` in a policy.
#[derive(Clone, Copy, Debug)]
pub struct Charge<'a> {
    limit: &'a Limit,
    policy: &'a str,
    key: &'a str,
    cost: u64,
    shadow: Option<u16>,
}

impl<'a> Charge<'a> {
    /// A charge of `cost` units. A cost of 0 only looks (a peek): it is always allowed and
    /// changes nothing. A cost above what the limit can ever admit gets
    /// [`Verdict::Never`](crate::Verdict::Never).
    ///
    /// Two charges share a count exactly if they agree in policy, key and
    /// [`Limit::id`]. Stores compare policies and keys byte by byte.
    #[must_use]
    pub const fn new(limit: &'a Limit, key: &'a str, cost: u64) -> Self {
        Self {
            limit,
            policy: "",
            key,
            cost,
            shadow: None,
        }
    }

    /// Names the policy that the charge belongs to, so that other policies with the same key and
    /// limit count by themselves. Without it, the policy is the empty one.
    #[must_use]
    pub const fn of_policy(mut self, policy: &'a str) -> Self {
        self.policy = policy;
        self
    }

    /// Makes this a charge of the shadow policy number `group`: it takes no part in the verdict
    /// of the others. Charges of one group are admitted together or not at all, and are spent
    /// only if the charges that are not in shadow are all admitted.
    #[must_use]
    pub const fn in_shadow(mut self, group: u16) -> Self {
        self.shadow = Some(group);
        self
    }

    /// How much.
    #[must_use]
    pub const fn limit(&self) -> &'a Limit {
        self.limit
    }

    /// For which policy.
    #[must_use]
    pub const fn policy(&self) -> &'a str {
        self.policy
    }

    /// For whom.
    #[must_use]
    pub const fn key(&self) -> &'a str {
        self.key
    }

    /// Units asked for.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.cost
    }

    /// The shadow policy that the charge belongs to, if any.
    #[must_use]
    pub const fn shadow(&self) -> Option<u16> {
        self.shadow
    }
}
