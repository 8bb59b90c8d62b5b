//! What is not the protocol.

use std::error::Error;
use std::fmt;

/// Bytes that are no command. Nothing that follows them means anything, so that the connection
/// has to end; its text is the error that the client is told before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The number of arguments is no number, or above the bound.
    ArrayLength,
    /// The length of an argument is no number, negative, or above the bound.
    BulkLength,
    /// A line that should tell a length is too long for one.
    LengthLine,
    /// There is another byte where the length of an argument should begin.
    NoBulk(u8),
    /// An argument does not end where its length says.
    BulkEnd,
    /// A line of text is longer than the bound.
    Line,
    /// A line of text has an opening quote without a closing one.
    Quotes,
    /// The command as a whole is longer than the bound.
    Command,
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Protocol error: ")?;
        match self {
            Self::ArrayLength => f.write_str("invalid multibulk length"),
            Self::BulkLength => f.write_str("invalid bulk length"),
            Self::LengthLine => f.write_str("too big count string"),
            Self::NoBulk(byte) => write!(f, "expected '$', got '{}'", byte.escape_ascii()),
            Self::BulkEnd => f.write_str("expected CRLF after an argument"),
            Self::Line => f.write_str("too big inline request"),
            Self::Quotes => f.write_str("unbalanced quotes in request"),
            Self::Command => f.write_str("too big request"),
        }
    }
}

impl Error for ProtocolError {}
