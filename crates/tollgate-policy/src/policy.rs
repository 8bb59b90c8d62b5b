//! Named rules: which requests, counted by what, how much, and what happens otherwise.

mod builder;
mod error;
mod escape;
mod local_share;
mod mismatch;
mod settings;
mod statuses;
mod warning;

pub use builder::PolicyBuilder;
#[cfg(feature = "file")]
pub(crate) use builder::check_name;
pub use error::{PolicyError, PolicyErrorKind};
pub(crate) use escape::Holders;
pub use local_share::{LocalShare, LocalShareError};
pub use mismatch::Mismatch;
pub use settings::{Allowance, Cost, Count, MissingKey, Mode, OnStoreFailure};
pub use statuses::Statuses;
#[cfg(feature = "file")]
pub(crate) use warning::About;
pub use warning::PolicyWarning;

use tollgate::{Algorithm, Limit};

use crate::condition::{Condition, Facts, Forms};
use crate::key::Key;
use crate::{AttributeName, Attributes, KeyPart, When};

/// A named rule, checked when it was built.
///
/// ```
/// use tollgate_policy::{Count, Policy, Statuses, When};
///
/// let login = Policy::builder("login")
///     .method(["POST"])
///     .path("/auth/login")
///     .except("client.ip", "192.0.2.0/24")
///     .key("client.ip")
///     .limits(["10/min fixed-window".parse()?, "100/d sliding-window".parse()?])
///     .tier(When::is("user.plan", "pro"), ["60/min fixed-window".parse()?])
///     .count(Count::Failures(Statuses::of([401, 403])))
///     .build()?;
/// assert_eq!(login.name(), "login");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Which requests
///
/// A policy matches a request that passes every test of `matches` (`method` and `path` are the
/// tests that most policies have) and none of its exceptions. A test of an attribute that the
/// request lacks fails.
///
/// # How much
///
/// The first tier whose condition holds replaces the policy's limits. Windows and logs of tiers
/// count under the policy's name: where a limit of one agrees with a limit of the other in algorithm
/// and period, who changes tiers keeps what was used. A token bucket of a tier counts by itself: see
/// [`tier`](PolicyBuilder::tier).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    name: Box<str>,
    when: When,
    condition: Condition,
    exceptions: Box<[(When, Condition)]>,
    key: Key,
    allowance: Allowance,
    /// The allowance's limits as one instance keeps to them by itself, if it may have to.
    local: Box<[Limit]>,
    tiers: Box<[Tier]>,
    cost: CheckedCost,
    count: Count,
    missing_key: MissingKey,
    mode: Mode,
    on_store_failure: OnStoreFailure,
    hides_numbers: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Tier {
    when: When,
    condition: Condition,
    allowance: Allowance,
    local: Box<[Limit]>,
    /// What its token buckets count under.
    bucket_name: Box<str>,
}

/// A cost whose attribute has been understood.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CheckedCost {
    Fixed(u64),
    Attribute {
        name: AttributeName,
        min: u64,
        max: u64,
        default: u64,
    },
}

impl CheckedCost {
    /// The attribute that it is taken from.
    const fn attribute(&self) -> Option<&AttributeName> {
        match self {
            Self::Fixed(_) => None,
            Self::Attribute { name, .. } => Some(name),
        }
    }

    /// What every request takes at least that takes anything.
    fn least(&self) -> u64 {
        match self {
            Self::Fixed(cost) => *cost,
            Self::Attribute { min, default, .. } => (*min).min(*default).max(1),
        }
    }

    /// What a request may take, at most.
    const fn most(&self) -> u64 {
        match self {
            Self::Fixed(cost) => *cost,
            Self::Attribute { max, .. } => *max,
        }
    }
}

