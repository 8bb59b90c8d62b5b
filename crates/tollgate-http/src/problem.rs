//! Problem details: the body of an answer that we give ourselves (RFC 9457).

use std::fmt::Write;

use bytes::Bytes;
use http::StatusCode;

/// The media type of problem details in JSON (RFC 9457, section 3).
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// The members of a problem, in the order in which they are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem<'a> {
    pub(crate) kind: ProblemType,
    /// `None` if it is not known.
    pub(crate) status: Option<StatusCode>,
    pub(crate) detail: Detail<'a>,
}

/// What a problem says to people.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Detail<'a> {
    /// A constant, which needs no escaping.
    Constant(&'static str),
    /// The same, and after how many seconds to try again.
    TryAgain(&'static str, u64),
    /// Anything.
    Text(&'a str),
}

/// What kind of problem it is: its `type` and `title`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProblemType {
    /// The client has used up a quota (draft-ietf-httpapi-ratelimit-headers, "Quota Exceeded").
    QuotaExceeded,
    /// The server can do less than usual (the same draft, "Temporary Reduced Capacity").
    TemporaryReducedCapacity,
    /// Nothing more than the status says (RFC 9457, section 4.2.1).
    AboutBlank,
}

impl ProblemType {
    const fn uri(self) -> &'static str {
        match self {
            Self::QuotaExceeded => "https://iana.org/assignments/http-problem-types#quota-exceeded",
            Self::TemporaryReducedCapacity => {
                "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"
            }
            Self::AboutBlank => "about:blank",
        }
    }

    /// The title; for `about:blank` the status's own phrase (RFC 9457, section 4.2.1).
    fn title(self, status: Option<StatusCode>) -> &'static str {
        match self {
            Self::QuotaExceeded => "Quota Exceeded",
            Self::TemporaryReducedCapacity => "Temporary Reduced Capacity",
            Self::AboutBlank => status
                .and_then(|status| status.canonical_reason())
                .unwrap_or("Not Admitted"),
        }
    }
}

impl Problem<'_> {
    /// The problem in JSON, with the policies that were violated as the extension member that the
    /// draft's problem types define.
    pub(crate) fn to_json<'n>(self, violated: impl IntoIterator<Item = &'n str>) -> Bytes {
        let mut json = String::with_capacity(320);
        // Types and titles are constants, and need no escaping.
        json.push_str("{\"type\":\"");
        json.push_str(self.kind.uri());
        json.push_str("\",\"title\":\"");
        json.push_str(self.kind.title(self.status));
        json.push('"');
        if let Some(status) = self.status {
            json.push_str(",\"status\":");
            json.push_str(status.as_str());
        }
        json.push_str(",\"detail\":");
        match self.detail {
            Detail::Constant(text) => push_plain(&mut json, text),
            Detail::TryAgain(text, secs) => {
                json.push('"');
                json.push_str(text);
                json.push_str("; try again in ");
                json.push_str(itoa::Buffer::new().format(secs));
                json.push_str(" s\"");
            }
            Detail::Text(text) => push_string(&mut json, text),
        }
        json.push_str(",\"violated-policies\":[");
        for (position, name) in violated.into_iter().enumerate() {
            if position > 0 {
                json.push(',');
            }
            push_string(&mut json, name);
        }
        json.push_str("]}");
        json.into()
    }
}

/// Appends a JSON string that needs no escaping.
fn push_plain(json: &mut String, text: &str) {
    json.push('"');
    json.push_str(text);
    json.push('"');
}

/// Appends a JSON string (RFC 8259, section 7).
fn push_string(json: &mut String, text: &str) {
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        push_plain(json, text);
        return;
    }
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            control if control < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(control));
            }
            other => json.push(other),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn parsed(problem: Problem<'_>, violated: &[&str]) -> Value {
        serde_json::from_slice(&problem.to_json(violated.iter().copied())).unwrap()
    }

    #[test]
    fn writes_the_members_of_a_used_up_quota() {
        let problem = Problem {
            kind: ProblemType::QuotaExceeded,
            status: Some(StatusCode::TOO_MANY_REQUESTS),
            detail: Detail::TryAgain("wait", 12),
        };
        assert_eq!(
            parsed(problem, &["auth", "daily"]),
            json!({
                "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
                "title": "Quota Exceeded",
                "status": 429,
                "detail": "wait; try again in 12 s",
                "violated-policies": ["auth", "daily"],
            })
        );
    }

    #[test]
    fn titles_a_blank_problem_by_its_status() {
        let problem = Problem {
            kind: ProblemType::AboutBlank,
            status: Some(StatusCode::FORBIDDEN),
            detail: Detail::Constant(""),
        };
        let value = parsed(problem, &[]);
        assert_eq!(value["type"], "about:blank");
        assert_eq!(value["title"], "Forbidden");
        assert_eq!(value["violated-policies"], json!([]));
    }

    #[test]
    fn leaves_out_a_status_that_is_not_known() {
        let problem = Problem {
            kind: ProblemType::AboutBlank,
            status: None,
            detail: Detail::Constant("wait"),
        };
        let value = parsed(problem, &[]);
        assert_eq!(
            value,
            json!({
                "type": "about:blank",
                "title": "Not Admitted",
                "detail": "wait",
                "violated-policies": [],
            })
        );
    }

    #[test]
    fn escapes_names_as_json() {
        let problem = Problem {
            kind: ProblemType::TemporaryReducedCapacity,
            status: Some(StatusCode::SERVICE_UNAVAILABLE),
            detail: Detail::Text("a \"quoted\" \\ word\u{1}\nü"),
        };
        let value = parsed(problem, &["x\"y\\z\u{1f}"]);
        assert_eq!(value["detail"], "a \"quoted\" \\ word\u{1}\nü");
        assert_eq!(value["violated-policies"], json!(["x\"y\\z\u{1f}"]));
        // Each by itself, since a string without any of them is written another way.
        let names = ["a\"b", "a\\b", "a\nb", "\u{7f}ü"];
        assert_eq!(parsed(problem, &names)["violated-policies"], json!(names));
    }
}
