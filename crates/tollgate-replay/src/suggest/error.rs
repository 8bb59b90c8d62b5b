//! Why nothing is suggested.

use std::error::Error;
use std::fmt;

use tollgate_policy::PolicyError;

/// Why nothing is suggested.
#[derive(Debug)]
#[non_exhaustive]
pub enum SuggestError<E> {
    /// The log cannot be read.
    Read(E),
    /// What was asked for is no policy: a part of the key, or a pattern of paths.
    Policy(PolicyError),
    /// What would be written cannot be read back.
    Written(String),
    /// There are no requests.
    Nothing,
}

impl<E: fmt::Display> fmt::Display for SuggestError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Policy(error) => error.fmt(f),
            Self::Written(found) => write!(f, "no policy file can say this:\n{found}"),
            Self::Nothing => f.write_str("there are no requests to derive limits from"),
        }
    }
}

impl<E: Error + 'static> Error for SuggestError<E> {}
