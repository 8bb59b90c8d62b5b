//! AWS Application Load Balancer.
//!
//! ```text
//! type time elb client:port target:port 3×seconds status target_status received sent "request" "agent" cipher
//! protocol group "trace" "domain" "certificate" priority created "actions" "redirect" "error" …
//! ```
//!
//! The begin is `request_creation_time`; a line that lacks it, as old ones do, tells the end and three
//! spans of time, which add up unless the request was never passed on. More fields may follow. The
//! address is that of the load balancer's client: a proxy in front of it, if there is one.

use tollgate::Micros;

use super::text::TextState;
use super::text::address::address_and_port;
use super::text::escape::{backslashes, present};
use super::text::request_line;
use super::text::scan::{quoted, seconds, status, word};
use super::{Line, Peer, Record, Reject, TimeBasis};

/// Reads a line of an Application Load Balancer.
pub(crate) fn read<'l>(line: &'l [u8], state: &mut TextState) -> Result<Line<'l>, Reject> {
    let mut fields = Fields(line);
    let kind = fields.word()?;
    if !matches!(kind, b"http" | b"https" | b"h2" | b"grpcs" | b"ws" | b"wss") {
        return Err(Reject::OtherForm);
    }
    let end = state.dates.iso(fields.word()?)?;
    let _elb = fields.word()?;
    let client = fields.word()?;
    let _target = fields.word()?;
    let spans = [fields.word()?, fields.word()?, fields.word()?];
    let status = status(fields.word()?)?;
    let _target_status = fields.word()?;
    let _received = fields.word()?;
    let _sent = fields.word()?;
    let request = fields.text()?;
    let agent = fields.text()?;
    let begin = match fields.created()? {
        Some(created) => Some(state.dates.iso(created)?),
        None => None,
    };

    let mut record = match (begin, sum(spans)) {
        (Some(begin), _) => {
            let mut record = Record::at(begin.at, TimeBasis::Start, begin.resolution);
            record.duration = (end.at >= begin.at).then(|| end.at.saturating_since(begin.at));
            record
        }
        (None, Some(took)) => {
            let at = end.at.saturating_sub(took);
            let mut record = Record::at(at, TimeBasis::EndLessDuration, end.resolution);
            record.duration = Some(took);
            record
        }
        (None, None) => Record::at(end.at, TimeBasis::End, end.resolution),
    };
    record.status = status;
    record.peer = match client {
        b"-" => Peer::Unknown,
        client => Peer::Address(address_and_port(client).ok_or(Reject::Client)?),
    };
    record.user_agent = present(backslashes(agent));
    fill_request(&mut record, request);
    Ok(Line::Request(record))
}

/// Fills in the request. One that the load balancer could not read is `- http://host:80- -`: only the
/// host is true of it.
fn fill_request<'l>(record: &mut Record<'l>, request: &'l [u8]) {
    request_line::fill(record, &backslashes(request));
    if request.starts_with(b"- ") {
        record.path = None;
        record.query = None;
        if let Some(host) = record.host.take() {
            let host = host.strip_suffix('-').unwrap_or(&host);
            record.host = (!host.is_empty()).then(|| host.to_owned().into());
        }
    }
}

/// The sum of three spans in seconds; `None` if one of them is -1.
fn sum(spans: [&[u8]; 3]) -> Option<Micros> {
    spans.into_iter().try_fold(Micros::ZERO, |sum, span| {
        let span = seconds(span)?.as_micros();
        Some(Micros::new(sum.as_micros().checked_add(span)?))
    })
}

/// The fields that are left.
struct Fields<'l>(&'l [u8]);

impl<'l> Fields<'l> {
    fn word(&mut self) -> Result<&'l [u8], Reject> {
        if self.0.is_empty() {
            return Err(Reject::TooFewFields);
        }
        let (word, rest) = word(self.0);
        self.0 = rest;
        Ok(word)
    }

    /// A text in quotes, without them. Quotes inside it are escaped, or else followed by something
    /// that is no blank.
    fn text(&mut self) -> Result<&'l [u8], Reject> {
        if self.0.is_empty() {
            return Err(Reject::TooFewFields);
        }
        let text = quoted(self.0)?;
        self.0 = text.rest;
        Ok(text.inner)
    }

    /// The time at which the request was received, eight fields after the user agent. `None` if the
    /// line does not go that far.
    fn created(&mut self) -> Result<Option<&'l [u8]>, Reject> {
        for _ in 0..7 {
            if self.0.is_empty() {
                return Ok(None);
            }
            match self.0.first() {
                Some(b'"') => self.text()?,
                _ => self.word()?,
            };
        }
        if self.0.is_empty() {
            return Ok(None);
        }
        let created = self.word()?;
        Ok((created != b"-").then_some(created))
    }
}

#[cfg(test)]
mod tests;
