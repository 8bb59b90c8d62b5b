//! A request that waits for a decision.

use super::Plan;

/// A request matched against policies whose store has yet to be asked: see
/// [`PolicyLimiter::decide_at_once`](crate::PolicyLimiter::decide_at_once). It does not hold on to
/// the request, and dropping it charges nothing.
#[derive(Debug)]
#[must_use = "nothing is decided until `decide_later` is called"]
pub struct Undecided(Box<Plan>);

impl Undecided {
    pub(crate) fn new(plan: Plan) -> Self {
        Self(Box::new(plan))
    }

    pub(crate) fn into_plan(self) -> Plan {
        *self.0
    }
}
