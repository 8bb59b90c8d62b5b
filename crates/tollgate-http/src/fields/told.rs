//! The same fields as texts, for whoever has no map to put them in.

use http::header::{ACCESS_CONTROL_EXPOSE_HEADERS, HeaderName, RETRY_AFTER};
use tollgate::{Micros, Outcome};

use super::{
    Item, RATELIMIT, RATELIMIT_POLICY, X_RATELIMIT_LIMIT, X_RATELIMIT_REMAINING, X_RATELIMIT_RESET,
    exposed_names, policy_list, reset_number, retry_after_secs, state_list,
};
use crate::{Headers, Reset};

/// The list fields of the IETF draft.
pub(crate) fn ietf(limits: &[(&Item, &Outcome)], tell: &mut impl FnMut(HeaderName, &str)) {
    if limits.is_empty() {
        return;
    }
    tell(RATELIMIT, state_list(limits).as_str());
    match limits {
        [(only, _)] => tell(RATELIMIT_POLICY, only.policy()),
        several => tell(RATELIMIT_POLICY, policy_list(several).as_str()),
    }
}

/// The `X-RateLimit` fields.
pub(crate) fn x_ratelimit(
    reset: Reset,
    outcome: &Outcome,
    tell: &mut impl FnMut(HeaderName, &str),
) {
    integer(X_RATELIMIT_LIMIT, outcome.limit, tell);
    integer(X_RATELIMIT_REMAINING, outcome.remaining, tell);
    integer(X_RATELIMIT_RESET, reset_number(reset, outcome), tell);
}

/// `Retry-After`.
pub(crate) fn retry_after(wait: Micros, tell: &mut impl FnMut(HeaderName, &str)) {
    integer(RETRY_AFTER, retry_after_secs(wait), tell);
}

/// The names of the fields that a page of another origin may read.
pub(crate) fn exposed(options: Headers, tell: &mut impl FnMut(HeaderName, &str)) {
    tell(ACCESS_CONTROL_EXPOSE_HEADERS, exposed_names(options));
}

fn integer(name: HeaderName, value: u64, tell: &mut impl FnMut(HeaderName, &str)) {
    tell(name, itoa::Buffer::new().format(value));
}
