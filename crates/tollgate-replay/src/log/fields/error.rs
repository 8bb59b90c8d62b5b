//! Fields that are none, with what to write instead.

use std::error::Error;
use std::fmt;

use tollgate_policy::ParseAttributeNameError;
use tollgate_policy::file::nearest;

use super::Target;
use crate::log::time::number::ParseUnitError;

/// A field that says nothing that can be read, or a map that lacks one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError(Box<Problem>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    NoEquals {
        field: String,
    },
    Name {
        name: String,
        error: ParseAttributeNameError,
    },
    Path {
        path: String,
        expected: &'static str,
    },
    Unit(ParseUnitError),
    UnitOfNothing {
        name: String,
    },
    Twice {
        name: String,
    },
    NoTime {
        meant: Option<String>,
    },
    NoClient {
        meant: Option<String>,
    },
}

impl From<Problem> for FieldError {
    fn from(problem: Problem) -> Self {
        Self(Box::new(problem))
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Problem::NoEquals { field } => write!(
                f,
                "`{}` is no field; write what it is, `=`, and where it stands, as in `client.ip=.request.client_ip`",
                field.escape_debug()
            ),
            Problem::Name { name, error } => {
                let names = Target::NAMED.map(|(name, _)| name);
                match nearest(names, name) {
                    Some(meant) => write!(
                        f,
                        "`{}` is no field; did you mean `{meant}`?",
                        name.escape_debug()
                    ),
                    None => error.fmt(f),
                }
            }
            Problem::Path { path, expected } => write!(
                f,
                "`{}` is no path to a value: {expected}; write names after dots and places in brackets, as in `.headers[\"X-Plan\"][0]`",
                path.escape_debug()
            ),
            Problem::Unit(error) => error.fmt(f),
            Problem::UnitOfNothing { name } => write!(
                f,
                "`{name}` has no unit; only `time`, `start` and `duration` have; a `:` in a name is written `[\"…\"]`"
            ),
            Problem::Twice { name } => write!(f, "the field `{name}` is there twice"),
            Problem::NoTime { meant } => {
                f.write_str("no field tells when requests were; ")?;
                match meant {
                    Some(meant) => write!(f, "did you mean `time` by `{meant}`?"),
                    None => f.write_str("add `time=…` (the end) or `start=…`"),
                }
            }
            Problem::NoClient { meant } => {
                f.write_str("no field tells who sent requests; ")?;
                match meant {
                    Some(meant) => write!(f, "did you mean `client.ip` by `{meant}`?"),
                    None => f.write_str("add `client.ip=…`"),
                }
            }
        }
    }
}

impl Error for FieldError {}
