//! How logs are to be read.

use crate::log::Form;

/// How logs are to be read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    pub(crate) format: Option<Form>,
}

impl ReadOptions {
    /// The form that every line has, whatever it looks like: lines of other forms are rejected.
    /// Default: found out, file by file and line by line.
    #[must_use]
    pub const fn format(mut self, form: Form) -> Self {
        self.format = Some(form);
        self
    }
}
