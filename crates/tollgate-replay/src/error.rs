//! Why a replay could not be made.

use std::error::Error;
use std::{fmt, io};

/// Why logs could not be replayed at all. A log that cannot be read to its end is no error: what was
/// read is replayed, and the report says so.
#[derive(Debug)]
pub struct ReplayError(Problem);

#[derive(Debug)]
enum Problem {
    NoInput,
    Open(io::Error),
}

impl ReplayError {
    pub(crate) const fn no_input() -> Self {
        Self(Problem::NoInput)
    }

    pub(crate) const fn open(error: io::Error) -> Self {
        Self(Problem::Open(error))
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::NoInput => f.write_str("no log is named; name files, or - for standard input"),
            // The error of the source names the file.
            Problem::Open(error) => write!(f, "cannot read {error}"),
        }
    }
}

impl Error for ReplayError {}
