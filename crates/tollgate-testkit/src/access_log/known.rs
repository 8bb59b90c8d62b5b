//! What a reader of a line can know.

use std::net::IpAddr;

use tollgate::{Micros, Timestamp};

/// What a reader of a line can know of a request: less than was, and never more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// When it began, as well as the line tells.
    pub at: Timestamp,
    /// What that is.
    pub basis: Basis,
    /// The unit of the line's time.
    pub resolution: Micros,
    /// How long it took.
    pub duration: Option<Micros>,
    /// The client, for who trusts [`PROXIES`](super::PROXIES): the peer, if the form has no list.
    pub client: IpAddr,
    /// The method.
    pub method: Option<String>,
    /// The path, as it was sent.
    pub path: Option<String>,
    /// The query.
    pub query: Option<String>,
    /// The host.
    pub host: Option<String>,
    /// The user.
    pub user: Option<String>,
    /// How it was answered.
    pub status: Option<u16>,
    /// `User-Agent`.
    pub user_agent: Option<String>,
    /// `Referer`.
    pub referer: Option<String>,
}

/// Which instant of a request a line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Its begin.
    Start,
    /// Its end and its duration.
    EndLessDuration,
    /// Its end.
    End,
}

/// Cuts what is smaller than a unit.
pub(super) const fn cut(at: Timestamp, unit: Micros) -> Timestamp {
    let micros = at.as_micros();
    Timestamp::from_micros(micros - micros % unit.as_micros())
}
