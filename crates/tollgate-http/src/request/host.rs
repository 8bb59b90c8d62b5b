//! The host that a request is for.

use std::borrow::Cow;

use http::header::HOST;
use http::request::Parts;

/// The host, without port, in lower case and without the root's dot, so that no spelling of it
/// escapes a policy: from the target's authority (HTTP/2's `:authority`, or the absolute form), which
/// goes before `Host` (RFC 9112, section 3.2.2), else from the first `Host`.
pub(super) fn host(parts: &Parts) -> Option<Cow<'_, str>> {
    let host = match parts.uri.host() {
        Some(host) => host,
        None => without_port(parts.headers.get(HOST)?.to_str().ok()?),
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.is_empty() {
        return None;
    }
    Some(if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        host.to_ascii_lowercase().into()
    } else {
        host.into()
    })
}

/// `host[:port]` without the port (RFC 9110, section 7.2); an IPv6 address keeps its brackets.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn host_of(uri: &str, field: Option<&str>) -> Option<String> {
        let mut request = Request::builder().uri(uri);
        if let Some(field) = field {
            request = request.header(HOST, field);
        }
        let parts = request.body(()).unwrap().into_parts().0;
        host(&parts).map(Cow::into_owned)
    }

    #[test]
    fn comes_from_the_field_without_its_port() {
        for (field, expected) in [
            ("api.example", "api.example"),
            ("api.example:8080", "api.example"),
            ("API.Example.", "api.example"),
            ("192.0.2.1:80", "192.0.2.1"),
            ("[2001:DB8::1]:443", "[2001:db8::1]"),
            ("[2001:db8::1]", "[2001:db8::1]"),
        ] {
            assert_eq!(host_of("/", Some(field)).as_deref(), Some(expected));
        }
    }

    #[test]
    fn comes_from_the_target_before_the_field() {
        let host = host_of("http://A.example:81/x", Some("b.example"));
        assert_eq!(host.as_deref(), Some("a.example"));
    }

    #[test]
    fn is_absent_rather_than_empty() {
        assert_eq!(host_of("/", None), None);
        assert_eq!(host_of("/", Some("")), None);
        assert_eq!(host_of("/", Some(":80")), None);
    }

    #[test]
    fn borrows_an_ordinary_host() {
        let request = Request::builder().header(HOST, "api.example:80").body(());
        let parts = request.unwrap().into_parts().0;
        assert!(matches!(host(&parts), Some(Cow::Borrowed("api.example"))));
    }
}
