//! The host that a request is for.

use http::HeaderMap;
use http::Uri;
use http::header::HOST;

/// The host as the client wrote it: from the target's authority (HTTP/2's `:authority`, or the absolute
/// form), which goes before `Host` (RFC 9112, section 3.2.2), else from the first `Host`, where a
/// port may follow. Policies bring it into one form.
pub(super) fn host<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Option<&'r str> {
    match uri.host() {
        Some(host) => Some(host),
        None => headers.get(HOST)?.to_str().ok(),
    }
    .filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn host_of(uri: &str, field: Option<&'static str>) -> Option<String> {
        let field = field.map(|field| (HOST, HeaderValue::from_static(field)));
        let headers = HeaderMap::from_iter(field);
        host(&uri.parse().unwrap(), &headers).map(str::to_owned)
    }

    #[test]
    fn comes_from_the_target_before_the_field() {
        let host = host_of("http://me@a.example:81/x", Some("b.example"));
        assert_eq!(host.as_deref(), Some("a.example"));
    }

    #[test]
    fn comes_from_the_field_in_origin_form() {
        let host = host_of("/x", Some("b.example:80"));
        assert_eq!(host.as_deref(), Some("b.example:80"));
    }

    #[test]
    fn is_absent_rather_than_empty() {
        assert_eq!(host_of("/", None), None);
        assert_eq!(host_of("/", Some("")), None);
    }
}
