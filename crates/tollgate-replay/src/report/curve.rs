//! What other numbers would have done.

use serde::Serialize;

/// What a policy would have done with other numbers: the same requests, decided again by the same
/// algorithms, with all of its limits multiplied together, and those of its tiers. What one of several
/// limits would do by itself is not in it.
///
/// They are decided as if the policy were the only one. Where another one denies requests, less is
/// spent of this one, so that the point with factor 1 lies above what the policy denied beside others.
/// Requests that are not counted by a key (blocked, unlimited, or without a key) are left out. A
/// factor that leaves the numbers as another one does has no point, nor has one that makes a limit
/// which cannot be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The share of the keys that was decided again, chosen by chance: 1 if it was all.
    pub sampled: f64,
    /// By factor, the smallest first. The one with factor 1 is the policy as it is, counted over the
    /// same keys.
    pub points: Vec<CurvePoint>,
}

/// The policy with its numbers multiplied.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// By what.
    pub factor: f64,
    /// The first limit then, as it would be written. The others are multiplied as much.
    pub limit: String,
    /// Requests that would be denied.
    pub denied: u64,
    /// Of those counted.
    pub denied_share: f64,
    /// Keys that would be denied at least once.
    pub keys_denied: u64,
    /// Of those counted.
    pub keys_denied_share: f64,
}
