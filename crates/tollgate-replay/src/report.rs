//! What a replay found: the numbers, without a form.
//!
//! Instants are microseconds since the Unix epoch in memory, and RFC 3339 in UTC as JSON. Shares
//! are of 1.

mod curve;
mod input;
mod keys;
mod policy;
mod timeline;
mod warning;

pub use curve::{Curve, CurvePoint};
pub use input::{Example, FileReport, FormatCount, InputReport, RejectCount, SkippedCount};
pub use keys::{KeyReport, Obeying, PeakBucket, Peaks};
pub use policy::{LimitReport, PolicyReport};
pub use timeline::Timeline;
pub use warning::{Warning, WarningKind};

use serde::Serialize;

/// What policies would have done to the requests of some logs.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// False if it was interrupted: it tells of what had been read.
    pub complete: bool,
    /// True if addresses, users and whatever else keys are made of were replaced by keyed hashes.
    pub anonymized: bool,
    /// The policy file, as it was named.
    pub policy_file: String,
    /// What was read.
    pub input: InputReport,
    /// The first and the last request, RFC 3339; `None` if there was none.
    pub from: Option<String>,
    /// See [`from`](Self::from).
    pub to: Option<String>,
    /// All requests.
    pub totals: Totals,
    /// Requests over time.
    pub timeline: Timeline,
    /// Each policy of the file, in its order, also those that are off or match nothing.
    pub policies: Vec<PolicyReport>,
    /// What the numbers do not say by themselves.
    pub warnings: Vec<Warning>,
}

/// What became of all requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Requests.
    pub requests: u64,
    /// Those that every enforced policy lets through.
    pub allowed: u64,
    /// The others.
    pub denied: u64,
    /// Those of the allowed that a policy in shadow would deny.
    pub denied_in_shadow: u64,
    /// Those that no policy matches; they are allowed.
    pub unmatched: u64,
    /// Those that were answered 429 when the log was written: limits were in force already, and
    /// what is replayed is what they let clients try.
    pub answered_429: u64,
    /// Clients that sent requests; `None` if they were not counted. Requests without a client are
    /// nobody's. Above 16,384 it is an estimate, within about a hundredth.
    pub clients: Option<u64>,
    /// Clients that were denied at least once, likewise; `None` if they were not counted.
    pub clients_denied: Option<u64>,
    /// Those of the other clients that a policy in shadow would deny at least once, likewise. With
    /// [`clients_denied`](Self::clients_denied) they are all whom the policies deny something.
    pub clients_denied_in_shadow: Option<u64>,
}
