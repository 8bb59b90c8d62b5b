//! What other numbers would have done.

use serde::Serialize;

/// What a policy would have done with other numbers: the same requests, decided again by the same
/// algorithm, with its limits multiplied.
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
    /// The first limit then, as it would be written.
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
