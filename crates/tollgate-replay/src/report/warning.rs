//! What the numbers do not say by themselves.

use serde::Serialize;

/// Something that whoever reads the report should know before believing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What kind it is.
    pub kind: WarningKind,
    /// What it is, and what to do about it, in a sentence or two.
    pub message: String,
}

/// Kinds of warnings, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WarningKind {
    /// A few private addresses, or one of any kind, sent nearly all requests: proxies that are not trusted.
    OneClient,
    /// Clients are names of hosts.
    NamedClients,
    /// A policy asks for an attribute that the logs do not have.
    MissingAttribute,
    /// Many requests have no client.
    NoClient,
    /// The log's times are too coarse for a policy.
    Resolution,
    /// Times are ends of requests.
    EndTimes,
    /// Requests came too late to be put in order.
    Late,
    /// Lines were rejected.
    Rejected,
    /// A file has lines of several forms.
    MixedFormats,
    /// A file could not be read to its end.
    Damaged,
    /// More keys than are followed, or more counts than are kept.
    TooManyKeys,
    /// Limits were in force when the log was written.
    LimitedAlready,
    /// A policy matches nothing.
    MatchesNothing,
    /// What a policy says about responses cannot be replayed: the log has no statuses.
    NoStatus,
    /// Too few clients to tell what a small share of them do.
    FewClients,
    /// No number that is ever suggested keeps to the share of clients that may be denied.
    ShareExceeded,
    /// The log covers too short a time for what it is asked.
    ShortLog,
}
