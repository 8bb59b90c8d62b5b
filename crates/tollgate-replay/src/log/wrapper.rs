//! What other programs put around the lines of a log, taken off.

mod compose;
mod cri;
mod docker;
mod syslog;

use super::Reject;
use super::json::scan::Nodes;

/// The longest line that is put together from parts, in bytes.
const LONGEST: usize = 256 * 1024;

/// What stands around a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Wrapper {
    /// Nothing.
    #[default]
    None,
    /// The prefix of Kubernetes' container runtimes: `2026-11-05T06:25:02.31Z stdout F `.
    Cri,
    /// The JSON of Docker: `{"log":"…\n","stream":"stdout","time":"…"}`.
    Docker,
    /// The prefix of syslog, RFC 3164 or RFC 5424.
    Syslog,
    /// The prefix of Docker Compose: `web-1  | `.
    Compose,
}

impl Wrapper {
    /// A name that never changes, and is empty if there is none.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Cri => "cri",
            Self::Docker => "docker",
            Self::Syslog => "syslog",
            Self::Compose => "compose",
        }
    }
}

/// A line, or a part of one, without what stands around it.
#[derive(Debug)]
struct Piece<'l> {
    /// True for what the program wrote to its error output.
    is_error_output: bool,
    /// True if the rest of the line follows with the next piece.
    is_partial: bool,
    text: std::borrow::Cow<'l, [u8]>,
}

/// Takes off what stands around lines, and puts together those that were cut into parts. Memory is
/// bounded.
#[derive(Debug, Default)]
pub(crate) struct Unwrapper {
    nodes: Nodes,
    output: Parts,
    error_output: Parts,
    /// The line that was taken out of something last, unless it stands in it as it is.
    line: Vec<u8>,
}

/// The parts so far of a line that is not whole yet.
#[derive(Debug, Default)]
struct Parts {
    text: Vec<u8>,
    is_too_long: bool,
}

/// What was found in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unwrapped<'l> {
    /// A line that stands there as it is.
    Within(&'l [u8]),
    /// A line that is given by [`Unwrapper::line`].
    Apart,
    /// A part of a line: more follows.
    Partial,
}

impl Unwrapper {
    /// Finds the line within, what stands around it, and whether it comes from an error output.
    ///
    /// # Errors
    ///
    /// [`Reject::TooLong`] for a line of many parts that is too long.
    pub(crate) fn take<'l>(
        &mut self,
        line: &'l [u8],
    ) -> Result<(Wrapper, Unwrapped<'l>, bool), Reject> {
        if let Some(piece) = cri::read(line) {
            return self.join(Wrapper::Cri, piece);
        }
        if docker::may_be(line)
            && let Some(piece) = docker::read(line, &mut self.nodes)
        {
            return self.join(Wrapper::Docker, piece);
        }
        if let Some(message) = syslog::read(line) {
            return Ok((Wrapper::Syslog, Unwrapped::Within(message), false));
        }
        if let Some(message) = compose::read(line) {
            return Ok((Wrapper::Compose, Unwrapped::Within(message), false));
        }
        Ok((Wrapper::None, Unwrapped::Within(line), false))
    }

    /// See [`Unwrapped::Apart`].
    pub(crate) fn line(&self) -> &[u8] {
        &self.line
    }

    /// A line whose parts are there, but not its end; it is given once.
    pub(crate) fn unfinished(&mut self) -> Option<Vec<u8>> {
        [&mut self.output, &mut self.error_output]
            .into_iter()
            .map(std::mem::take)
            .find(|parts| parts.is_too_long || !parts.text.is_empty())
            .map(|parts| parts.text)
    }

    fn join<'l>(
        &mut self,
        wrapper: Wrapper,
        piece: Piece<'l>,
    ) -> Result<(Wrapper, Unwrapped<'l>, bool), Reject> {
        let is_error = piece.is_error_output;
        let parts = if is_error {
            &mut self.error_output
        } else {
            &mut self.output
        };
        if !piece.is_partial && parts.text.is_empty() && !parts.is_too_long {
            return Ok(match piece.text {
                std::borrow::Cow::Borrowed(text) => (wrapper, Unwrapped::Within(text), is_error),
                std::borrow::Cow::Owned(text) => {
                    self.line = text;
                    (wrapper, Unwrapped::Apart, is_error)
                }
            });
        }
        if parts.text.len() + piece.text.len() > LONGEST {
            parts.text = Vec::new();
            parts.is_too_long = true;
        } else if !parts.is_too_long {
            parts.text.extend_from_slice(&piece.text);
        }
        if piece.is_partial {
            return Ok((wrapper, Unwrapped::Partial, is_error));
        }
        if std::mem::take(&mut parts.is_too_long) {
            return Err(Reject::TooLong);
        }
        self.line = std::mem::take(&mut parts.text);
        Ok((wrapper, Unwrapped::Apart, is_error))
    }
}

#[cfg(test)]
mod tests;
