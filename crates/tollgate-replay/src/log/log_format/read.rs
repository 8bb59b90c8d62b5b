//! Lines, by the format.

use std::borrow::Cow;

use memchr::memmem;
use tollgate::Micros;

use super::variable::Variable;
use super::{Escape, LogFormat};
use crate::log::json::headers::fill_text;
use crate::log::json::text::unescaped;
use crate::log::text::address::{address, peer};
use crate::log::text::escape::{backslashes, present};
use crate::log::text::request_line;
use crate::log::text::scan::{seconds, status};
use crate::log::time::number::{Decimal, Unit, instant};
use crate::log::time::text::{Dates, Moment};
use crate::log::{Line, Peer, Record, Reject, TimeBasis};

/// How often the end of a value is looked for in one line: quotes that are not escaped leave several
/// ways, of which the first is taken that could be.
const TRIES: u32 = 2_000;

/// Reads a line.
///
/// # Errors
///
/// [`Reject::OtherForm`] if what stands between the values is not there, [`Reject::Unfinished`] if the
/// line ends before it.
pub(crate) fn read<'l>(
    format: &LogFormat,
    line: &'l [u8],
    dates: &mut Dates,
) -> Result<Line<'l>, Reject> {
    let rest = line
        .strip_prefix(format.begin.as_slice())
        .ok_or(Reject::OtherForm)?;
    let mut split = Split {
        format,
        values: Vec::with_capacity(format.parts.len()),
        tries: TRIES,
        furthest: 0,
        missing: 0,
    };
    if !split.from(0, rest) {
        // More than half was there, and then nothing of what should follow: the rest was cut off.
        let is_cut = split.missing == split.furthest && split.furthest * 2 > format.parts.len();
        return Err(if is_cut {
            Reject::Unfinished
        } else {
            Reject::OtherForm
        });
    }
    let values = split.values;
    let mut filled = Filled::default();
    for (part, value) in format.parts.iter().zip(values) {
        filled.fill(&part.variable, format.escape, value, dates)?;
    }
    filled.record()
}

struct Split<'f, 'l> {
    format: &'f LogFormat,
    values: Vec<&'l [u8]>,
    tries: u32,
    /// The farthest part that was looked for.
    furthest: usize,
    /// The farthest part whose end was not there.
    missing: usize,
}

impl<'l> Split<'_, 'l> {
    /// Finds the values from a part on; true if that is possible.
    fn from(&mut self, part: usize, rest: &'l [u8]) -> bool {
        let Some(this) = self.format.parts.get(part) else {
            return rest.is_empty();
        };
        self.furthest = self.furthest.max(part);
        let is_last = part + 1 == self.format.parts.len();
        if this.then.is_empty() {
            // Only the last variable has nothing behind it.
            self.values.push(rest);
            return is_last && this.variable.could_be(rest);
        }
        let mut searched = 0;
        while let Some(found) = self.find(&this.then, rest, searched) {
            let Some(left) = self.tries.checked_sub(1) else {
                return false;
            };
            self.tries = left;
            let value = rest.get(..found).unwrap_or_default();
            if !this.variable.could_be(value) && value.len() > 4096 {
                return false;
            }
            if this.variable.could_be(value) {
                let known = self.values.len();
                self.values.push(value);
                let after = rest.get(found + this.then.len()..).unwrap_or_default();
                if self.from(part + 1, after) {
                    return true;
                }
                self.values.truncate(known);
            }
            searched = found + 1;
        }
        if searched == 0 {
            self.missing = self.missing.max(part);
        }
        false
    }

    /// Where some text stands next; quotes that JSON escapes are not what is looked for.
    fn find(&self, then: &[u8], rest: &[u8], mut from: usize) -> Option<usize> {
        loop {
            let found = from + memmem::find(rest.get(from..)?, then)?;
            let may_be_escaped = self.format.escape == Escape::Json && then.first() == Some(&b'"');
            if !may_be_escaped || !ends_in_an_escape(rest.get(..found)?) {
                return Some(found);
            }
            from = found + 1;
        }
    }
}

/// True if what follows is escaped: after an odd number of backslashes.
fn ends_in_an_escape(text: &[u8]) -> bool {
    let backslashes = text.iter().rev().take_while(|byte| **byte == b'\\');
    backslashes.count() % 2 == 1
}

