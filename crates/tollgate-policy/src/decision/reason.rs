//! Why a decision is what it is.

use std::fmt;

/// Why a request was allowed or denied, by all policies or by one.
///
/// These are all: whoever answers requests says something else for each, and is told by the
/// compiler when there is one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No enforced policy matches.
    NoPolicy,
    /// The limits admit it.
    Allowed,
    /// The policies that match limit nothing.
    Unlimited,
    /// The key cannot be built, and the policy is passed over for that.
    MissingKeySkipped,
    /// The store made no decision, and the policy allows then.
    StoreFailedAllow,
    /// The store made no decision, and this process's share of the limits admits it.
    StoreFailedLocalAllow,
    /// Of one policy only: its limits were not checked, because another policy denies without the
    /// store.
    NotChecked,
    /// A limit does not admit it now.
    LimitExceeded,
    /// Its cost is more than a limit can ever admit.
    NeverFits,
    /// The key cannot be built, and the policy denies then.
    MissingKey,
    /// A policy denies all that it matches.
    Blocked,
    /// The store made no decision, and the policy denies then, or nothing could be counted in this
    /// process either.
    StoreFailedDeny,
    /// The store made no decision, and this process's share of the limits does not admit it.
    StoreFailedLocalDeny,
}

impl Reason {
    /// All reasons there are, in no particular order.
    pub const ALL: [Self; 13] = [
        Self::NoPolicy,
        Self::Allowed,
        Self::Unlimited,
        Self::MissingKeySkipped,
        Self::StoreFailedAllow,
        Self::StoreFailedLocalAllow,
        Self::NotChecked,
        Self::LimitExceeded,
        Self::NeverFits,
        Self::MissingKey,
        Self::Blocked,
        Self::StoreFailedDeny,
        Self::StoreFailedLocalDeny,
    ];

    /// A name that never changes, for metrics and logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoPolicy => "no_policy",
            Self::Allowed => "allowed",
            Self::Unlimited => "unlimited",
            Self::MissingKeySkipped => "missing_key_skipped",
            Self::StoreFailedAllow => "store_failed_allow",
            Self::StoreFailedLocalAllow => "store_failed_local_allow",
            Self::NotChecked => "not_checked",
            Self::LimitExceeded => "limit_exceeded",
            Self::NeverFits => "never_fits",
            Self::MissingKey => "missing_key",
            Self::Blocked => "blocked",
            Self::StoreFailedDeny => "store_failed_deny",
            Self::StoreFailedLocalDeny => "store_failed_local_deny",
        }
    }

    /// True if it is a reason to serve the request.
    #[must_use]
    pub const fn is_allow(self) -> bool {
        match self {
            Self::NoPolicy
            | Self::Allowed
            | Self::Unlimited
            | Self::MissingKeySkipped
            | Self::StoreFailedAllow
            | Self::StoreFailedLocalAllow
            | Self::NotChecked => true,
            Self::LimitExceeded
            | Self::NeverFits
            | Self::MissingKey
            | Self::Blocked
            | Self::StoreFailedDeny
            | Self::StoreFailedLocalDeny => false,
        }
    }

    /// True if the store made no decision, so that limits were not checked, or only this process's
    /// share of them was.
    #[must_use]
    pub const fn is_degraded(self) -> bool {
        matches!(
            self,
            Self::StoreFailedAllow
                | Self::StoreFailedLocalAllow
                | Self::StoreFailedDeny
                | Self::StoreFailedLocalDeny
        )
    }

    /// Its place in [`ALL`](Self::ALL).
    #[cfg(feature = "metrics")]
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// How much it decides where no store did.
    pub(crate) const fn weight(self) -> u8 {
        match self {
            Self::NoPolicy => 0,
            Self::MissingKeySkipped => 1,
            Self::Unlimited => 2,
            Self::Allowed | Self::NotChecked => 3,
            Self::StoreFailedAllow => 4,
            Self::StoreFailedLocalAllow => 5,
            Self::StoreFailedDeny => 6,
            Self::LimitExceeded | Self::NeverFits | Self::StoreFailedLocalDeny => 7,
            Self::MissingKey => 8,
            Self::Blocked => 9,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_are_told_apart_by_their_names() {
        let names: HashSet<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(names.len(), Reason::ALL.len());
    }

    #[cfg(feature = "metrics")]
    #[test]
    fn each_has_a_place_of_its_own() {
        for (place, reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(reason.index(), place, "{reason}");
        }
    }
}
