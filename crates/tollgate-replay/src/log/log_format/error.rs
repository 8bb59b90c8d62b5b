//! Formats that cannot be read, with what to change.

use std::error::Error;
use std::fmt;

/// A `log_format` whose lines could not be read, or would say too little.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFormatError(pub(super) Problem);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    NoVariable,
    NoTime { meant: Option<String> },
    NoClient { meant: Option<String> },
    Touching { first: String, second: String },
    Unclosed { quote: char },
    Name { at: String },
    Escape { value: String },
    TooMany { limit: usize },
}

impl fmt::Display for LogFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let did_you_mean = |f: &mut fmt::Formatter<'_>, meant: &Option<String>| match meant {
            Some(meant) => write!(f, "; did you mean `{meant}`?"),
            None => Ok(()),
        };
        match &self.0 {
            Problem::NoVariable => f.write_str(
                "the log format has no variable; give the text of nginx' `log_format`, in single quotes, so that the shell leaves its `$` alone",
            ),
            Problem::NoTime { meant } => {
                f.write_str(
                    "the log format has no time; add `$time_local`, `$time_iso8601` or `$msec`",
                )?;
                did_you_mean(f, meant)
            }
            Problem::NoClient { meant } => {
                f.write_str("the log format has no client; add `$remote_addr`")?;
                did_you_mean(f, meant)
            }
            Problem::Touching { first, second } => write!(
                f,
                "`${first}` and `${second}` touch, so that nothing tells where one ends; put a blank between them"
            ),
            Problem::Unclosed { quote } => {
                write!(f, "a quote `{quote}` of the log format is never closed")
            }
            Problem::Name { at } => write!(
                f,
                "no name of a variable follows the `$` of `{}`",
                at.escape_debug()
            ),
            Problem::Escape { value } => write!(
                f,
                "there is no `escape={}`; it is `default`, `json` or `none`",
                value.escape_debug()
            ),
            Problem::TooMany { limit } => {
                write!(f, "the log format has more than {limit} variables")
            }
        }
    }
}

impl Error for LogFormatError {}
