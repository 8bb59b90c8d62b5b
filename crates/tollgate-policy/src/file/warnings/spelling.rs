//! Patterns that nothing is likely to match, because they are written as for something else.

use crate::AttributeName;
use crate::file::read::{Test, Tests};
use crate::file::report::Report;
use crate::file::suggestion::{is_slip, quoted};
use crate::file::text::Text;

/// The methods that HTTP servers know.
const METHODS: [&str; 9] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
];

pub(super) fn check(tests: &Tests, report: &mut Report) {
    for Test {
        attribute,
        patterns,
        ..
    } in &tests.list
    {
        for text in patterns {
            match attribute {
                AttributeName::Path => path(text, report),
                AttributeName::Route => regex(text, report),
                AttributeName::Host => host(text, report),
                AttributeName::Method => method(text, report),
                _ => {}
            }
        }
    }
}

fn path(text: &Text, report: &mut Report) {
    let template = text
        .value()
        .split('/')
        .find(|segment| segment.contains('{') || segment.starts_with(':'));
    match template {
        Some(segment) => {
            let is_filled = text.shown() != text.value();
            let shown = if is_filled { text.shown() } else { segment };
            report
                .warning(
                    text.span(),
                    format!("{} is taken as it stands, because a path has no templates: probably no request has it", quoted(shown)),
                )
                .help("write `*` for any segment, or test `route`, which is the template that the router matched");
        }
        None => regex(text, report),
    }
}

fn regex(text: &Text, report: &mut Report) {
    let value = text.value();
    if [".*", ".+", "\\", "(?", "[^"]
        .iter()
        .any(|mark| value.contains(mark))
    {
        report
            .warning(
                text.span(),
                format!(
                    "{} looks like a regular expression, which patterns are not: probably no request fits it",
                    quoted(text.shown())
                ),
            )
            .help("write `*` for anything within a segment, and `/**` for any segments");
    }
}

fn host(text: &Text, report: &mut Report) {
    if text.value().contains('/') {
        report
            .warning(text.span(), format!("{} is not a host, so that no request has it", quoted(text.shown())))
            .help("write the name alone, such as `api.example.com` or `*.example.com`; paths are tested by `path`");
    }
}

fn method(text: &Text, report: &mut Report) {
    let value = text.value();
    if METHODS.contains(&value) {
        return;
    }
    if let Some(meant) = METHODS.iter().find(|known| is_slip(known, value)) {
        report
            .warning(
                text.span(),
                format!(
                    "{} is not a method that HTTP servers know: probably no request has it",
                    quoted(text.shown())
                ),
            )
            .help(format!("did you mean `{meant}`?"));
    }
}
