//! Writes the fields of a response from what limits have answered.

mod buffer;
mod item;
pub(crate) mod told;

use http::header::{Entry, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use tollgate::{Micros, Outcome, Verdict};

pub(crate) use item::Item;

use crate::{Headers, Reset};
use buffer::Buffer;

const RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");
const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const X_RATELIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Writes the list fields of the IETF draft, of every limit that applied, in order.
///
/// Leaves them alone if there is a `RateLimit`: it speaks of a decision closer to the handler.
pub(crate) fn write_ietf(limits: &[(&Item, &Outcome)], headers: &mut HeaderMap) {
    if limits.is_empty() {
        return;
    }
    let Entry::Vacant(entry) = headers.entry(RATELIMIT) else {
        return;
    };
    let state = state_list(limits);
    let policy = match limits {
        [(only, _)] => Ok(only.policy_field().clone()),
        several => HeaderValue::from_str(policy_list(several).as_str()),
    };
    if let (Ok(policy), Ok(state)) = (policy, HeaderValue::from_str(state.as_str())) {
        entry.insert(state);
        headers.insert(RATELIMIT_POLICY, policy);
    }
}

/// The value of `RateLimit`.
fn state_list(limits: &[(&Item, &Outcome)]) -> Buffer {
    let mut state = Buffer::new();
    for (item, outcome) in limits {
        separate(&mut state);
        item.write_state(outcome.remaining, effective_window(outcome), &mut state);
    }
    state
}

/// The value of `RateLimit-Policy`.
fn policy_list(limits: &[(&Item, &Outcome)]) -> Buffer {
    let mut policy = Buffer::new();
    for (item, _) in limits {
        separate(&mut policy);
        policy.push(item.policy());
    }
    policy
}

/// Writes the `X-RateLimit` fields, which have room for one limit.
///
/// Leaves them alone if there is an `X-RateLimit-Limit`.
pub(crate) fn write_x_ratelimit(reset: Reset, outcome: &Outcome, headers: &mut HeaderMap) {
    let Entry::Vacant(entry) = headers.entry(X_RATELIMIT_LIMIT) else {
        return;
    };
    entry.insert(integer(outcome.limit));
    headers.insert(X_RATELIMIT_REMAINING, integer(outcome.remaining));
    headers.insert(X_RATELIMIT_RESET, integer(reset_number(reset, outcome)));
}

/// The value of `X-RateLimit-Reset`.
fn reset_number(reset: Reset, outcome: &Outcome) -> u64 {
    match reset {
        Reset::Delta => outcome.reset_after.as_secs_ceil(),
        Reset::Epoch => outcome.reset_at().as_micros().div_ceil(1_000_000),
    }
}

/// Writes `Retry-After`: whole seconds, rounded up, at least 1 (RFC 9110, section 10.2.3). Leaves
/// one alone that is there.
pub(crate) fn write_retry_after(wait: Micros, headers: &mut HeaderMap) {
    if let Entry::Vacant(entry) = headers.entry(RETRY_AFTER) {
        entry.insert(integer(retry_after_secs(wait)));
    }
}

/// A wait as it goes on the wire.
pub(crate) fn retry_after_secs(wait: Micros) -> u64 {
    wait.as_secs_ceil().max(1)
}

/// Writes the names of the fields that a page of another origin may read.
pub(crate) fn write_exposed(options: Headers, headers: &mut HeaderMap) {
    let names = HeaderValue::from_static(exposed_names(options));
    let field = http::header::ACCESS_CONTROL_EXPOSE_HEADERS;
    if !headers.get_all(&field).iter().any(|line| line == names) {
        headers.append(field, names);
    }
}

const fn exposed_names(options: Headers) -> &'static str {
    match (options.writes_ietf(), options.x_ratelimit_reset().is_some()) {
        (false, false) => "retry-after",
        (true, false) => "retry-after, ratelimit-policy, ratelimit",
        (false, true) => "retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset",
        (true, true) => {
            "retry-after, ratelimit-policy, ratelimit, x-ratelimit-limit, \
             x-ratelimit-remaining, x-ratelimit-reset"
        }
    }
}

/// For how long no more than the remaining units should be used, the draft's `t`: until the limit
/// is as if never used, or, if it denied, until the same request is admitted. So `Retry-After`,
/// the longest wait of the limits that denied, is never before the end of a violated limit's `t`.
fn effective_window(outcome: &Outcome) -> Micros {
    match (outcome.verdict, outcome.retry_after) {
        (Verdict::Deny, Some(wait)) => wait,
        _ => outcome.reset_after,
    }
}

fn separate(list: &mut Buffer) {
    if !list.as_str().is_empty() {
        list.push(", ");
    }
}

fn integer(value: u64) -> HeaderValue {
    let mut digits = itoa::Buffer::new();
    // One allocation of the right size; `HeaderValue::from` takes two. Digits are always valid.
    HeaderValue::from_str(digits.format(value)).unwrap_or_else(|_| HeaderValue::from(value))
}

#[cfg(test)]
mod tests;
