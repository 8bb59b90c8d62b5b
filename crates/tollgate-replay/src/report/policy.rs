//! What one policy did.

use serde::Serialize;

use super::{Curve, KeyReport, Obeying, Peaks};

/// What one policy did. It speaks for itself: a request that it allows may have been denied by
/// another one.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyReport {
    /// Its name.
    pub name: String,
    /// `enforce`, `shadow` or `off`.
    pub mode: &'static str,
    /// The parts of its key, as the file has them.
    pub key: Vec<String>,
    /// Its limits, those of its tiers after those of its own.
    pub limits: Vec<LimitReport>,
    /// Requests that it matches.
    pub matched: u64,
    /// Those that it allows.
    pub allowed: u64,
    /// Those that it denies, or would deny if it were enforced.
    pub denied: u64,
    /// Those of the denied that it decided: of several enforced policies that deny, one does. 0 for a
    /// policy in shadow, which decides nothing.
    pub decided: u64,
    /// Those of the matched that it lets through without counting them.
    pub unlimited: u64,
    /// Those of the denied that it blocks whatever was used.
    pub blocked: u64,
    /// Those of the matched that lack a part of its key.
    pub missing_key: u64,
    /// Denied of matched.
    pub denied_share: f64,
    /// The first request that it denied, RFC 3339.
    pub first_denial: Option<String>,
    /// The last one.
    pub last_denial: Option<String>,
    /// Denials that would have been admissions, had the request come later by no more than the log's
    /// resolution: what the log's seconds cost.
    pub within_resolution: u64,
    /// Keys that were counted.
    pub keys: u64,
    /// Keys that were denied at least once.
    pub keys_denied: u64,
    /// True if there were more keys than are followed: `keys` and `keys_denied` are estimates, and
    /// `worst` may miss some.
    pub keys_estimated: bool,
    /// The keys that were denied most, the worst first.
    pub worst: Vec<KeyReport>,
    /// The largest share of the matched requests that one key has.
    pub largest_share: f64,
    /// How high the peaks of the keys were.
    pub peaks: Peaks,
    /// What other numbers would have done.
    pub curve: Option<Curve>,
    /// What clients would have seen.
    pub obeying: Obeying,
    /// What it matched in each step of the report's timeline; empty if that was not counted.
    pub matched_over_time: Vec<u64>,
    /// What it denied in each step of the report's timeline.
    pub denied_over_time: Vec<u64>,
}

/// A limit of a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitReport {
    /// The limit, as it is written.
    pub limit: String,
    /// The tier that it belongs to, from 1; `None` for the policy's own.
    pub tier: Option<usize>,
    /// Denials that this limit decided.
    pub denied: u64,
}
