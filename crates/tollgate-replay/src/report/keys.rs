//! What keys did.

use serde::Serialize;

/// A key, and what became of its requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyReport {
    /// The key for people to read: the values of its parts, with secrets hashed, and everything hashed
    /// in a report that hides addresses.
    pub key: String,
    /// Its requests.
    pub requests: u64,
    /// Those that were denied.
    pub denied: u64,
    /// The most units that it asked for in a window of [`Peaks::window`], of those that begin at
    /// multiples of a quarter of it: see [`Peaks`].
    pub peak: u64,
    /// When that window ended, RFC 3339.
    pub peak_at: String,
    /// Its first denial, RFC 3339.
    pub first_denial: Option<String>,
    /// Its last one.
    pub last_denial: Option<String>,
    /// What it would have seen.
    pub obeying: Obeying,
}

/// What clients would have seen that obey `Retry-After`, beside those that do not and are denied
/// each time. A client that obeys sends nothing until it may; what the log has in that time is held
/// back. Denials spend nothing, so that what is admitted otherwise is the same. Waits are told to a
/// microsecond here; in the header field they are whole seconds, rounded up. A denial for which
/// waiting does not help tells no wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Obeying {
    /// Denials that it would have got: the first of each wait.
    pub told: u64,
    /// Requests that it would have held back.
    pub held_back: u64,
    /// How long it would have waited in all, in seconds.
    pub waited: f64,
    /// The longest wait that it would have been told, in seconds.
    pub longest_wait: f64,
}

/// How high the peaks of the keys of a policy were: the most units that each asked for in a window,
/// whether admitted or not.
///
/// Windows begin at multiples of a quarter of their length since the epoch. So a peak is never more
/// than the most in any window of that length, and never less than the most in any span of three
/// quarters of it. Of keys that are too many to be followed one by one, those count that are followed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Peaks {
    /// The window, in seconds: the period of the policy's limit, of its shortest if there are several.
    pub window: f64,
    /// The units that the limit admits in such a window at most, for a line in the chart: for a token
    /// bucket its burst and what is filled in again meanwhile, else its units.
    pub limit: u64,
    /// Keys by their peak, the smallest first. A key is in the first bucket that holds its peak.
    /// Buckets without keys that stand between others are there too.
    pub buckets: Vec<PeakBucket>,
    /// The peak that half of the keys do not exceed, and so on.
    pub p50: u64,
    /// See [`p50`](Self::p50).
    pub p90: u64,
    /// See [`p50`](Self::p50).
    pub p99: u64,
    /// See [`p50`](Self::p50).
    pub p999: u64,
    /// The highest of all.
    pub highest: u64,
}

/// The keys whose peak lies above the bucket before, and not above this one's bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PeakBucket {
    /// The highest peak that belongs here.
    pub at_most: u64,
    /// Keys.
    pub keys: u64,
}
