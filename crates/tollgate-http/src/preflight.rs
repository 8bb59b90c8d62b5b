//! The question that a browser asks before a cross-origin request.

use http::Method;

use crate::RequestHead;
use http::header::{ACCESS_CONTROL_REQUEST_METHOD, ORIGIN};

/// True for a CORS-preflight request (Fetch standard, "CORS-preflight request"): an `OPTIONS` with
/// `Origin` and `Access-Control-Request-Method`. Its sender is the browser, not the page; counting
/// it would halve what a page may do, and denying it hides the denial from the page.
pub(crate) fn is_preflight(head: RequestHead<'_>) -> bool {
    *head.method == Method::OPTIONS
        && head.headers.contains_key(ORIGIN)
        && head.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn asks(method: Method, fields: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().method(method);
        for (name, value) in fields {
            request = request.header(*name, *value);
        }
        is_preflight(RequestHead::from(&request.body(()).unwrap()))
    }

    // B65
    #[test]
    fn needs_the_method_and_both_fields() {
        let origin = ("origin", "https://app.example");
        let wants = ("access-control-request-method", "POST");
        assert!(asks(Method::OPTIONS, &[origin, wants]));
        assert!(!asks(Method::OPTIONS, &[origin]));
        assert!(!asks(Method::OPTIONS, &[wants]));
        assert!(!asks(Method::POST, &[origin, wants]));
    }
}
