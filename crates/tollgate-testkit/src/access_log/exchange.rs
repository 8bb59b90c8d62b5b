//! A request and its answer.

use std::net::{IpAddr, Ipv4Addr};

use tollgate::{Micros, Timestamp};

/// The networks of the proxies that requests come through, if they do: whoever reads a list of
/// forwarding addresses must trust these and no others.
pub const PROXIES: &str = "10.20.0.0/16";

/// A request and its answer, as they were, whatever a log tells of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// From 0, in order of [`start`](Self::start).
    pub number: u64,
    /// When the request began.
    pub start: Timestamp,
    /// How long it took until all was sent.
    pub duration: Micros,
    /// Who sent it.
    pub client: IpAddr,
    /// Who connected to the server: the client, or the last proxy.
    pub peer: IpAddr,
    /// The port of the peer.
    pub port: u16,
    /// `X-Forwarded-For`, as it came: what the client made up, then whom each proxy saw.
    pub forwarded_for: Option<String>,
    /// What came in place of a request, if it was none: bytes before the first line feed.
    pub malformed: Option<&'static [u8]>,
    /// The method.
    pub method: &'static str,
    /// The path, as it was sent.
    pub path: String,
    /// The query, without `?`.
    pub query: Option<String>,
    /// The version of HTTP: 10, 11, 20 or 30.
    pub version: u8,
    /// The host that was asked for.
    pub host: &'static str,
    /// The user that was authenticated.
    pub user: Option<String>,
    /// The header field `User-Agent`.
    pub user_agent: Option<&'static str>,
    /// The header field `Referer`.
    pub referer: Option<&'static str>,
    /// How it was answered.
    pub status: u16,
    /// True if the client had gone before it was answered: each server says so in its own way.
    pub gone: bool,
    /// Bytes of the answer's body.
    pub bytes: u64,
}

impl Exchange {
    /// When it was over: lines are written then.
    #[must_use]
    pub const fn end(&self) -> Timestamp {
        self.start.saturating_add(self.duration)
    }

    /// Path and query.
    pub(super) fn target(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }

    /// The nanoseconds that its microseconds leave open, for servers that write them.
    pub(super) const fn nanos(&self) -> u64 {
        self.number * 379 % 1000
    }

    /// An identifier of its own.
    pub(super) fn id(&self) -> String {
        let mixed = self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("{mixed:016x}")
    }

    /// `[2001:db8::1]:443`, `192.0.2.1:443`.
    pub(super) fn peer_and_port(&self) -> String {
        std::net::SocketAddr::new(self.peer, self.port).to_string()
    }
}

/// One of the proxies.
pub(super) fn proxy(number: u8) -> IpAddr {
    Ipv4Addr::new(10, 20, 0, number).into()
}
