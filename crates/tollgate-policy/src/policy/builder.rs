//! Builds a policy.

use tollgate::{Limit, MAX_UNITS};

use super::error::{PolicyError, PolicyErrorKind as Kind};
use super::{
    Allowance, CheckedCost, Cost, Count, LocalShare, MissingKey, Mode, OnStoreFailure, Policy, Tier,
};
use crate::condition::{Condition, ConditionError, Patterns, When};
use crate::key::Key;

/// The longest name of a policy, in bytes.
const MAX_NAME: usize = 64;
/// The most limits that a policy or a tier may have.
const MAX_LIMITS: usize = 16;

/// Builds a [`Policy`]; nothing is checked before [`build`](Self::build).
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct PolicyBuilder {
    name: String,
    when: When,
    exceptions: Vec<When>,
    key: Vec<String>,
    is_shared: bool,
    allowance: Option<Allowance>,
    is_contradictory: bool,
    tiers: Vec<(When, Allowance)>,
    cost: Cost,
    count: Count,
    missing_key: MissingKey,
    mode: Mode,
    on_store_failure: OnStoreFailure,
    hides_numbers: bool,
}

impl PolicyBuilder {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            when: When::always(),
            exceptions: Vec::new(),
            key: Vec::new(),
            is_shared: false,
            allowance: None,
            is_contradictory: false,
            tiers: Vec::new(),
            cost: Cost::default(),
            count: Count::default(),
            missing_key: MissingKey::default(),
            mode: Mode::default(),
            on_store_failure: OnStoreFailure::default(),
            hides_numbers: false,
        }
    }

    /// Matches requests only whose attribute has one of some values: see [`Patterns`].
    pub fn matches(mut self, attribute: &str, patterns: impl Into<Patterns>) -> Self {
        self.when = self.when.and(attribute, patterns);
        self
    }

    /// Matches requests only of some methods.
    pub fn method(self, methods: impl Into<Patterns>) -> Self {
        self.matches("method", methods)
    }

    /// Matches requests only of some paths: see [`Patterns`].
    pub fn path(self, paths: impl Into<Patterns>) -> Self {
        self.matches("path", paths)
    }

    /// Does not match requests whose attribute has one of some values. Each call adds an exception
    /// of its own: a request that any of them names is excepted. A path is excepted only if it is
    /// in both of its [forms](crate::normalize_path), whichever the router takes.
    pub fn except(self, attribute: &str, patterns: impl Into<Patterns>) -> Self {
        self.except_when(When::is(attribute, patterns))
    }

    /// Does not match requests that meet a whole condition.
    pub fn except_when(mut self, condition: When) -> Self {
        self.exceptions.push(condition);
        self
    }

    /// Adds a part to the key: an attribute, or alternatives of which the first that a request has
    /// is taken: `user or client.ip`. Requests are counted together if all parts agree.
    pub fn key(mut self, part: &str) -> Self {
        self.key.push(part.to_owned());
        self
    }

    /// Counts all requests together, without a key.
    pub const fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }

    /// Adds a limit.
    pub fn limit(self, limit: Limit) -> Self {
        self.limits([limit])
    }

    /// Adds limits, all of which must admit a request.
    pub fn limits(mut self, limits: impl IntoIterator<Item = Limit>) -> Self {
        let mut all = match self.allowance.take() {
            Some(Allowance::Limits(limits)) => limits.into_vec(),
            None => Vec::new(),
            Some(_) => {
                self.is_contradictory = true;
                Vec::new()
            }
        };
        all.extend(limits);
        self.allowance = Some(all.into());
        self
    }

    /// Denies every request that matches, instead of limits.
    pub fn block(self) -> Self {
        self.instead_of_limits(Allowance::Block)
    }

    /// Limits nothing, instead of limits: for a policy of which only tiers have limits.
    pub fn unlimited(self) -> Self {
        self.instead_of_limits(Allowance::Unlimited)
    }

    fn instead_of_limits(mut self, allowance: Allowance) -> Self {
        let old = self.allowance.replace(allowance);
        self.is_contradictory |= old.is_some() && old != self.allowance;
        self
    }

    /// Gives requests that meet a condition other limits. The first tier that applies counts.
    ///
    /// Who changes tiers keeps what was used of a window or a log with the same algorithm and
    /// period. A token bucket of a tier counts by itself, under the policy's name, `@` and the
    /// tier's number from 1: each bucket holds its own bound, and who can change tiers at will has
    /// one bucket of each. Give them a window where the sum must be bounded.
    ///
    /// A condition on the path must hold in both of its [forms](crate::normalize_path), so that no
    /// spelling obtains a tier. A tier that is to be *tighter* for some paths can be left by a
    /// spelling; make it a policy of its own.
    pub fn tier(mut self, condition: When, allowance: impl Into<Allowance>) -> Self {
        self.tiers.push((condition, allowance.into()));
        self
    }

    /// The units that a request takes. The default is 1.
    pub fn cost(mut self, cost: Cost) -> Self {
        self.cost = cost;
        self
    }

    /// Which requests count for good. The default is all.
    pub fn count(mut self, count: Count) -> Self {
        self.count = count;
        self
    }

    /// What happens to a request whose key cannot be built. The default is that it is denied.
    pub const fn missing_key(mut self, choice: MissingKey) -> Self {
        self.missing_key = choice;
        self
    }

    /// Whether the policy is enforced. The default is that it is.
    pub const fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// What happens to a request when the store makes no decision. The default is that it is let
    /// through.
    pub const fn on_store_failure(mut self, choice: OnStoreFailure) -> Self {
        self.on_store_failure = choice;
        self
    }

    /// Whether responses are kept from telling the policy's numbers, as a password limiter should
    /// be. The default is that they tell them.
    pub const fn hide_numbers(mut self, hide: bool) -> Self {
        self.hides_numbers = hide;
        self
    }

    /// Checks everything once.
    ///
    /// # Errors
    ///
    /// [`PolicyErrorKind`](Kind) lists what can be wrong; the message names the policy, the value
    /// and the remedy.
    pub fn build(self) -> Result<Policy, PolicyError> {
        let name = self.name.clone();
        self.checked().map_err(|problem| problem.of_policy(&name))
    }

    fn checked(self) -> Result<Policy, PolicyError> {
        check_name(&self.name)?;
        let allowance = match self.allowance {
            _ if self.is_contradictory => {
                return Err(PolicyError::new(
                    Kind::Allowance,
                    "has more than one of limits, block and unlimited; keep one",
                ));
            }
            Some(allowance) => allowance,
            None => {
                return Err(PolicyError::new(
                    Kind::Allowance,
                    "has no limits; add one such as `10/min`, or say `block` or `unlimited`",
                ));
            }
        };
        let cost = check_cost(self.cost)?;
        check_allowance(&allowance, &cost, "")?;
        let share = match self.on_store_failure {
            OnStoreFailure::Local(share) => Some(share),
            OnStoreFailure::Deny | OnStoreFailure::Allow => None,
        };
        let local = local_limits(share, &allowance, &cost)?;
        let tiers = self.tiers.into_iter().enumerate().map(|(number, tier)| {
            let (when, allowance) = tier;
            let place = format!("tier {} ", number + 1);
            check_allowance(&allowance, &cost, &place)?;
            Ok(Tier {
                condition: compile(&when, &place)?,
                when,
                local: local_limits(share, &allowance, &cost)?,
                allowance,
                // No policy can have this name, because names have no `@`.
                bucket_name: format!("{}@{}", self.name, number + 1).into(),
            })
        });
        let tiers: Box<[Tier]> = tiers.collect::<Result<_, PolicyError>>()?;
        let counts = tiers
            .iter()
            .map(|tier| &tier.allowance)
            .chain([&allowance])
            .any(|allowance| matches!(allowance, Allowance::Limits(_)));
        let key = Key::parse(&self.key).map_err(|problem| PolicyError::new(Kind::Key, problem))?;
        if key.parts().is_empty() != self.is_shared && (counts || self.is_shared) {
            let problem = if self.is_shared {
                "has a key, although all requests are to be counted together; keep one of both"
            } else {
                "has no key; add one such as `client.ip`, or say that all requests are counted together"
            };
            return Err(PolicyError::new(Kind::Key, problem));
        }
        check_count(&self.count)?;
        let exceptions = self.exceptions.into_iter().map(|when| {
            let condition = compile(&when, "an exception ")?;
            if condition.attributes().next().is_none() {
                return Err(PolicyError::new(
                    Kind::Condition,
                    "has an exception without a test, which every request meets; turn the policy off instead",
                ));
            }
            Ok((when, condition))
        });
        Ok(Policy {
            condition: compile(&self.when, "")?,
            when: self.when,
            exceptions: exceptions.collect::<Result<_, _>>()?,
            name: self.name.into(),
            key,
            allowance,
            local,
            tiers,
            cost,
            count: self.count,
            missing_key: self.missing_key,
            mode: self.mode,
            on_store_failure: self.on_store_failure,
            hides_numbers: self.hides_numbers,
        })
    }
}

