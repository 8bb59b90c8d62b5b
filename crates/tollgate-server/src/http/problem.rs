//! Errors: problem details in JSON (RFC 9457).

use std::borrow::Cow;

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;

use super::json::Json;

/// The media type of problem details.
pub(super) const MEDIA_TYPE: HeaderValue = HeaderValue::from_static("application/problem+json");

/// The longest text about what is wrong, in characters.
const LONGEST: usize = 500;

/// Why a request was not done.
#[derive(Debug)]
pub(super) struct Problem(Box<Details>);

#[derive(Debug)]
struct Details {
    status: StatusCode,
    detail: Cow<'static, str>,
    /// Line and column in the body, from 1.
    position: Option<(usize, usize)>,
    /// Mistakes of the policy file, each a line.
    errors: Vec<String>,
    /// What else was found in it, each a line.
    warnings: Vec<String>,
    field: Option<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem: what is wrong and what to do about it, for people.
    pub(super) fn new(status: StatusCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Details {
            status,
            detail: detail.into(),
            position: None,
            errors: Vec::new(),
            warnings: Vec::new(),
            field: None,
        }))
    }

    /// A request that is not as it should be.
    pub(super) fn bad_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// Where in the body it is.
    pub(super) fn at(mut self, line: usize, column: usize) -> Self {
        self.0.position = Some((line, column));
        self
    }

    /// What is wrong with the policy file, one by one, and what is unwise in it.
    pub(super) fn found(mut self, errors: Vec<String>, warnings: Vec<String>) -> Self {
        self.0.errors = errors;
        self.0.warnings = warnings;
        self
    }

    /// A field of the answer.
    pub(super) fn field(mut self, name: HeaderName, value: &'static str) -> Self {
        self.0.field = Some((name, HeaderValue::from_static(value)));
        self
    }

    pub(super) fn status(&self) -> StatusCode {
        self.0.status
    }

    /// What is wrong.
    pub(super) fn detail(&self) -> &str {
        &self.0.detail
    }
}

impl Details {
    fn json(&self) -> Json {
        let mut json = Json::with_capacity(256);
        json.raw(r#"{"type":"about:blank","title":"#)
            .string(self.status.canonical_reason().unwrap_or_default())
            .raw(r#","status":"#)
            .integer(self.status.as_u16().into())
            .raw(r#","detail":"#);
        match self.detail.char_indices().nth(LONGEST) {
            Some((end, _)) => json.string(&format!(
                "{}...",
                self.detail.get(..end).unwrap_or_default()
            )),
            None => json.string(&self.detail),
        };
        if let Some((line, column)) = self.position {
            let integer = |number| u64::try_from(number).unwrap_or(u64::MAX);
            json.raw(r#","line":"#).integer(integer(line));
            json.raw(r#","column":"#).integer(integer(column));
        }
        for (name, lines) in [
            (r#","errors":["#, &self.errors),
            (r#","warnings":["#, &self.warnings),
        ] {
            if let Some((first, others)) = lines.split_first() {
                json.raw(name).string(first);
                for line in others {
                    json.raw(",").string(line);
                }
                json.raw("]");
            }
        }
        json.raw("}");
        json
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.0.json().into_bytes()));
        *response.status_mut() = self.0.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, MEDIA_TYPE);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some((name, value)) = self.0.field {
            headers.insert(name, value);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn says_what_is_wrong_where_and_not_without_end() {
        let problem = Problem::bad_request("ä".repeat(LONGEST + 1)).at(3, 7);
        let json: Value = serde_json::from_slice(&problem.0.json().into_bytes()).unwrap();
        assert_eq!(json["title"], "Bad Request");
        assert_eq!(json["status"], 400);
        assert_eq!(json["line"], 3);
        assert_eq!(json["column"], 7);
        let detail = json["detail"].as_str().unwrap();
        assert_eq!(detail, "ä".repeat(LONGEST) + "...");
    }
}
