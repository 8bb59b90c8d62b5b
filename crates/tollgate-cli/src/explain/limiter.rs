//! What decides: the policies of the file, over a store that has counted nothing.

use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_http::{Headers, HttpLimiter, Reset};
use tollgate_policy::PolicyLimiter;
use tollgate_policy::file::{PolicyFile, ResetUnit, ResponseSettings};

/// The limiter of a file, on a clock that stands still.
pub(super) type Limiter = HttpLimiter<MemoryStore<ManualClock>>;

pub(super) fn of_file(file: &PolicyFile, at: Timestamp) -> Limiter {
    let store = MemoryStore::with_clock(ManualClock::new(at));
    HttpLimiter::builder(PolicyLimiter::new(file.policies.clone(), store))
        .identity(file.client.clone())
        .headers(headers(&file.response))
        .expose_headers(file.response.expose)
        .count_preflight(file.response.count_preflight)
        .outage_retry_after(file.response.outage_retry_after)
        .build()
}

fn headers(response: &ResponseSettings) -> Headers {
    let mut headers = Headers::none();
    if response.ietf {
        headers = headers.ietf();
    }
    match response.x_ratelimit {
        None => headers,
        Some(ResetUnit::Delta) => headers.x_ratelimit(Reset::Delta),
        Some(_) => headers.x_ratelimit(Reset::Epoch),
    }
}
