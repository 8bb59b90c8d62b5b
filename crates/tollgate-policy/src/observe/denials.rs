//! Denials in the log, of which there may be more than a log should hold.

use std::time::Duration;

use tollgate::{Limiter, Micros};

use crate::{Decision, Mode, NoAddress, Reason};

/// For each policy.
const EVENTS: &str = "1/s burst 10";
/// More policies than that share what is told.
const MAX_POLICIES: usize = 10_000;

/// Tells of denials, at most so many of each policy.
#[derive(Debug)]
pub(super) struct Denials {
    /// `None` if the limit above cannot be built, which a test rules out.
    limiter: Option<Limiter>,
}

impl Default for Denials {
    fn default() -> Self {
        let store = tollgate::MemoryStore::builder().max_keys(MAX_POLICIES);
        let limit = EVENTS.parse().ok();
        Self {
            limiter: limit
                .and_then(|limit| Limiter::builder(store.build()).limit(limit).build().ok()),
        }
    }
}

impl Denials {
    #[cold]
    pub(super) fn tell(&self, decision: &Decision) {
        let Some(decided_by) = decision.decided_by() else {
            return;
        };
        let policy = decided_by.policy().name();
        let may_tell = self.limiter.as_ref().is_some_and(|limiter| {
            limiter
                .check_now(policy)
                .is_ok_and(|outcomes| outcomes.is_allowed())
        });
        if !may_tell || decided_by.mode() == Mode::Off {
            return;
        }
        let reason = decision.reason();
        let key = decided_by.key().unwrap_or("-");
        match reason {
            // Operators hear of the outage itself from the guard.
            Reason::StoreFailedDeny => {
                tracing::debug!(policy, key, %reason, "a request is denied");
            }
            _ => {
                let retry_after = decision.retry_after();
                let retry_after = retry_after.map(seconds);
                // What it lacks, and for a client why there is none.
                let missing = decided_by.missing_key().map(tracing::field::display);
                let no_client = decided_by.no_client().map(NoAddress::as_str);
                tracing::info!(policy, key, %reason, retry_after, missing, no_client, "a request is denied");
            }
        }
    }
}

/// Seconds with three decimals, rounded up, so that nobody who reads it comes too early.
fn seconds(wait: Micros) -> f64 {
    let millis = wait.as_micros().div_ceil(1_000);
    // Once more, since a fraction that was added to a whole is not the nearest number any more.
    (Duration::from_millis(millis).as_secs_f64() * 1_000.0).round() / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_to_the_millisecond_above() {
        for (micros, expected) in [
            (0, "0"),
            (1, "0.001"),
            (15_968_191, "15.969"),
            (60_000_000, "60"),
            (1_199_990_000, "1199.99"),
            (31_622_400_000_001, "31622400.001"),
        ] {
            assert_eq!(seconds(Micros::new(micros)).to_string(), expected);
        }
    }

    #[test]
    fn has_a_limit() {
        assert!(Denials::default().limiter.is_some());
    }
}
