//! Which form a line has.

mod readers;

use self::readers::Readers;
use super::json::recent::Origin;
use super::text::scan;
use super::wrapper::{Unwrapped, Unwrapper, Wrapper};
use super::{Form, Line, ReadOptions, Reject, Skipped};

/// Reads lines of a log: each in the form of the one before if it has that, else in whichever it has.
#[derive(Debug)]
pub(crate) struct Detector {
    unwrapper: Unwrapper,
    readers: Readers,
}

/// A line that was read.
#[derive(Debug)]
pub(crate) struct Found<'l> {
    pub(crate) line: Line<'l>,
    pub(crate) wrapper: Wrapper,
    pub(crate) form: Form,
}

impl Detector {
    /// For the log of this name.
    pub(crate) fn new(options: &ReadOptions, name: &str) -> Self {
        Self {
            unwrapper: Unwrapper::default(),
            readers: Readers::new(options, name),
        }
    }

    /// What the line with this number says.
    pub(crate) fn read<'l>(&'l mut self, number: u64, line: &'l [u8]) -> Result<Found<'l>, Reject> {
        let line = match scan::content(line) {
            Ok(line) => line,
            Err(kind) => return Ok(Found::skipped(kind)),
        };
        let log = self.readers.json.origin.log;
        self.readers.json.origin = Origin { log, line: number };
        let (wrapper, within, is_error_output) = self.unwrapper.take(line)?;
        let within = match within {
            Unwrapped::Within(within) => within,
            Unwrapped::Apart => self.unwrapper.line(),
            Unwrapped::Partial => return Ok(Found::skipped(Skipped::Partial)),
        };
        if wrapper != Wrapper::None && within.trim_ascii().is_empty() {
            return Ok(Found::skipped(Skipped::Blank));
        }
        match self.readers.read(within) {
            Ok((line, form)) => Ok(Found {
                line,
                wrapper,
                form,
            }),
            // An error log, or a complaint.
            Err(_) if is_error_output => Ok(Found::skipped(Skipped::OtherMessage)),
            // What looked like a wrapper may be a part of the format that was asked for. Otherwise a line
            // of syslog that cannot be read would be one of a host named `Nov`.
            Err(reason) if wrapper == Wrapper::None || !self.readers.is_forced() => Err(reason),
            Err(reason) => match self.readers.read(line) {
                Ok((line, form)) => Ok(Found {
                    line,
                    wrapper: Wrapper::None,
                    form,
                }),
                Err(_) => Err(reason),
            },
        }
    }
}

impl Detector {
    /// A line whose end is missing when the log ends; it is given once.
    pub(crate) fn unfinished(&mut self) -> Option<Vec<u8>> {
        self.unwrapper.unfinished()
    }
}

impl Found<'_> {
    const fn skipped(kind: Skipped) -> Self {
        Self {
            line: Line::Skipped(kind),
            wrapper: Wrapper::None,
            form: Form::Combined,
        }
    }
}

#[cfg(test)]
mod tests;