/// What the values said so far.
#[derive(Default)]
struct Filled<'l> {
    time: Option<Moment>,
    took: Option<Micros>,
    remote: Option<Cow<'l, [u8]>>,
    real_peer: Option<Cow<'l, [u8]>>,
    proxy_protocol: Option<Cow<'l, [u8]>>,
    sent_on: Option<Cow<'l, str>>,
    request: Option<Cow<'l, [u8]>>,
    target: Option<Cow<'l, [u8]>>,
    uri: Option<Cow<'l, [u8]>>,
    args: Option<Cow<'l, [u8]>>,
    method: Option<Cow<'l, str>>,
    user: Option<Cow<'l, str>>,
    host: Option<Cow<'l, str>>,
    status: Option<u16>,
    headers: Vec<(String, Cow<'l, str>)>,
    others: Vec<(String, Cow<'l, str>)>,
}

impl<'l> Filled<'l> {
    fn fill(
        &mut self,
        variable: &Variable,
        escape: Escape,
        value: &'l [u8],
        dates: &mut Dates,
    ) -> Result<(), Reject> {
        let value = match escape {
            Escape::Default => backslashes(value),
            Escape::Json if value.contains(&b'\\') => Cow::Owned(unescaped(value)),
            Escape::Json | Escape::None => Cow::Borrowed(value),
        };
        if matches!(&*value, b"" | b"-") && *variable != Variable::Status {
            return Ok(());
        }
        match variable {
            Variable::TimeLocal => self.time(dates.common(&value)?),
            Variable::TimeIso => self.time(dates.iso(&value)?),
            Variable::Msec => {
                let number = Decimal::read(&value).ok_or(Reject::Time)?;
                let (at, resolution) = instant(number, Some(Unit::Seconds)).ok_or(Reject::Time)?;
                self.time(Moment { at, resolution });
            }
            Variable::RequestTime => self.took = seconds(&value),
            Variable::Remote => self.remote = Some(value),
            Variable::RealPeer => self.real_peer = Some(value),
            Variable::ProxyProtocol => self.proxy_protocol = Some(value),
            Variable::ForwardedFor => self.sent_on = present(value),
            Variable::User => self.user = present(value),
            Variable::Request => self.request = Some(value),
            Variable::Method => self.method = present(value),
            Variable::RequestUri => self.target = Some(value),
            Variable::Uri => self.uri = Some(value),
            Variable::Args => self.args = Some(value),
            Variable::Host => self.host = present(value),
            Variable::Status if value.is_empty() => {}
            Variable::Status => self.status = status(&value)?,
            Variable::Header(name) => {
                let value = present(value).map(|value| (name.clone(), value));
                self.headers.extend(value);
            }
            Variable::Argument(name) => {
                let value = present(value).map(|value| (format!("query.{name}"), value));
                self.others.extend(value);
            }
            Variable::Other => {}
        }
        Ok(())
    }

    /// Keeps the finest of several times.
    fn time(&mut self, moment: Moment) {
        if self
            .time
            .is_none_or(|known| moment.resolution < known.resolution)
        {
            self.time = Some(moment);
        }
    }

    fn record(mut self) -> Result<Line<'l>, Reject> {
        let end = self.time.ok_or(Reject::Time)?;
        let mut record = Record::at(end.at, TimeBasis::End, end.resolution);
        if let Some(took) = self.took {
            record.at = end.at.saturating_sub(took);
            record.duration = Some(took);
            record.basis = TimeBasis::EndLessDuration;
        }
        record.status = self.status;
        record.user = self.user.take();
        self.fill_peer(&mut record);
        if let Some(uri) = &self.uri {
            request_line::fill_target(&mut record, uri, 0..uri.len());
        }
        if let Some(request) = &self.request {
            request_line::fill(&mut record, request);
        }
        if let Some(method) = self.method {
            record.method = Some(method);
        }
        if let Some(target) = &self.target {
            request_line::fill_target(&mut record, target, 0..target.len());
        }
        if record.query.is_none() {
            record.query = self.args.map(crate::log::text::escape::percent_encoded);
        }
        if let Some(host) = self.host {
            record.host = Some(host);
        }
        for (name, value) in self.headers {
            fill_text(&mut record, &name, value);
        }
        let others = self.others.into_iter();
        record
            .others
            .extend(others.map(|(name, value)| (Cow::Owned(name), value)));
        Ok(Line::Request(record))
    }

    /// The real IP module makes `$remote_addr` the client, and keeps the peer elsewhere.
    fn fill_peer(&mut self, record: &mut Record<'l>) {
        let remote = self.remote.take();
        match self.real_peer.take() {
            Some(real) => {
                record.peer = owned_peer(&real);
                record.client = remote.and_then(|remote| address(&remote));
            }
            None => record.peer = remote.map_or(Peer::Unknown, |remote| owned_peer(&remote)),
        }
        if let Some(client) = self.proxy_protocol.take().and_then(|text| address(&text))
            && record.client.is_none()
        {
            match record.peer {
                Peer::Unknown => record.peer = Peer::Address(client),
                _ => record.client = Some(client),
            }
        }
        if record.peer == Peer::Unknown {
            record.forwarded_for = self.sent_on.take();
        }
    }
}

fn owned_peer(text: &[u8]) -> Peer<'static> {
    match peer(text) {
        Some(Peer::Address(address)) => Peer::Address(address),
        Some(Peer::Name(name)) => Peer::Name(Cow::Owned(name.into_owned())),
        Some(Peer::Unix) => Peer::Unix,
        Some(Peer::Unknown) | None => Peer::Unknown,
    }
}
