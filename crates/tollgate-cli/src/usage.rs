//! What is wrong with the command line, and shows only when it is looked at as a whole.

use std::error::Error;
use std::fmt;

/// Arguments that do not go together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsageError(pub(crate) String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for UsageError {}
