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
    /// A fault of the value. `value` is shown as it is: a secret must be taken out of it before.
    #[must_use]
    pub fn new(variable: &'static str, value: &str, problem: impl Display) -> Self {
        Self {
            variable,
            fault: format!("\"{value}\": {problem}"),
            remedy: "",
        }
    }

    /// A fault of a value that is not shown, since any part of it could be a secret.
    #[must_use]
    pub const fn hidden(variable: &'static str, problem: String) -> Self {
        Self {
            variable,
            fault: problem,
            remedy: "",
        }
    }

    /// A value that is not text. Does not show it: it could be a secret, and not all of it is text.
    #[must_use]
    pub fn not_utf8(variable: &'static str) -> Self {
        Self {
            variable,
            fault: "not UTF-8".to_owned(),
            remedy: "set it to text in UTF-8",
        }
    }

    /// Says what to do about it.
    #[must_use]
    pub const fn remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = remedy;
        self
    }

    /// The name of the variable at fault.
    #[must_use]
    pub const fn variable(&self) -> &'static str {
        self.variable
    }
}
