//! `GET /openapi.json`: what may be asked, for programs.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::Response;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use bytes::Bytes;
use serde_json::{Value, json};
use tollgate_policy::Reason;

/// The description, but for what is known elsewhere.
const DOCUMENT: &str = include_str!("openapi.json");

/// The methods beside GET that forward-auth is asked by.
const OTHER_METHODS: [&str; 7] = ["head", "post", "put", "patch", "delete", "options", "trace"];

static WHOLE: LazyLock<Bytes> = LazyLock::new(|| {
    // A test reads it: what is written there is JSON.
    let document = serde_json::from_str(DOCUMENT).map(completed);
    document.map_or_else(
        |_| Bytes::from_static(DOCUMENT.as_bytes()),
        |document| document.to_string().into(),
    )
});

pub(super) async fn document() -> Response<Body> {
    let mut response = Response::new(Body::from(WHOLE.clone()));
    let media_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}

/// Adds the version, the reasons that there are, and the methods of forward-auth.
fn completed(mut document: Value) -> Value {
    if let Some(version) = document.pointer_mut("/info/version") {
        *version = json!(env!("CARGO_PKG_VERSION"));
    }
    if let Some(reasons) = document.pointer_mut("/components/schemas/Reason/enum") {
        *reasons = json!(Reason::ALL.map(Reason::as_str));
    }
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        if path.starts_with("/v1/auth") {
            ask_by_any_method(item);
        }
    }
    document
}

fn ask_by_any_method(path: &mut Value) {
    let Some(get) = path.get("get").cloned() else {
        return;
    };
    for method in OTHER_METHODS {
        let mut operation = get.clone();
        if let Some(id) = operation.get_mut("operationId") {
            let known = id.as_str().unwrap_or_default();
            *id = json!(format!("{known}_{method}"));
        }
        if let Some(item) = path.as_object_mut() {
            item.insert(method.to_owned(), operation);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::{MAX_ATTRIBUTES, MAX_VALUE_BYTES};

    fn document() -> Value {
        serde_json::from_slice(&WHOLE).unwrap()
    }

    #[test]
    fn it_says_what_the_code_does() {
        let document = document();
        let at = |pointer: &str| document.pointer(pointer).unwrap().clone();
        assert_eq!(at("/info/version"), env!("CARGO_PKG_VERSION"));
        assert_eq!(
            at("/components/schemas/Reason/enum"),
            json!(Reason::ALL.map(Reason::as_str))
        );
        let attributes = "/components/schemas/Attributes";
        assert_eq!(at(&format!("{attributes}/maxProperties")), MAX_ATTRIBUTES);
        assert_eq!(
            at(&format!("{attributes}/properties/path/maxLength")),
            MAX_VALUE_BYTES
        );
        assert_eq!(
            at("/components/schemas/Check/properties/cost/maximum"),
            tollgate::MAX_UNITS
        );
        assert_eq!(
            at("/paths/~1v1~1auth/trace/operationId"),
            "forwardAuth_trace"
        );
    }

    #[test]
    fn it_names_nothing_that_it_does_not_describe() {
        fn references<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(reference)) = members.get("$ref") {
                        found.push(reference);
                    }
                    members.values().for_each(|value| references(value, found));
                }
                Value::Array(values) => values.iter().for_each(|value| references(value, found)),
                _ => {}
            }
        }
        let document = document();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 50);
        for reference in found {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    }
}
