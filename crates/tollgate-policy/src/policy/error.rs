//! Why a policy or a set of policies cannot be built.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// A policy or a set of policies that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    kind: PolicyErrorKind,
    policy: String,
    problem: Cow<'static, str>,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PolicyErrorKind {
    /// The name is empty, too long, or has characters that names may not have.
    Name,
    /// Another policy has the same name.
    DuplicateName,
    /// A test cannot be understood: the attribute, or a pattern.
    Condition,
    /// There is no key, too much of one, or a part that cannot be understood.
    Key,
    /// There are no limits, too many, or `block` or `unlimited` beside them.
    Allowance,
    /// Two limits would share a count.
    SameCount,
    /// The cost is out of bounds, or never fits.
    Cost,
    /// The statuses of failures are none.
    Count,
    /// There are more policies than a set can hold.
    TooMany,
}

impl PolicyError {
    /// An error whose text goes on after the policy's name.
    pub(crate) fn new(kind: PolicyErrorKind, problem: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            policy: String::new(),
            problem: problem.into(),
        }
    }

    pub(crate) fn of_policy(mut self, name: &str) -> Self {
        self.policy = name.chars().take(80).collect();
        self
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> PolicyErrorKind {
        self.kind
    }

    /// The name of the policy.
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "policy `{}` {}", self.policy, self.problem)
    }
}

impl Error for PolicyError {}
