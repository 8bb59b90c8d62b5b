//! What a line of a log says.

use std::borrow::Cow;
use std::net::IpAddr;

use tollgate::{Micros, Timestamp};

/// What a line of a log is.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is made once a line, nearly always of a request, and looked at where it was made"
)]
pub enum Line<'l> {
    /// A request.
    Request(Record<'l>),
    /// No request, and it does not pretend to be one.
    Skipped(Skipped),
}

/// Why a line is no request, though nothing is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Skipped {
    /// It is empty.
    Blank,
    /// A comment, or the names of columns.
    Comment,
    /// Another program, or another part of the same one, writes to the same file: an error log,
    /// connections without a request.
    OtherMessage,
    /// Nothing but zeros, as a crash leaves them.
    Zeros,
    /// The same request once more: its identifier was there already.
    Repeated,
    /// A part of a line whose rest follows.
    Partial,
}

impl Skipped {
    /// A name that never changes, for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::Comment => "comment",
            Self::OtherMessage => "other_message",
            Self::Zeros => "zeros",
            Self::Repeated => "repeated",
            Self::Partial => "partial",
        }
    }
}

/// A request, as a line of a log tells it. What the log does not tell is `None`, never empty.
///
/// Texts are as the client sent them, with the log's own escapes undone. In the path and the query,
/// bytes that are not UTF-8 are percent-encoded; elsewhere a text that is not UTF-8 is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'l> {
    /// When the request began, or as close to that as the log gets: see [`basis`](Self::basis).
    pub at: Timestamp,
    /// What [`at`](Self::at) is.
    pub basis: TimeBasis,
    /// The unit in which the log writes its times: one second, one millisecond, and so on.
    pub resolution: Micros,
    /// How long the request took.
    pub duration: Option<Micros>,
    /// Who was at the other end of the connection.
    pub peer: Peer<'l>,
    /// Whom the server took for the client, where it says so beside the peer.
    pub client: Option<IpAddr>,
    /// The list of `X-Forwarded-For`, as it was received.
    pub forwarded_for: Option<Cow<'l, str>>,
    /// The method.
    pub method: Option<Cow<'l, str>>,
    /// The path of the target, without query.
    pub path: Option<Cow<'l, str>>,
    /// The query of the target, without `?`.
    pub query: Option<Cow<'l, str>>,
    /// The host that the request was for; a port may follow.
    pub host: Option<Cow<'l, str>>,
    /// The user that was authenticated.
    pub user: Option<Cow<'l, str>>,
    /// The name of the route that was taken, where the server has such names.
    pub route: Option<Cow<'l, str>>,
    /// How it was answered: from 100 to 999.
    pub status: Option<u16>,
    /// The header field `User-Agent`.
    pub user_agent: Option<Cow<'l, str>>,
    /// The header field `Referer`.
    pub referer: Option<Cow<'l, str>>,
    /// Everything else that has a name: header fields as `header.NAME`, the name in lower case;
    /// and the attributes of a field map.
    pub others: Vec<(Cow<'l, str>, Cow<'l, str>)>,
}

impl Record<'_> {
    /// A record of which only the time is known.
    #[must_use]
    pub const fn at(at: Timestamp, basis: TimeBasis, resolution: Micros) -> Self {
        Self {
            at,
            basis,
            resolution,
            duration: None,
            peer: Peer::Unknown,
            client: None,
            forwarded_for: None,
            method: None,
            path: None,
            query: None,
            host: None,
            user: None,
            route: None,
            status: None,
            user_agent: None,
            referer: None,
            others: Vec::new(),
        }
    }

    /// When the line was written, as far as the log tells: the end of the request.
    pub(crate) fn written(&self) -> Timestamp {
        self.at.saturating_add(self.duration.unwrap_or_default())
    }

    /// The same, apart from the line that it was read from.
    pub(crate) fn into_owned(self) -> Record<'static> {
        fn owned(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
            text.map(|text| Cow::Owned(text.into_owned()))
        }
        let others = self.others.into_iter();
        Record {
            at: self.at,
            basis: self.basis,
            resolution: self.resolution,
            duration: self.duration,
            peer: match self.peer {
                Peer::Address(address) => Peer::Address(address),
                Peer::Name(name) => Peer::Name(Cow::Owned(name.into_owned())),
                Peer::Unix => Peer::Unix,
                Peer::Unknown => Peer::Unknown,
            },
            client: self.client,
            forwarded_for: owned(self.forwarded_for),
            method: owned(self.method),
            path: owned(self.path),
            query: owned(self.query),
            host: owned(self.host),
            user: owned(self.user),
            route: owned(self.route),
            status: self.status,
            user_agent: owned(self.user_agent),
            referer: owned(self.referer),
            others: others
                .map(|(name, value)| (name.into_owned().into(), value.into_owned().into()))
                .collect(),
        }
    }
}

/// Which instant of a request the log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeBasis {
    /// Its begin.
    Start,
    /// Its end, of which the duration was taken.
    EndLessDuration,
    /// Its end; the log has no durations.
    End,
}

/// Who was at the other end of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Peer<'l> {
    /// This address, without port and zone.
    Address(IpAddr),
    /// The name that the server looked up for an address.
    Name(Cow<'l, str>),
    /// A Unix socket.
    Unix,
    /// The log does not say. Where it has a list of addresses instead, the last one is the peer, and
    /// the rest is [`Record::forwarded_for`].
    Unknown,
}
