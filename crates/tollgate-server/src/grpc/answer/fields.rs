//! The header fields that the proxy is to add to the response.

use tollgate::AnyStore;
use tollgate_http::HttpLimiter;
use tollgate_policy::Decision;

use crate::grpc::wire::Response;

/// As the file's `[response]` says, the same as of every other surface.
pub(super) fn write<'d>(
    limiter: &HttpLimiter<AnyStore>,
    decisive: &Decision,
    all: impl IntoIterator<Item = &'d Decision>,
    answer: &mut Response,
) {
    limiter.tell_headers_together(decisive, all, |name, value| answer.header(name, value));
    if !decisive.is_allowed() {
        // Of the body, which Envoy would call text/plain.
        answer.header("content-type", "application/problem+json");
    }
}
