//! Requests over time.

use serde::Serialize;

/// Requests over time, in steps of equal length. Steps without requests are there, with zeros.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timeline {
    /// When the first step begins, RFC 3339.
    pub start: Option<String>,
    /// The length of a step, in seconds.
    pub step: f64,
    /// Requests.
    pub offered: Vec<u64>,
    /// Those that were let through.
    pub admitted: Vec<u64>,
    /// Those of the admitted that a policy in shadow would deny.
    pub denied_in_shadow: Vec<u64>,
}
