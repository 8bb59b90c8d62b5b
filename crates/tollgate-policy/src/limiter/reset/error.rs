//! Why nothing was forgotten.

use std::error::Error;
use std::fmt;

use tollgate::StoreError;

use crate::Policy;

/// Why a policy's counts for a key were not forgotten.
#[derive(Debug)]
pub struct ResetError {
    kind: ResetErrorKind,
    message: String,
    source: Option<StoreError>,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResetErrorKind {
    /// There is no policy of this name.
    UnknownPolicy,
    /// An attribute of the policy's key was not given.
    MissingKey,
    /// The store could not forget.
    Store,
}

/// Names are at most so long, so that more of one need not be told.
const MAX_NAME: usize = 64;

impl ResetError {
    pub(super) fn unknown_policy(name: &str) -> Self {
        let shown: String = name.chars().take(MAX_NAME).collect();
        Self {
            kind: ResetErrorKind::UnknownPolicy,
            message: format!("there is no policy {shown:?}"),
            source: None,
        }
    }

    /// The policy lacks the part of its key at this position.
    pub(super) fn missing_key(policy: &Policy, part: usize) -> Self {
        let name = policy.name();
        let part = policy.key().get(part).map(ToString::to_string);
        let part = part.unwrap_or_default();
        Self {
            kind: ResetErrorKind::MissingKey,
            message: format!("the key of policy \"{name}\" needs {part}, which was not given"),
            source: None,
        }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ResetErrorKind {
        self.kind
    }
}

impl From<StoreError> for ResetError {
    fn from(source: StoreError) -> Self {
        Self {
            kind: ResetErrorKind::Store,
            message: "the store could not forget all of it".to_owned(),
            source: Some(source),
        }
    }
}

impl fmt::Display for ResetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ResetError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}
