//! A setting that cannot be used, told so that the reader can mend it.

use std::fmt::Display;

/// A variable, what it holds, what is wrong with that, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable} is {fault}; {remedy}")]
pub struct ConfigError {
    variable: &'static str,
    fault: String,
    remedy: &'static str,
}

impl ConfigError {
    /// `value` is shown as it is: a secret must be taken out of it before.
    pub(super) fn new(variable: &'static str, value: &str, problem: impl Display) -> Self {
        Self {
            variable,
            fault: format!("\"{value}\": {problem}"),
            remedy: "",
        }
    }

    /// Does not show the value, of which any part could be a secret.
    pub(super) const fn hidden(variable: &'static str, problem: String) -> Self {
        Self {
            variable,
            fault: problem,
            remedy: "",
        }
    }

    /// Does not show the value: it could be a secret, and not all of it is text.
    pub(super) fn not_utf8(variable: &'static str) -> Self {
        Self {
            variable,
            fault: "not UTF-8".to_owned(),
            remedy: "set it to text in UTF-8",
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