pub(crate) fn check_name(name: &str) -> Result<(), PolicyError> {
    let is_named = name.len() <= MAX_NAME
        && name
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    is_named.then_some(()).ok_or_else(|| {
        PolicyError::new(
            Kind::Name,
            format!("needs another name: 1 to {MAX_NAME} letters, digits, `-`, `_` and `.`, a letter or digit first"),
        )
    })
}

fn compile(when: &When, place: &str) -> Result<Condition, PolicyError> {
    Condition::compile(when).map_err(|ConditionError { attribute, problem }| {
        PolicyError::new(
            Kind::Condition,
            format!(
                "cannot test `{attribute}` in {}: {problem}",
                if place.is_empty() {
                    "`match`"
                } else {
                    place.trim_end()
                }
            ),
        )
    })
}

fn check_cost(cost: Cost) -> Result<CheckedCost, PolicyError> {
    let error = |problem: String| PolicyError::new(Kind::Cost, problem);
    let checked = match cost {
        Cost::Fixed(cost) => CheckedCost::Fixed(cost),
        Cost::Attribute {
            name,
            min,
            max,
            default,
        } => CheckedCost::Attribute {
            name: name
                .parse()
                .map_err(|problem| error(format!("cannot take its cost: {problem}")))?,
            min,
            max,
            default,
        },
    };
    let most = checked.most();
    let (least, default) = match &checked {
        CheckedCost::Fixed(cost) => (*cost, *cost),
        CheckedCost::Attribute { min, default, .. } => (*min, *default),
    };
    if most > MAX_UNITS {
        return Err(error(format!(
            "has a cost of up to {most}; the bound is {MAX_UNITS}"
        )));
    }
    if least > most {
        return Err(error(format!(
            "has a cost of at least {least}, above its bound {most}"
        )));
    }
    if default > most {
        return Err(error(format!(
            "has a default cost of {default}, above its bound {most}"
        )));
    }
    Ok(checked)
}

