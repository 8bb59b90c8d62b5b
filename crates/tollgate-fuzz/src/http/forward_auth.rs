//! What proxies say about a request.

use std::net::SocketAddr;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Request};
use tollgate_http::Peer;
use tollgate_policy::normalize_path;

use super::{Answer, SURFACE};
use crate::first_line;

const PATHS: [&str; 3] = ["/v1/auth", "/v1/auth/nginx", "/v1/auth/accel"];

/// The first byte chooses the path and the peer; the rest are fields, a line each.
///
/// A peer that is no trusted proxy is refused, whatever it says. Nothing is admitted without one
/// method and one target, nor what a policy blocks, however its path is spelled.
pub fn http_forward_auth(data: &[u8]) {
    let Some((choice, rest)) = data.split_first() else {
        return;
    };
    let Some(path) = PATHS.get(usize::from(choice % 3)) else {
        return;
    };
    let is_trusted = choice & 0x80 == 0;
    let ip = if is_trusted {
        [10, 0, 0, 1]
    } else {
        [192, 0, 2, 1]
    };
    let mut request = Request::new(Body::empty());
    *request.uri_mut() = axum::http::Uri::from_static(path);
    let extensions = request.extensions_mut();
    extensions.insert(Peer(Some(SocketAddr::from((ip, 4711)))));
    let mut rest = rest;
    while !rest.is_empty() {
        let (line, others) = first_line(rest);
        rest = others;
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            continue;
        };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        let name = HeaderName::from_bytes(name);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value)) {
            request.headers_mut().append(name, value);
        }
    }
    let headers = request.headers().clone();
    let answer = SURFACE.ask(request);
    let is_admitted = answer.status == 200;
    assert_eq!(
        answer.field("x-accel-redirect").is_some(),
        is_admitted && *path == "/v1/auth/accel"
    );
    check_status(path, &answer);
    if !is_trusted {
        assert_eq!(answer.status, 403);
        return;
    }
    if !is_admitted {
        return;
    }
    let prefix = if *path == "/v1/auth" {
        "x-forwarded"
    } else {
        "x-original"
    };
    let lines = |name: &str| headers.get_all(format!("{prefix}-{name}")).iter();
    assert_eq!(lines("method").count(), 1);
    assert_eq!(lines("uri").count(), 1);
    let target = lines("uri").next().map(HeaderValue::as_bytes);
    let target = target.and_then(|target| std::str::from_utf8(target).ok());
    assert!(target.is_some(), "admitted without a target that is text");
    let target = target.unwrap_or_default();
    let without_origin = match target.find("://") {
        Some(at) if !target.starts_with('/') => target.get(at + 3..).map(|rest| {
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            rest.get(end..).unwrap_or_default()
        }),
        _ => Some(target),
    };
    let normal = normalize_path(without_origin.unwrap_or_default());
    assert!(
        normal != "/closed" && !normal.starts_with("/closed/"),
        "{target} is admitted"
    );
}

fn check_status(path: &str, answer: &Answer) {
    let status = answer.status.as_u16();
    let told = answer.field("x-tollgate-status");
    if path == "/v1/auth/nginx" {
        assert!(matches!(status, 200 | 403), "{status}");
        assert_eq!(told.is_some(), status == 403);
        assert!(
            matches!(told, None | Some("400" | "403" | "429")),
            "{told:?}"
        );
    } else {
        assert!(matches!(status, 200 | 400 | 403 | 429), "{status}");
        assert_eq!(told, None);
    }
}
