//! Why no policy file is in force.

use std::path::PathBuf;

use tollgate_policy::file::Diagnostics;

/// A policy file cannot be put in force. No message holds a secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The file is missing or wrong: every mistake with its line and column.
    #[error("the policy file cannot be used\n{0}")]
    File(Box<Diagnostics>),
    /// No store can be made of `[store]`.
    #[error("[store] of {} cannot be used: {problem}", file.display())]
    Store {
        /// The policy file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
}
