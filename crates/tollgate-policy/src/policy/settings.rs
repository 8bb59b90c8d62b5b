//! The choices of a policy.

use tollgate::Limit;

use super::{LocalShare, Statuses};

/// What a request may get.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Allowance {
    /// All of some limits must admit it.
    Limits(Box<[Limit]>),
    /// Nothing: it is denied without asking a store.
    Block,
    /// Everything: nothing is counted.
    Unlimited,
}

impl From<Limit> for Allowance {
    fn from(limit: Limit) -> Self {
        Self::Limits([limit].into())
    }
}

impl<const N: usize> From<[Limit; N]> for Allowance {
    fn from(limits: [Limit; N]) -> Self {
        Self::Limits(limits.into())
    }
}

impl From<Vec<Limit>> for Allowance {
    fn from(limits: Vec<Limit>) -> Self {
        Self::Limits(limits.into())
    }
}

/// The units that a request takes of each limit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cost {
    /// The same for every request. The default is 1; 0 only looks.
    Fixed(u64),
    /// What an attribute says, as a decimal number without a sign.
    ///
    /// A value that is no number costs as much as the upper bound, so that nonsense is never cheap;
    /// so does a number above it. A number below the lower bound costs as much as that. Take costs
    /// from attributes that the service sets, never from what the client writes.
    Attribute {
        /// The name of the attribute.
        name: String,
        /// The lower bound. 1 unless there is a reason: with 0 a request may only look.
        min: u64,
        /// The upper bound.
        max: u64,
        /// What a request without the attribute costs.
        default: u64,
    },
}

impl Default for Cost {
    fn default() -> Self {
        Self::Fixed(1)
    }
}

/// Which requests count for good. All are charged before they are served, so that parallel
/// requests cannot slip through together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Count {
    /// Every request that is admitted.
    #[default]
    All,
    /// Requests whose response has one of these statuses; the others are refunded when the
    /// response is known. A request that is never answered stays counted.
    ///
    /// Use a window or a log: they give back exactly. A token bucket can give back what had drained
    /// if earlier admissions were refunded meanwhile, and then admits nearly twice its burst of
    /// failures in an instant ([`PolicyWarning`](crate::PolicyWarning) says so).
    Failures(Statuses),
}

/// What happens to a request whose key cannot be built, because it lacks an attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MissingKey {
    /// It is denied, and nothing is spent anywhere.
    #[default]
    Deny,
    /// The policy is passed over, and the decision says so.
    Skip,
}

/// Whether a policy is enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// It is.
    #[default]
    Enforce,
    /// It counts and reports, and never denies.
    Shadow,
    /// It does nothing.
    Off,
}

/// What a request gets when the store makes no decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnStoreFailure {
    /// It is denied, as a failure of the service.
    Deny,
    /// It is let through, uncounted. This is the default: a limiter that fails must not take the
    /// service down with it, unless its policy guards something worse.
    #[default]
    Allow,
    /// It is decided in this process, by a share of each limit: with N instances behind the store
    /// and a share of `1/N`, all of them together keep to about the limit.
    ///
    /// A share that is less than one request still admits one, and the same key may be counted by
    /// several instances, so that the sum is exact only where requests are spread evenly. Counts
    /// of the store are not known here: a client may get its limit anew when an outage begins, and
    /// when it ends. What was counted here is dropped then. If there is no room for it here either,
    /// the request is denied as under `Deny`.
    Local(LocalShare),
}
