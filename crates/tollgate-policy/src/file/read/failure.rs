//! `on_store_failure` and `local_share`.

use crate::file::check::Fields;
use crate::file::report::Report;
use crate::file::suggestion::quoted;
use crate::file::text::Text;
use crate::{LocalShare, OnStoreFailure};

/// Reads what a request gets when the store fails; where it is wrong, `None`.
pub(super) fn on_store_failure(fields: &Fields<'_>, report: &mut Report) -> Option<OnStoreFailure> {
    let chosen = fields.text("on_store_failure");
    let choice = chosen.map(Text::value);
    let share = fields.text("local_share");
    if choice != Some("local") {
        let is_wrong = fields.has("on_store_failure") && choice.is_none();
        // Where the environment chooses, the share waits for the one in which it means something.
        let is_literal = chosen.is_none_or(|text| !text.is_expanded());
        if let Some(share) = share.filter(|_| !is_literal) {
            // All the same it must be one: a mistake in it would be found in the other environment.
            local_share(share, report);
        } else if fields.is_written("local_share") && !is_wrong {
            report
                .error(
                    fields.span_of_name("local_share"),
                    "`local_share` stands without `on_store_failure = \"local\"`",
                )
                .help("add `on_store_failure = \"local\"`, or leave `local_share` out");
        }
        return match choice {
            _ if is_wrong => None,
            Some("deny") => Some(OnStoreFailure::Deny),
            _ => Some(OnStoreFailure::Allow),
        };
    }
    let Some(share) = share else {
        if !fields.has("local_share") {
            report
                .missing(
                    fields.span_of("on_store_failure"),
                    "`on_store_failure = \"local\"` stands without `local_share`",
                )
                .help("say which part of each limit one instance gives: with four instances `local_share = \"1/4\"`");
        }
        return None;
    };
    local_share(share, report).map(OnStoreFailure::Local)
}

/// `1/4`, `0.25` or `25%`.
fn local_share(text: &Text, report: &mut Report) -> Option<LocalShare> {
    let value = text.value();
    let error = match value.parse::<LocalShare>() {
        Ok(share) => return Some(share),
        Err(error) => error,
    };
    if error.is_out_of_bounds() {
        report
            .error(text.span(), format!("the share {} is not above 0 and at most 1", quoted(value)))
            .help("with four instances write `\"1/4\"`; to give nothing write `on_store_failure = \"deny\"`");
    } else {
        report
            .error(text.span(), format!("{} is not a share", quoted(value)))
            .help("write a fraction such as `\"1/4\"`, or a percentage such as `\"25%\"`");
    }
    None
}
