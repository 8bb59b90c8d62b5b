//! A request that waits for a decision.

use std::sync::Arc;

use super::Decision;

/// A request matched against policies whose store has yet to be asked: see
/// [`PolicyLimiter::decide_at_once`](crate::PolicyLimiter::decide_at_once). It does not hold on to
/// the request, and dropping it charges nothing.
#[derive(Debug)]
#[must_use = "nothing is decided until `decide_later` is called"]
pub struct Undecided(Arc<Decision>);

impl Undecided {
    pub(crate) const fn new(begun: Arc<Decision>) -> Self {
        Self(begun)
    }

    pub(crate) fn into_begun(self) -> Arc<Decision> {
        self.0
    }
}
