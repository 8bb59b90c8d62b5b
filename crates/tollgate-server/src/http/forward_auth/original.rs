//! The request that a proxy asks about.

use std::borrow::Cow;

use axum::http::Method;
use axum::http::header::HOST;
use axum::http::request::Parts;
use tollgate::AnyStore;
use tollgate_http::HttpLimiter;
use tollgate_policy::{AttributeName, Attributes, ClientAddress, NoAddress};

use super::dialect::Dialect;
use super::single;
use crate::attributes::{is_path, parameter_of};
use crate::http::problem::Problem;

/// The longest method.
const MAX_METHOD_BYTES: usize = 32;

/// The request that a proxy asks about, as policies see it: method, target and host as the proxy
/// names them, the client as trusted proxies do, and all other fields as they came.
pub(super) struct Original<'r, V> {
    method: Method,
    path: &'r str,
    host: Option<&'r str>,
    /// The proxy's own request, for what it passes on.
    request: V,
}

impl<'r> Original<'r, ()> {
    /// Reads it out of the request of a trusted proxy.
    ///
    /// # Errors
    ///
    /// The method or the target is missing, there twice, or none. Guessing would let requests past
    /// policies.
    pub(super) fn read(
        dialect: Dialect,
        parts: &'r Parts,
        limiter: &HttpLimiter<AnyStore>,
    ) -> Result<Original<'r, impl Attributes + use<'r>>, Problem> {
        let headers = &parts.headers;
        let (method, target) = (dialect.method(), dialect.target());
        let missing = |name| {
            Problem::bad_request(format!(
                "`{name}` is missing: have the proxy say by it what it asks about"
            ))
        };
        let named = single(headers, &method)?.ok_or_else(|| missing(&method))?;
        let named = Some(named.as_bytes()).filter(|named| named.len() <= MAX_METHOD_BYTES);
        let method = named
            .and_then(|named| Method::from_bytes(named).ok())
            .ok_or_else(|| Problem::bad_request(format!("`{method}` names no method")))?;
        let named = single(headers, &target)?.ok_or_else(|| missing(&target))?;
        let path = std::str::from_utf8(named.as_bytes())
            .ok()
            .and_then(path_of)
            .ok_or_else(|| Problem::bad_request(format!("`{target}` is no target of a request")))?;
        let host = match single(headers, &dialect.host())? {
            None if dialect == Dialect::Forwarded => single(headers, &HOST)?,
            host => host,
        };
        let host = host.and_then(|host| host.to_str().ok());
        Ok(Original {
            method,
            path,
            host: host.filter(|host| !host.is_empty()),
            request: limiter.attributes(parts),
        })
    }
}

impl<V> Original<'_, V> {
    pub(super) const fn method(&self) -> &Method {
        &self.method
    }
}

impl<V: Attributes> Attributes for Original<'_, V> {
    fn attribute(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        match name {
            AttributeName::Method => Some(self.method.as_str().into()),
            AttributeName::Path => Some(self.path.into()),
            AttributeName::Host => self.host.map(Cow::Borrowed),
            AttributeName::Query(name) => parameter_of(self.path, name),
            AttributeName::Header(_) => self.request.attribute(name),
            _ => None,
        }
    }

    fn client(&self) -> Option<ClientAddress> {
        self.request.client()
    }

    fn no_client(&self) -> Option<NoAddress> {
        self.request.no_client()
    }
}

/// The path of a request's target, in any of its forms (RFC 9112, section 3.2) but that of
/// `CONNECT`. Policies cut off the query.
fn path_of(target: &str) -> Option<&str> {
    if is_path(target.as_bytes()) {
        return Some(target);
    }
    let (scheme, rest) = target.split_once("://")?;
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    if scheme.is_empty() || !scheme.bytes().all(is_scheme) {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let path = rest.get(end..)?;
    Some(if path.starts_with('/') { path } else { "/" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_has_a_path_in_each_of_its_forms() {
        for (target, path) in [
            ("/", Some("/")),
            ("/a/b?c=d", Some("/a/b?c=d")),
            ("//evil.example/auth", Some("//evil.example/auth")),
            ("*", Some("*")),
            ("http://a.example/b?c", Some("/b?c")),
            ("http://a.example?c=/auth", Some("/")),
            ("http://a.example", Some("/")),
            ("a.example:443", None),
            ("auth/login", None),
            ("", None),
            ("://a/b", None),
            ("ht tp://a/b", None),
        ] {
            assert_eq!(path_of(target), path, "{target}");
        }
    }
}
