//! A setting that cannot be used, told so that the reader can mend it.

use std::fmt::Display;

/// A variable, what it holds, what is wrong with that, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable} is \"{value}\": {problem}; {remedy}")]
pub struct ConfigError {
    variable: &'static str,
    value: String,
    problem: String,
    remedy: &'static str,
}

impl ConfigError {
    /// `value` is shown as it is: a secret must be taken out of it before.
    pub(super) fn new(variable: &'static str, value: &str, problem: impl Display) -> Self {
        Self {
            variable,
            value: value.to_owned(),
            problem: problem.to_string(),
            remedy: "",
        }
    }

    pub(super) const fn remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = remedy;
        self
    }

    /// The name of the variable at fault.
    #[must_use]
    pub const fn variable(&self) -> &'static str {
        self.variable
    }
}
