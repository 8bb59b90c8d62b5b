//! What a user may do, and what a user pays for.

use serde::{Deserialize, Serialize};

/// What a user may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything with what is their own.
    User,
    /// Also with what is not, and everything under `/admin`.
    Admin,
}

/// What a user pays for: the limiter's policies may give it other limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// Nothing.
    Free,
    /// More requests.
    Pro,
}

impl Role {
    /// The role as it is stored, sent and shown to policies.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Admin => "admin",
        }
    }

    /// The schema stores these two and no others.
    #[must_use]
    pub fn from_stored(text: &str) -> Self {
        if text == Self::Admin.as_str() {
            Self::Admin
        } else {
            Self::User
        }
    }
}

impl Plan {
    /// The plan as it is stored, sent and shown to policies.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Pro => "pro",
        }
    }

    /// The schema stores these two and no others.
    #[must_use]
    pub fn from_stored(text: &str) -> Self {
        if text == Self::Pro.as_str() {
            Self::Pro
        } else {
            Self::Free
        }
    }
}
