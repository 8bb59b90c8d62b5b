//! Why no policy file is in force.

use std::fmt;

use tollgate_policy::file::Diagnostics;

/// A policy file cannot be put in force. No message holds a secret.
///
/// `{:?}` says the same as `{}`, because that is what a `main` prints that returns it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The file is missing or wrong, or there can be no store of its `[store]`: every mistake with
    /// its line and column.
    #[error("the policy file cannot be used\n{0}")]
    File(Box<Diagnostics>),
}

impl fmt::Debug for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
