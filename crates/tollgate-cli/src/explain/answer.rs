//! What the response would carry.

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use tollgate_http::{ProblemJson, Render};
use tollgate_policy::{Count, Decision, Mode};

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
    if decision.is_allowed() {
        page.row(
            "status",
            &format!("the service's own: let through, because {because}{by}"),
        );
        let mut headers = HeaderMap::new();
        limiter.write_headers(decision, &mut headers);
        write_fields(&headers, page);
        write_hidden(decision, page);
        write_refunds(decision, page);
    } else {
        let response = denial(limiter, subject, decision);
        page.row(
            "status",
            &format!("{}: denied, because {because}{by}", response.status()),
        );
        write_fields(response.headers(), page);
        write_hidden(decision, page);
        page.raw("\n");
        page.verbatim(&shown_body(response.body()));
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

/// Whose numbers are missing among the fields.
fn write_hidden(decision: &Decision, page: &mut Page) {
    let hidden = decision.policies().filter(|policy| {
        policy.mode() == Mode::Enforce && policy.key().is_some() && policy.policy().hides_numbers()
    });
    for policy in hidden {
        let name = policy.policy().name();
        page.row(
            "hidden",
            &format!("the numbers of {name}, by its `hide_numbers`"),
        );
    }
}

/// What is given back when the service has answered.
fn write_refunds(decision: &Decision, page: &mut Page) {
    if !decision.needs_settling() {
        return;
    }
    for policy in decision.policies() {
        if let Count::Failures(statuses) = policy.policy().count()
            && policy.key().is_some()
        {
            let name = policy.policy().name();
            page.row(
                "afterwards",
                &format!("{name} gives back what it took, unless the service answers {statuses}"),
            );
        }
    }
}

fn shown_body(body: &Bytes) -> String {
    String::from_utf8_lossy(body).into_owned()
}
