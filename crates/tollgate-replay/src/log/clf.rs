//! The common log format and its kin.
//!
//! ```text
//! [host[:port]] client ident user [05/Nov/2026:06:25:02 +0000] "request" status size ["referer" "agent" [more]]
//! ```
//!
//! * The time in brackets, between a blank and a quote, is what a line is recognized by: a user may
//!   hold blanks and brackets, and servers write no quote unescaped before the request.
//! * What the time is: nginx writes the end of the request, and the begin is found if the time that
//!   it took is there too; Apache writes the begin, but nothing in a line tells the two apart. Where
//!   nothing is subtracted, the instant is the same, and is called the end. Traefik writes the begin.
//! * A line that ends in the middle is rejected; one that nginx wrote with `escape=none`, so that
//!   quotes stand inside quotes, is read from the right if that is possible in one way only.

mod client;
mod extras;
mod texts;
mod traefik;

use memchr::memchr_iter;

use super::text::TextState;
use super::text::escape::backslashes;
use super::text::message::is_message;
use super::text::request_line;
use super::text::scan::{Answered, closing_quote, is_number, status, word};
use super::{Line, Record, Reject, Skipped, TimeBasis};

/// Reads a line of a log in the common format.
pub(crate) fn read<'l>(line: &'l [u8], state: &mut TextState) -> Result<Line<'l>, Reject> {
    if is_message(line) {
        return Ok(Line::Skipped(Skipped::OtherMessage));
    }
    let Anchored { before, time, rest } = anchored(line)?;
    let moment = state.dates.common(time)?;
    let Answered {
        request,
        status,
        rest,
    } = answered(rest)?;
    let (size, rest) = word(rest);
    if size.is_empty() {
        return Err(Reject::TooFewFields);
    }
    if size != b"-" && !is_number(size) {
        return Err(Reject::OtherForm);
    }
    let mut record = Record::at(moment.at, TimeBasis::End, moment.resolution);
    record.status = status;
    client::fill(&mut record, before)?;
    request_line::fill(&mut record, &backslashes(request));
    if !rest.is_empty() {
        texts::fill(&mut record, rest)?;
    }
    Ok(Line::Request(record))
}

struct Anchored<'l> {
    /// What stands before the blank before the time.
    before: &'l [u8],
    time: &'l [u8],
    /// What follows the quote that opens the request.
    rest: &'l [u8],
}

/// Finds ` [05/Nov/2026:… +0000] "`.
fn anchored(line: &[u8]) -> Result<Anchored<'_>, Reject> {
    /// A time of nanoseconds with an offset has 36 bytes.
    const LONGEST: usize = 40;

    let mut reject = Reject::OtherForm;
    for open in memchr_iter(b'[', line) {
        let Some(before) = line[..open].strip_suffix(b" ") else {
            continue;
        };
        let inside = &line[open + 1..];
        if !begins_as_time(inside) {
            continue;
        }
        let window = inside.get(..LONGEST).unwrap_or(inside);
        match memchr::memchr(b']', window) {
            Some(close) => {
                let (time, after) = inside.split_at(close);
                if let Some(rest) = after.strip_prefix(b"] \"") {
                    return Ok(Anchored { before, time, rest });
                }
                if b"] \"".starts_with(after) {
                    reject = Reject::Unfinished;
                }
            }
            None if inside.len() < LONGEST => reject = Reject::Unfinished,
            None => {}
        }
    }
    Err(reject)
}

/// Whether it could be `05/Nov/2026:`, whatever day that is.
fn begins_as_time(text: &[u8]) -> bool {
    matches!(
        text,
        [
            b'0'..=b'9',
            b'0'..=b'9',
            b'/',
            _,
            _,
            _,
            b'/',
            _,
            _,
            _,
            _,
            b':',
            ..
        ]
    )
}

/// Finds the quote that closes the request: the first one that no backslash precedes, unless
/// something else than a status follows it, as happens where quotes are not escaped.
fn answered(text: &[u8]) -> Result<Answered<'_>, Reject> {
    let mut reject = None;
    let mut from = 0;
    while let Some(close) = closing_quote(text, from) {
        let found = match &text[close + 1..] {
            [b' ', after @ ..] => {
                let (digits, rest) = word(after);
                status(digits).map(|status| (status, rest))
            }
            [] => Err(Reject::TooFewFields),
            _ => Err(Reject::Quotes),
        };
        match found {
            Ok((status, rest)) => {
                return Ok(Answered {
                    request: &text[..close],
                    status,
                    rest,
                });
            }
            Err(first) => reject = reject.or(Some(first)),
        }
        from = close + 1;
    }
    Err(reject.unwrap_or(Reject::Unfinished))
}

#[cfg(test)]
mod tests;
