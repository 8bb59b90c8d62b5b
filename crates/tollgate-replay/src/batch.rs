//! Many requests together, without an allocation for each.

use std::borrow::Cow;

use tollgate::Micros;
use tollgate_policy::{AttributeName, Attributes, ClientAddress, NoAddress};

use crate::log::Record;
use crate::wanted::{self, Wanted};

/// Requests of one log, with the values that policies look at.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) entries: Vec<Entry>,
    /// For each entry, one for each attribute that is wanted.
    spans: Vec<Span>,
    text: String,
}

/// What is known of a request beside its attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// In microseconds since the epoch.
    pub(crate) at: u64,
    /// The number of the line in its log.
    pub(crate) line: u64,
    /// In microseconds; the greatest number if it is not known.
    duration: u64,
    /// The position of the log.
    pub(crate) source: u32,
    /// Where its spans begin.
    spans: u32,
    /// In microseconds.
    pub(crate) resolution: u32,
    /// 0 if it is not known.
    status: u16,
    pub(crate) client: Result<ClientAddress, NoAddress>,
}

/// The bytes of a value in the batch's text.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
}

const ABSENT: Span = Span { start: 1, end: 0 };

impl Batch {
    /// Adds a request. True for each wanted attribute that it has is noted in `seen`.
    pub(crate) fn push(
        &mut self,
        (source, line): (u32, u64),
        record: &Record<'_>,
        client: Result<ClientAddress, NoAddress>,
        wanted: &Wanted,
        seen: &mut [bool],
    ) {
        let spans = u32::try_from(self.spans.len()).unwrap_or(u32::MAX);
        for (name, seen) in wanted.names().iter().zip(seen) {
            let span = wanted::value(record, name).and_then(|value| self.write(&value));
            *seen |= span.is_some();
            self.spans.push(span.unwrap_or(ABSENT));
        }
        self.entries.push(Entry {
            at: record.at.as_micros(),
            line,
            duration: record.duration.map_or(u64::MAX, Micros::as_micros),
            source,
            spans,
            resolution: u32::try_from(record.resolution.as_micros()).unwrap_or(u32::MAX),
            status: record.status.unwrap_or(0),
            client,
        });
    }

    /// Adds a request of another batch.
    pub(crate) fn copy(&mut self, entry: &Entry, from: &Self, wanted: &Wanted) {
        let spans = u32::try_from(self.spans.len()).unwrap_or(u32::MAX);
        for number in 0..wanted.names().len() {
            let span = from
                .value(entry, number)
                .and_then(|value| self.write(value));
            self.spans.push(span.unwrap_or(ABSENT));
        }
        self.entries.push(Entry { spans, ..*entry });
    }

    fn write(&mut self, value: &str) -> Option<Span> {
        let start = u32::try_from(self.text.len()).ok()?;
        let end = u32::try_from(self.text.len() + value.len()).ok()?;
        self.text.push_str(value);
        Some(Span { start, end })
    }

    fn value(&self, entry: &Entry, attribute: usize) -> Option<&str> {
        let spans = usize::try_from(entry.spans).ok()?;
        let span = self.spans.get(spans.checked_add(attribute)?)?;
        let (start, end) = (
            usize::try_from(span.start).ok()?,
            usize::try_from(span.end).ok()?,
        );
        self.text.get(start..end)
    }

    /// Puts the requests in order of time; those of the same instant stay in order.
    pub(crate) fn sort(&mut self) {
        if !self.entries.is_sorted_by_key(|entry| entry.at) {
            self.entries.sort_by_key(|entry| entry.at);
        }
    }
}

impl Entry {
    /// By what requests are ordered: time, then the order of the logs, then that of their lines.
    pub(crate) const fn rank(&self) -> (u64, u32, u64) {
        (self.at, self.source, self.line)
    }

    pub(crate) fn duration(&self) -> Option<Micros> {
        (self.duration != u64::MAX).then(|| Micros::new(self.duration))
    }

    pub(crate) fn status(&self) -> Option<u16> {
        (self.status != 0).then_some(self.status)
    }
}

/// A request of a batch, as policies see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'b> {
    pub(crate) batch: &'b Batch,
    pub(crate) entry: &'b Entry,
    pub(crate) wanted: &'b Wanted,
}

impl<'b> View<'b> {
    /// The attributes that are wanted, with the values of those that the request has.
    pub(crate) fn values(&self) -> impl Iterator<Item = (&'b AttributeName, Option<&'b str>)> {
        let Self {
            batch,
            entry,
            wanted,
        } = *self;
        let names = wanted.names().iter().enumerate();
        names.map(move |(number, name)| (name, batch.value(entry, number)))
    }
}

impl Attributes for View<'_> {
    #[inline]
    fn attribute(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        let number = self.wanted.names().iter().position(|known| known == name)?;
        self.batch.value(self.entry, number).map(Cow::Borrowed)
    }

    #[inline]
    fn client(&self) -> Option<ClientAddress> {
        self.entry.client.ok()
    }

    fn no_client(&self) -> Option<NoAddress> {
        self.entry.client.err()
    }
}
