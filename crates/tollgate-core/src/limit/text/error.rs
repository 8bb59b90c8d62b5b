//! What is wrong with a text that is no limit, in words that help to mend it.

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use super::suggestion::{Expected, suggestion};
use crate::limit::{LimitError, MAX_UNITS};

/// A text that is no limit: what is wrong, and which characters are.
///
/// `{}` prints one line; `{:#}` adds the text with the characters underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseLimitError {
    pub(super) text: String,
    pub(super) span: Range<usize>,
    pub(super) problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Empty,
    Block,
    NoUnits,
    NoSlash,
    NoPeriod,
    NoTimeUnit,
    NotWhole,
    NumberTooLarge,
    UnknownTimeUnit,
    UnknownWord,
    Several,
    Twice(&'static str),
    NoNumber(&'static str),
    NoAnchor,
    UnknownAnchor,
    Limit(LimitError),
}

impl ParseLimitError {
    /// The bytes of the text that are wrong.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is wrong, without the text and the column: for who shows the place in a way of their
    /// own.
    #[must_use]
    pub const fn problem(&self) -> LimitProblem<'_> {
        LimitProblem(self)
    }

    fn offending(&self) -> &str {
        self.text.get(self.span.clone()).unwrap_or("")
    }

    fn suggestion(&self) -> Option<String> {
        let expected = match self.problem {
            Problem::UnknownTimeUnit => Expected::TimeUnit,
            Problem::UnknownWord => Expected::Option,
            Problem::UnknownAnchor => Expected::Anchor,
            _ => return None,
        };
        suggestion(expected, self.offending())
    }
}

/// Prints what is wrong with a text that is no limit, and nothing of where.
#[derive(Clone, Copy, Debug)]
pub struct LimitProblem<'e>(&'e ParseLimitError);

impl fmt::Display for LimitProblem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.0;
        let word = error.offending().escape_debug();
        match &error.problem {
            Problem::Empty => {
                f.write_str("a limit is empty; write units and a period, such as `10/min`")?;
            }
            Problem::Block => write!(
                f,
                "`{word}` is not a limit; a policy says `block` or `unlimited` instead of limits"
            )?,
            Problem::NoUnits => write!(
                f,
                "`{word}` is not a number of units; a limit begins with one, such as `10/min`"
            )?,
            Problem::NoSlash => {
                f.write_str("a `/` and a period must follow the units, such as `10/min`")?;
            }
            Problem::NoPeriod => f.write_str(
                "a period must follow the `/`: ms, s, min, h or d, such as `10/min` or `3/10s`",
            )?,
            Problem::NoTimeUnit => write!(
                f,
                "`{word}` has no unit of time; write ms, s, min, h or d after it, such as `3/10s`"
            )?,
            Problem::NotWhole => write!(
                f,
                "`{word}` is not a whole number; write digits only, with `_` between them if you like, such as `1_500`"
            )?,
            Problem::NumberTooLarge => write!(
                f,
                "`{word}` is too large; no number in a limit may exceed {MAX_UNITS}"
            )?,
            Problem::UnknownTimeUnit => {
                write!(f, "`{word}` is not a unit of time; use ms, s, min, h or d")?;
            }
            Problem::UnknownWord => write!(
                f,
                "`{word}` means nothing here; after the period may stand `burst N`, `anchor first-request` and one of token-bucket, fixed-window, sliding-window, sliding-log"
            )?,
            Problem::Several => write!(
                f,
                "`{word}` cannot stand in a limit; write each of several limits as a text of its own"
            )?,
            Problem::Twice(what) => write!(f, "`{word}`: the {what} is given twice")?,
            Problem::NoNumber(what) => write!(f, "a number must follow `{what}`")?,
            Problem::NoAnchor => f.write_str("`epoch` or `first-request` must follow `anchor`")?,
            Problem::UnknownAnchor => write!(
                f,
                "`{word}` is not an anchor; use `epoch` or `first-request`"
            )?,
            Problem::Limit(error) => error.fmt(f)?,
        }
        if let Some(meant) = error.suggestion() {
            write!(f, " (did you mean `{}`?)", meant.escape_debug())?;
        }
        Ok(())
    }
}

impl fmt::Display for ParseLimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem().fmt(f)?;
        if matches!(self.problem, Problem::Empty) {
            return Ok(());
        }
        let column = self
            .text
            .get(..self.span.start)
            .map_or(1, |before| before.chars().count() + 1);
        write!(f, ", in `{}` at column {column}", self.text.escape_debug())?;
        if f.alternate() && !self.text.contains(char::is_control) {
            let width = self.offending().chars().count().max(1);
            write!(f, "\n  {}\n  {:>column$}", self.text, '^')?;
            for _ in 1..width {
                f.write_str("^")?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for ParseLimitError {}