impl Policy {
    /// Begins a policy. Its name is of 1 to 64 letters, digits, `-`, `_` and `.`, and begins with
    /// a letter or a digit: it stands in keys, headers and metrics.
    pub fn builder(name: &str) -> PolicyBuilder {
        PolicyBuilder::new(name)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The condition that a request must meet.
    pub const fn when(&self) -> &When {
        &self.when
    }

    /// The conditions of which a request must meet none.
    pub fn exceptions(&self) -> impl Iterator<Item = &When> {
        self.exceptions.iter().map(|(when, _)| when)
    }

    /// The parts of the key; none if all requests are counted together.
    #[must_use]
    pub fn key(&self) -> &[KeyPart] {
        self.key.parts()
    }

    /// What a request gets to which no tier applies.
    #[must_use]
    pub const fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// What a request gets to which the tier applies that was added as number `tier`, from 0.
    #[must_use]
    pub fn tier(&self, tier: usize) -> Option<&Allowance> {
        self.tiers.get(tier).map(|tier| &tier.allowance)
    }

    /// The tiers in order: a condition, and what a request gets that meets it.
    pub fn tiers(&self) -> impl ExactSizeIterator<Item = (&When, &Allowance)> {
        self.tiers.iter().map(|tier| (&tier.when, &tier.allowance))
    }

    /// The units that a request takes.
    #[must_use]
    pub fn cost(&self) -> Cost {
        match &self.cost {
            CheckedCost::Fixed(cost) => Cost::Fixed(*cost),
            CheckedCost::Attribute {
                name,
                min,
                max,
                default,
            } => Cost::Attribute {
                name: name.to_string(),
                min: *min,
                max: *max,
                default: *default,
            },
        }
    }

    /// Which requests count for good.
    #[must_use]
    pub const fn count(&self) -> &Count {
        &self.count
    }

    /// What happens to a request whose key cannot be built.
    #[must_use]
    pub const fn missing_key(&self) -> MissingKey {
        self.missing_key
    }

    /// Whether it is enforced.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// What happens to a request when the store makes no decision.
    #[must_use]
    pub const fn on_store_failure(&self) -> OnStoreFailure {
        self.on_store_failure
    }

    /// The limits that one instance keeps to by itself while the store makes no decision, of the
    /// tier of a number or, with `None`, where no tier applies: the share of each limit, in the
    /// same order. None unless [`on_store_failure`](Self::on_store_failure) is
    /// [`Local`](OnStoreFailure::Local).
    #[must_use]
    pub fn local_limits(&self, tier: Option<usize>) -> &[Limit] {
        let tier = tier.and_then(|tier| self.tiers.get(tier));
        tier.map_or(&self.local, |tier| &tier.local)
    }

    /// True if responses must not tell its numbers.
    #[must_use]
    pub const fn hides_numbers(&self) -> bool {
        self.hides_numbers
    }

    /// What was built as told, but is probably a mistake. A key that clients choose may be none in a
    /// set, where another policy holds them: see [`PolicySet::warnings`](crate::PolicySet::warnings).
    #[must_use]
    pub fn warnings(&self) -> Vec<PolicyWarning> {
        warning::of(self)
    }

    pub(crate) const fn condition(&self) -> &Condition {
        &self.condition
    }

    pub(crate) const fn keyed_by(&self) -> &Key {
        &self.key
    }

    pub(crate) fn matches<A: Attributes + ?Sized>(&self, facts: &Facts<'_, A>) -> bool {
        self.condition.matches(facts, Forms::Any)
            && !self
                .exceptions
                .iter()
                .any(|(_, exception)| exception.matches(facts, Forms::All))
    }

    /// The first tier that applies to a request.
    pub(crate) fn tier_of<A: Attributes + ?Sized>(&self, facts: &Facts<'_, A>) -> Option<usize> {
        self.tiers
            .iter()
            .position(|tier| tier.condition.matches(facts, Forms::All))
    }

    pub(crate) fn allowance_of(&self, tier: Option<usize>) -> &Allowance {
        tier.and_then(|tier| self.tier(tier))
            .unwrap_or(&self.allowance)
    }

    pub(crate) fn limits_of(&self, tier: Option<usize>) -> &[Limit] {
        match self.allowance_of(tier) {
            Allowance::Limits(limits) => limits,
            _ => &[],
        }
    }

    /// The name under which a store counts a limit of the policy or of a tier.
    ///
    /// A bucket's level says what was used of a burst, so that a smaller burst forgets what is above
    /// it: who could share a level between tiers would empty it by alternating. What windows and
    /// logs count is the same for every limit.
    pub(crate) fn counts_under(&self, tier: Option<usize>, limit: &Limit) -> &str {
        match tier.and_then(|tier| self.tiers.get(tier)) {
            Some(tier) if limit.algorithm() == Algorithm::TokenBucket => &tier.bucket_name,
            _ => &self.name,
        }
    }

    pub(crate) fn cost_of<A: Attributes + ?Sized>(&self, facts: &Facts<'_, A>) -> u64 {
        match &self.cost {
            CheckedCost::Fixed(cost) => *cost,
            CheckedCost::Attribute {
                name,
                min,
                max,
                default,
            } => match facts.value(name) {
                None => *default,
                // The builder has seen that they are in order.
                Some(text) => read_cost(&text).map_or(*max, |cost| cost.max(*min).min(*max)),
            },
        }
    }
}

/// Digits and nothing else.
fn read_cost(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests;