fn check_allowance(
    allowance: &Allowance,
    cost: &CheckedCost,
    place: &str,
) -> Result<(), PolicyError> {
    let Allowance::Limits(limits) = allowance else {
        return Ok(());
    };
    if limits.is_empty() || limits.len() > MAX_LIMITS {
        return Err(PolicyError::new(
            Kind::Allowance,
            format!(
                "{place}has {} limits; a list holds 1 to {MAX_LIMITS}, and `block` or `unlimited` stands instead of none",
                limits.len()
            ),
        ));
    }
    for (number, limit) in limits.iter().enumerate() {
        let earlier = limits
            .iter()
            .take(number)
            .find(|earlier| earlier.id() == limit.id());
        if let Some(earlier) = earlier {
            return Err(PolicyError::new(
                Kind::SameCount,
                format!(
                    "{place}has the limits `{earlier}` and `{limit}`, which would share a count, because algorithm and period are the same; keep one, or change a period"
                ),
            ));
        }
        if let CheckedCost::Fixed(cost) = cost
            && *cost > limit.quota()
        {
            return Err(PolicyError::new(
                Kind::Cost,
                format!(
                    "{place}has the cost {cost}, which `{limit}` can never admit; lower it to {} or raise the limit",
                    limit.quota()
                ),
            ));
        }
    }
    Ok(())
}

/// What one instance keeps to by itself.
fn local_limits(
    share: Option<LocalShare>,
    allowance: &Allowance,
    cost: &CheckedCost,
) -> Result<Box<[Limit]>, PolicyError> {
    let (Some(share), Allowance::Limits(limits)) = (share, allowance) else {
        return Ok([].into());
    };
    let local = limits.iter().map(|limit| {
        share.of_limit(limit, cost.least()).map_err(|error| {
            let problem = format!("cannot have a share of {share} of `{limit}`: {error}");
            PolicyError::new(Kind::Allowance, problem)
        })
    });
    local.collect()
}

fn check_count(count: &Count) -> Result<(), PolicyError> {
    let Count::Failures(statuses) = count else {
        return Ok(());
    };
    let problem = if statuses.is_empty() {
        "counts no status at all; list those of failures, such as 401".to_owned()
    } else if let Some(range) = statuses.vain() {
        format!(
            "counts statuses from {} to {}; write statuses from 100 to 599, the lower first",
            range.start(),
            range.end()
        )
    } else {
        return Ok(());
    };
    Err(PolicyError::new(Kind::Count, problem))
}
