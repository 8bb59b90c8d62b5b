//! From what the policy file says to the limiter that does it.

use tollgate_http::{Headers, HttpLimiter, Reset};
use tollgate_policy::PolicyLimiter;
use tollgate_policy::file::{PolicyFile, ResetUnit, ResponseSettings};

/// A limiter of `policies`, with the clients and the responses of `file`: for a store of one's own.
/// [`Engine`](crate::Engine) makes the store too.
pub fn limiter_of<S>(policies: PolicyLimiter<S>, file: &PolicyFile) -> HttpLimiter<S> {
    let response = &file.response;
    HttpLimiter::builder(policies)
        .identity(file.client.clone())
        .headers(headers(response))
        .expose_headers(response.expose)
        .count_preflight(response.count_preflight)
        .outage_retry_after(response.outage_retry_after)
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
