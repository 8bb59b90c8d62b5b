//! AWS CloudFront's standard logs: columns between tabs, named by a line `#Fields:`.
//!
//! * `date` and `time` are the end, in UTC; `time-taken` is subtracted.
//! * The user agent and the referer are URL-encoded, and decoded here, once. The path and the query
//!   are left as they are logged: what is percent-encoded in them may have been sent so, and policies
//!   decode it themselves.
//! * Before a `#Fields:` line the columns are the first twenty of the documented order, which has not
//!   changed since there were that many.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::text::TextState;
use super::text::address::address;
use super::text::escape::{marked, percent_encoded, present};
use super::text::scan::{seconds, status};
use super::{Line, Peer, Record, Reject, Skipped, TimeBasis};

/// Reads a line of CloudFront's standard logs.
pub(crate) fn read<'l>(line: &'l [u8], state: &mut TextState) -> Result<Line<'l>, Reject> {
    if let Some(comment) = line.strip_prefix(b"#") {
        if let Some(names) = comment.strip_prefix(b"Fields:") {
            state.columns = Columns::named(names);
        }
        return Ok(Line::Skipped(Skipped::Comment));
    }
    if !line.contains(&b'\t') {
        return Err(Reject::OtherForm);
    }
    let values = state.columns.values(line);
    let date = values.get(Column::Date).unwrap_or_default();
    if !matches!(date, [_, _, _, _, b'-', _, _, b'-', _, _]) {
        return Err(Reject::OtherForm);
    }
    if !values.complete {
        return Err(Reject::TooFewFields);
    }
    let end = state.dates.iso(&utc(date, values.of(Column::Time)?)?)?;
    let mut record = Record::at(end.at, TimeBasis::End, end.resolution);
    if let Some(took) = values.get(Column::TimeTaken).and_then(seconds) {
        record.at = record.at.saturating_sub(took);
        record.basis = TimeBasis::EndLessDuration;
        record.duration = Some(took);
    }
    record.peer = match values.of(Column::Client)? {
        b"-" => Peer::Unknown,
        client => Peer::Address(address(client).ok_or(Reject::Client)?),
    };
    record.status = status(values.of(Column::Status)?)?;
    record.method = values.text(Column::Method);
    record.path = values.target(Column::Path);
    record.query = values.target(Column::Query);
    record.host = values
        .text(Column::HostHeader)
        .or_else(|| values.text(Column::Host));
    record.user_agent = values.decoded(Column::UserAgent);
    record.referer = values.decoded(Column::Referer);
    record.forwarded_for = values.decoded(Column::ForwardedFor);
    Ok(Line::Request(record))
}

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Date,
    Time,
    Client,
    Method,
    Host,
    Path,
    Status,
    Referer,
    UserAgent,
    Query,
    HostHeader,
    TimeTaken,
    ForwardedFor,
}

const READ: usize = 13;

impl Column {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"date" => Self::Date,
            b"time" => Self::Time,
            b"c-ip" => Self::Client,
            b"cs-method" => Self::Method,
            b"cs(Host)" => Self::Host,
            b"cs-uri-stem" => Self::Path,
            b"sc-status" => Self::Status,
            b"cs(Referer)" => Self::Referer,
            b"cs(User-Agent)" => Self::UserAgent,
            b"cs-uri-query" => Self::Query,
            b"x-host-header" => Self::HostHeader,
            b"time-taken" => Self::TimeTaken,
            b"x-forwarded-for" => Self::ForwardedFor,
            _ => return None,
        })
    }

    const fn index(self) -> usize {
        self as usize
    }
}

/// Which columns a file has, in its order.
#[derive(Clone, Debug)]
pub(crate) struct Columns(Vec<Option<Column>>);

impl Columns {
    /// The columns that a `#Fields:` line names, between blanks or tabs.
    fn named(names: &[u8]) -> Self {
        let names = names.split(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        Self(
            names
                .filter(|name| !name.is_empty())
                .map(Column::named)
                .collect(),
        )
    }

    fn values<'l>(&self, line: &'l [u8]) -> Values<'l> {
        let mut values = [None; READ];
        let mut columns = self.0.iter();
        let mut begin = 0;
        for end in memchr_iter(b'\t', line).chain([line.len()]) {
            let Some(column) = columns.next() else { break };
            if let Some(value) = column.and_then(|column| values.get_mut(column.index())) {
                *value = Some(&line[begin..end]);
            }
            begin = end + 1;
        }
        Values {
            complete: columns.next().is_none(),
            values,
        }
    }
}

impl Default for Columns {
    fn default() -> Self {
        Self::named(
            b"date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status \
              cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type \
              x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for",
        )
    }
}

/// The values of a line in the columns that are read.
struct Values<'l> {
    values: [Option<&'l [u8]>; READ],
    /// Whether there are as many values as columns. More is as good; with fewer, the line was cut.
    complete: bool,
}

impl<'l> Values<'l> {
    fn get(&self, column: Column) -> Option<&'l [u8]> {
        self.values.get(column.index()).copied().flatten()
    }

    fn of(&self, column: Column) -> Result<&'l [u8], Reject> {
        self.get(column).ok_or(Reject::TooFewFields)
    }

    fn text(&self, column: Column) -> Option<Cow<'l, str>> {
        present(Cow::Borrowed(self.get(column)?))
    }

    fn decoded(&self, column: Column) -> Option<Cow<'l, str>> {
        let text = self.get(column).filter(|text| *text != b"-")?;
        present(marked(text, b'%'))
    }

    fn target(&self, column: Column) -> Option<Cow<'l, str>> {
        let text = self.get(column)?;
        let there = !matches!(text, b"" | b"-");
        there.then(|| percent_encoded(Cow::Borrowed(text)))
    }
}

/// The time of two columns, as one text.
fn utc(date: &[u8], time: &[u8]) -> Result<Vec<u8>, Reject> {
    if time.len() > 20 {
        return Err(Reject::Time);
    }
    Ok([date, b"T", time, b"Z"].concat())
}

#[cfg(test)]
mod tests;
