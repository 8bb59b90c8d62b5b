//! The prefix of Kubernetes' container runtimes.

use std::borrow::Cow;

use super::Piece;

/// `2026-11-05T06:25:02.31+01:00 stdout F line`; the tag is `P` for a part, and others may follow it
/// after a `:`.
pub(super) fn read(line: &[u8]) -> Option<Piece<'_>> {
    let rest = after_time(line)?;
    let is_error_output = match rest.get(..7)? {
        b"stdout " => false,
        b"stderr " => true,
        _ => return None,
    };
    let (tag, rest) = rest.get(7..)?.split_at_checked(1)?;
    let is_partial = match tag {
        b"F" => false,
        b"P" => true,
        _ => return None,
    };
    let text = match rest {
        [] => rest,
        [b' ', text @ ..] => text,
        [b':', tags @ ..] => {
            let end = memchr::memchr(b' ', tags)?;
            tags.get(end + 1..)?
        }
        _ => return None,
    };
    Some(Piece {
        is_error_output,
        is_partial,
        text: Cow::Borrowed(text),
    })
}

/// What follows a time as RFC 3339 has it, and a blank.
pub(super) fn after_time(line: &[u8]) -> Option<&[u8]> {
    if line.get(4) != Some(&b'-') || line.get(7) != Some(&b'-') || line.get(10) != Some(&b'T') {
        return None;
    }
    let end = memchr::memchr(b' ', line.get(..40).unwrap_or(line))?;
    line.get(end + 1..).filter(|_| end >= 19)
}
