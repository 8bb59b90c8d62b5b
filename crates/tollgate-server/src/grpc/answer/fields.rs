//! The header fields that the proxy is to add to the response.

use http::header::{CONTENT_TYPE, HeaderMap};
use tollgate::AnyStore;
use tollgate_http::HttpLimiter;
use tollgate_policy::Decision;

use crate::grpc::generated::HeaderValue;

/// As the file's `[response]` says, the same as of every other surface.
pub(super) fn of<'d>(
    limiter: &HttpLimiter<AnyStore>,
    decisive: &Decision,
    all: impl IntoIterator<Item = &'d Decision>,
) -> Vec<HeaderValue> {
    let mut headers = HeaderMap::new();
    limiter.write_headers_together(decisive, all, &mut headers);
    let is_denied = !decisive.is_allowed();
    let mut fields = Vec::with_capacity(headers.len() + usize::from(is_denied));
    for (name, value) in &headers {
        // All that we write is text.
        if let Ok(value) = value.to_str() {
            fields.push(field(name.as_str(), value));
        }
    }
    if is_denied {
        // Of the body, which Envoy would call text/plain.
        fields.push(field(CONTENT_TYPE.as_str(), "application/problem+json"));
    }
    fields
}

fn field(key: &str, value: &str) -> HeaderValue {
    HeaderValue {
        key: key.to_owned(),
        value: value.to_owned(),
        ..HeaderValue::default()
    }
}
