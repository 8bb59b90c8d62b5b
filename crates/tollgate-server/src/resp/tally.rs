//! How the commands ended that were read together.

use crate::metrics::{Outcome, Surface};

/// Counts without a shared counter, a lock or a look at the clock: those are for all of a batch.
///
/// What must wait for the store is not here: it is in flight meanwhile, and counted when it ends.
#[derive(Debug, Default)]
pub(super) struct Tally {
    allowed: u64,
    denied: u64,
    invalid: u64,
    failed: u64,
    other: u64,
}

impl Tally {
    pub(super) const fn add(&mut self, outcome: Outcome) {
        let count = match outcome {
            Outcome::Allow => &mut self.allowed,
            Outcome::Deny => &mut self.denied,
            Outcome::Invalid => &mut self.invalid,
            Outcome::Failed => &mut self.failed,
            Outcome::Other => &mut self.other,
            // By the surface itself.
            Outcome::Overloaded | Outcome::Cancelled => return,
        };
        *count += 1;
    }

    /// Hands over what was counted, and begins anew.
    pub(super) fn give_to(&mut self, surface: &Surface) {
        let Self {
            allowed,
            denied,
            invalid,
            failed,
            other,
        } = std::mem::take(self);
        for (outcome, count) in [
            (Outcome::Allow, allowed),
            (Outcome::Deny, denied),
            (Outcome::Invalid, invalid),
            (Outcome::Failed, failed),
            (Outcome::Other, other),
        ] {
            if count > 0 {
                surface.count_several(outcome, count);
            }
        }
    }
}
