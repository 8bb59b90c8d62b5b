//! The question that a browser asks before a cross-origin request.

use http::Method;
use http::header::{ACCESS_CONTROL_REQUEST_METHOD, ORIGIN};
use http::request::Parts;

/// True for a CORS-preflight request (Fetch standard, "CORS-preflight request"): an `OPTIONS` with
/// `Origin` and `Access-Control-Request-Method`. Its sender is the browser, not the page; counting
/// it would halve what a page may do, and denying it hides the denial from the page.
pub(crate) fn is_preflight(parts: &Parts) -> bool {
    parts.method == Method::OPTIONS
        && parts.headers.contains_key(ORIGIN)
        && parts.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn parts(method: Method, fields: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().method(method);
        for (name, value) in fields {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    // B65
    #[test]
    fn needs_the_method_and_both_fields() {
        let origin = ("origin", "https://app.example");
        let asks = ("access-control-request-method", "POST");
        assert!(is_preflight(&parts(Method::OPTIONS, &[origin, asks])));
        assert!(!is_preflight(&parts(Method::OPTIONS, &[origin])));
        assert!(!is_preflight(&parts(Method::OPTIONS, &[asks])));
        assert!(!is_preflight(&parts(Method::POST, &[origin, asks])));
    }
}
