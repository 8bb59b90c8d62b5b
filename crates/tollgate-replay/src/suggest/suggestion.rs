//! What is suggested, and what it is derived from.

use serde::Serialize;

use super::Group;
use super::warnings::of_few_addresses;
use crate::engine::Few;
use crate::report::{CurvePoint, Warning};
use crate::{HidingKey, Share};

/// Limits for the traffic of some logs, with what each would have done to it.
#[derive(Clone, Debug, Serialize)]
pub struct Suggestions {
    /// The first and the last request, RFC 3339.
    pub from: String,
    /// See [`from`](Self::from).
    pub to: String,
    /// All requests.
    pub requests: u64,
    /// The share of clients that each policy was allowed to deny.
    pub deny_at_most: Share,
    /// The parts of the key that requests are counted by.
    pub key: Vec<String>,
    /// Networks of proxies whose lists of addresses were believed.
    pub trusted_proxies: Vec<String>,
    /// A policy for each group.
    pub policies: Vec<Suggestion>,
    /// What the numbers do not say by themselves.
    pub warnings: Vec<Warning>,
    /// A few addresses that sent so much that they are hardly clients.
    #[serde(skip)]
    pub(super) few: Option<Few>,
}

impl Suggestions {
    /// Puts hashes in place of the addresses that warnings tell of. Trusted proxies are told as they
    /// were given: the policies need them.
    pub fn hide_addresses(&mut self, key: &HidingKey) {
        let Some(few) = &self.few else {
            return;
        };
        let told = of_few_addresses(few, None);
        for warning in self.warnings.iter_mut().filter(|known| **known == told) {
            *warning = of_few_addresses(few, Some(key));
        }
    }
}

/// A policy, and what it is derived from.
#[derive(Clone, Debug, Serialize)]
pub struct Suggestion {
    /// Which requests it is for.
    #[serde(flatten)]
    pub group: Group,
    /// Its limits, as they are written; none if no request of the group has a key.
    pub limits: Vec<String>,
    /// Requests of the group that have a key.
    pub requests: u64,
    /// Requests of the group that lack a part of the key: nobody counts them.
    pub without_key: u64,
    /// Clients: values of the key. Those that were looked at, if that was not all.
    pub clients: u64,
    /// The share of the clients that was looked at, chosen by chance: 1 if it was all. Of these are
    /// all numbers but `requests` and `without_key`.
    pub sampled: f64,
    /// Clients that the share allows to be denied.
    pub may_be_denied: u64,
    /// The most requests of clients in windows of any alignment, the shortest window first.
    pub peaks: Vec<WindowPeaks>,
    /// What the limits together would have denied.
    pub denied: Denied,
    /// What other numbers would have done, for each period.
    pub curves: Vec<LimitCurve>,
}

/// How high the peaks of clients are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WindowPeaks {
    /// The window, in seconds.
    pub window: u64,
    /// The peak that half of the clients do not exceed, and so on.
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

/// What would have been denied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Denied {
    /// Clients that would have been denied at least once.
    pub clients: u64,
    /// Of all.
    pub clients_share: f64,
    /// Requests that would have been denied.
    pub requests: u64,
    /// Of all.
    pub requests_share: f64,
}

/// One limit by itself with other numbers. Each was replayed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitCurve {
    /// The period of the limits, in seconds.
    pub period: u64,
    /// The limit that is suggested; `None` if none of this period is.
    pub suggested: Option<String>,
    /// By number, the lowest first. The factor is that of the suggested number.
    pub points: Vec<CurvePoint>,
}
