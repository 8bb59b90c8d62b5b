//! What the response would carry.

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use tollgate_http::{ProblemJson, Render};
use tollgate_policy::{Count, Decision, Mode, Statuses};

use super::limiter::Limiter;
use super::subject::Subject;
use crate::output::shown;
use crate::page::Page;
use crate::words;

/// Writes the response after so many requests like this one.
pub(super) fn write(
    limiter: &Limiter,
    subject: &Subject,
    decision: &Decision,
    after: u32,
    page: &mut Page,
) {
    let rest = match after {
        0 => " to the first such request".to_owned(),
        1 => " after 1 such request".to_owned(),
        _ => format!(" after {after} such requests"),
    };
    page.heading("response", &rest);
    let carried = Carried::of(limiter, subject, decision);
    if subject.passes(limiter) {
        page.row(
            "status",
            "the service's own: CORS preflight requests are let through",
        );
        return;
    }
    let because = words::reason(decision.reason());
    let by = decision.decided_by();
    let by = by.map_or_else(String::new, |policy| {
        format!(" ({})", policy.policy().name())
    });
    let status = match carried.status {
        None => format!("the service's own: let through, because {because}{by}"),
        Some(status) => format!("{status}: denied, because {because}{by}"),
    };
    page.row("status", &status);
    write_fields(&carried.headers, page);
    for name in hidden(decision) {
        page.row(
            "hidden",
            &format!("the numbers of {name}, by its `hide_numbers`"),
        );
    }
    for (name, statuses) in given_back(decision) {
        page.row(
            "afterwards",
            &format!("{name} gives back what it took, unless the service answers {statuses}"),
        );
    }
    if let Some(body) = carried.body() {
        page.raw("\n");
        page.verbatim(&body);
    }
}

/// What the layer has to do with the response.
#[derive(Debug)]
pub(super) struct Carried {
    /// `None` if it is the service's own.
    pub(super) status: Option<StatusCode>,
    pub(super) headers: HeaderMap,
    body: Option<Bytes>,
}

impl Carried {
    pub(super) fn of(limiter: &Limiter, subject: &Subject, decision: &Decision) -> Self {
        if decision.is_allowed() || subject.passes(limiter) {
            let mut headers = HeaderMap::new();
            if !subject.passes(limiter) {
                limiter.write_headers(decision, &mut headers);
            }
            return Self {
                status: None,
                headers,
                body: None,
            };
        }
        let (head, body) = denial(limiter, subject, decision).into_parts();
        Self {
            status: Some(head.status),
            headers: head.headers,
            body: Some(body),
        }
    }

    pub(super) fn body(&self) -> Option<String> {
        let body = self.body.as_ref()?;
        Some(String::from_utf8_lossy(body).into_owned())
    }
}

/// The answer of the layer.
fn denial(limiter: &Limiter, subject: &Subject, decision: &Decision) -> Response<Bytes> {
    let nothing;
    let parts = match subject {
        Subject::Http(parts) => parts,
        Subject::Listed(_) => {
            nothing = Request::new(()).into_parts().0;
            &nothing
        }
    };
    let mut response: Response<Bytes> = ProblemJson.render(limiter.denial(decision), parts);
    limiter.write_headers(decision, response.headers_mut());
    response
}

fn write_fields(headers: &HeaderMap, page: &mut Page) {
    for (name, value) in headers {
        page.verbatim(&format!(
            "{name}: {}",
            shown(&String::from_utf8_lossy(value.as_bytes()))
        ));
    }
}

/// The policies whose numbers are missing among the fields.
pub(super) fn hidden(decision: &Decision) -> impl Iterator<Item = &str> {
    let hidden = decision.policies().filter(|policy| {
        policy.mode() == Mode::Enforce && policy.key().is_some() && policy.policy().hides_numbers()
    });
    hidden.map(|policy| policy.policy().name())
}

/// The policies that give back what they took when the service has answered, unless with one of
/// these statuses.
pub(super) fn given_back(decision: &Decision) -> impl Iterator<Item = (&str, &Statuses)> {
    let settled = decision.needs_settling().then(|| decision.policies());
    let charged = settled.into_iter().flatten();
    let charged = charged.filter(|policy| policy.key().is_some());
    charged.filter_map(|policy| match policy.policy().count() {
        Count::Failures(statuses) => Some((policy.policy().name(), statuses)),
        _ => None,
    })
}
