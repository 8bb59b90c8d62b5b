//! Limits that descriptors bring along.
//!
//! Such a limit stands in place of those of the file: its descriptor is decided by it alone, counted
//! by the domain and all entries in their order, in windows that begin at multiples of the unit.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tollgate::{Algorithm, Anchor, Limit};
use tollgate_policy::{OnStoreFailure, Policy, PolicyError, PolicySet};
use tonic::Status;

use super::descriptor::WHOLE;
use super::generated::{RateLimitOverride, RateLimitUnit};

/// The name of the policy that such limits are counted under, in metrics, logs and keys.
pub(super) const NAME: &str = "envoy.override";
/// How many are kept. What is beyond that is made for each call.
const KEPT: usize = 256;
const DAY: u64 = 24 * 60 * 60;

/// Policies of limits that descriptors bring along, made once where they are few.
#[derive(Default)]
pub(super) struct Overrides(RwLock<HashMap<(u32, i32), Arc<PolicySet>>>);

impl Overrides {
    /// The policies of the limit that the descriptor at a position brings along.
    pub(super) fn policies(
        &self,
        position: usize,
        limit: RateLimitOverride,
    ) -> Result<Arc<PolicySet>, Status> {
        let key = (limit.requests_per_unit, limit.unit);
        // A panic while it was locked has left a map that is whole.
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(policies) = known.get(&key) {
            return Ok(Arc::clone(policies));
        }
        drop(known);
        let unit = period(limit.unit).ok_or_else(|| no_unit(position, limit.unit))?;
        let policies = make(limit.requests_per_unit, unit).map_err(|error| {
            Status::invalid_argument(format!("descriptors[{position}].limit: {error}"))
        })?;
        let policies = Arc::new(policies);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < KEPT {
            known.insert(key, Arc::clone(&policies));
        }
        Ok(policies)
    }
}

/// The length of a unit. A month has 30 days and a year 365, as Envoy's own fields say.
fn period(unit: i32) -> Option<Duration> {
    let secs = match RateLimitUnit::try_from(unit).ok()? {
        RateLimitUnit::Unknown => return None,
        RateLimitUnit::Second => 1,
        RateLimitUnit::Minute => 60,
        RateLimitUnit::Hour => 60 * 60,
        RateLimitUnit::Day => DAY,
        RateLimitUnit::Month => 30 * DAY,
        RateLimitUnit::Year => 365 * DAY,
    };
    Some(Duration::from_secs(secs))
}

fn make(units: u32, period: Duration) -> Result<PolicySet, String> {
    let policy = Policy::builder(NAME)
        .key(WHOLE)
        // The caller is told that there is no decision, and does what it was told for that.
        .on_store_failure(OnStoreFailure::Deny);
    let policy = if units == 0 {
        policy.block()
    } else {
        let limit = Limit::builder(units.into(), period)
            .algorithm(Algorithm::FixedWindow(Anchor::Epoch))
            .build()
            .map_err(|error| error.to_string())?;
        policy.limit(limit)
    };
    let policies = policy.build().and_then(|policy| PolicySet::new([policy]));
    policies.map_err(|error: PolicyError| error.to_string())
}

#[cold]
fn no_unit(position: usize, unit: i32) -> Status {
    Status::invalid_argument(format!(
        "descriptors[{position}].limit.unit: {unit} is no unit; send SECOND (1), MINUTE (2), \
         HOUR (3), DAY (4), MONTH (5) or YEAR (6)"
    ))
}
