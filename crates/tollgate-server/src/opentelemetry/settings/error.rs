//! What is wrong with a variable.

/// What is to be exported by OTLP cannot be. Names the variable and what would be right, and nothing
/// that may be secret.
#[derive(Debug, thiserror::Error)]
#[error("{variable} {problem}")]
pub struct OpenTelemetryError {
    variable: String,
    problem: String,
}

impl OpenTelemetryError {
    pub(super) fn new(variable: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            variable: variable.into(),
            problem: problem.into(),
        }
    }

    /// The variable, or option, that it is about.
    #[must_use]
    pub fn variable(&self) -> &str {
        &self.variable
    }
}
