//! What the response would carry.

use serde::Serialize;

use crate::explain::Explained;
use crate::explain::answer::{Carried, given_back, hidden};

#[derive(Serialize)]
pub(super) struct Response<'a> {
    is_allowed: bool,
    reason: &'static str,
    /// The policy that decided.
    decided_by: Option<&'a str>,
    /// True of a CORS preflight request that is let through uncounted.
    is_preflight: bool,
    /// Null if it is the service's own.
    status: Option<u16>,
    headers: Vec<Field>,
    body: Option<String>,
    /// Policies whose numbers are not told.
    hidden: Vec<&'a str>,
    given_back: Vec<GivenBack<'a>>,
}

#[derive(Serialize)]
struct Field {
    name: String,
    value: String,
}

/// A policy that gives back what it took, unless the service answers with one of some statuses.
#[derive(Serialize)]
struct GivenBack<'a> {
    policy: &'a str,
    unless: String,
}

pub(super) fn response<'a>(explained: &Explained<'a>) -> Response<'a> {
    let decision = explained.decision;
    let carried = Carried::of(explained.limiter, explained.subject, decision);
    let fields = carried.headers.iter().map(|(name, value)| Field {
        name: name.to_string(),
        value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
    });
    Response {
        is_allowed: carried.status.is_none(),
        reason: decision.reason().as_str(),
        decided_by: decision.decided_by().map(|policy| policy.policy().name()),
        is_preflight: explained.subject.passes(explained.limiter),
        status: carried.status.map(|status| status.as_u16()),
        headers: fields.collect(),
        body: carried.body(),
        hidden: hidden(decision).collect(),
        given_back: given_back(decision)
            .map(|(policy, statuses)| GivenBack {
                policy,
                unless: statuses.to_string(),
            })
            .collect(),
    }
}
