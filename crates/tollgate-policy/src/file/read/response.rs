//! `[response]`.

use std::time::Duration;

use crate::file::check::Fields;
use crate::file::document::Node;
use crate::file::report::Report;
use crate::file::settings::{ResetUnit, ResponseSettings};
use crate::file::text::Text;

/// The settings; where a field is wrong, its default stands.
pub(in crate::file) fn response(fields: &Fields<'_>, report: &mut Report) -> ResponseSettings {
    let default = ResponseSettings::default();
    let reset = match fields.text("reset").map(Text::value) {
        Some("delta") => ResetUnit::Delta,
        _ => ResetUnit::Epoch,
    };
    let headers = fields.node("headers").map(Node::one_or_many);
    let names: Vec<&Text> = headers
        .unwrap_or(&[])
        .iter()
        .filter_map(Node::text)
        .collect();
    if let Some(none) = names.iter().find(|name| name.value() == "none")
        && names.len() > 1
    {
        report
            .error(none.span(), "`none` stands beside other headers")
            .help("write `headers = \"none\"`, or leave `none` out");
    }
    if headers.is_some_and(<[Node]>::is_empty) {
        report
            .error(fields.span_of("headers"), "`headers` is an empty list")
            .help(
                "write `headers = \"none\"` for no fields, or leave `headers` out for all of them",
            );
    }
    let has = |name: &str| match headers {
        None => true,
        Some(_) => names.iter().any(|text| text.value() == name),
    };
    if fields.is_written("reset") && !has("x-ratelimit") {
        report
            .warning(
                fields.span_of_name("reset"),
                "`reset` has no effect without the header `x-ratelimit`",
            )
            .help("leave it out, or add `x-ratelimit` to `headers`");
    }
    ResponseSettings {
        ietf: has("ietf"),
        x_ratelimit: has("x-ratelimit").then_some(reset),
        expose: fields.is_true("expose"),
        count_preflight: fields.is_true("count_preflight"),
        outage_retry_after: fields
            .duration(
                "outage_retry_after",
                Duration::from_secs(1),
                Duration::from_secs(3_600),
                report,
            )
            .unwrap_or(default.outage_retry_after),
    }
}
