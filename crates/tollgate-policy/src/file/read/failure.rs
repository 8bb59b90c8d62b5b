//! `on_store_failure` and `local_share`.

use crate::file::check::Fields;
use crate::file::report::Report;
use crate::file::share::{Share, StoreFailure};
use crate::file::text::Text;

/// Reads what a request gets when the store fails; where it is wrong, `None`.
pub(super) fn on_store_failure(fields: &Fields<'_>, report: &mut Report) -> Option<StoreFailure> {
    let choice = fields.text("on_store_failure").map(Text::value);
    let share = fields.text("local_share");
    if choice != Some("local") {
        let is_wrong = fields.has("on_store_failure") && choice.is_none();
        if fields.is_written("local_share") && !is_wrong {
            report
                .error(
                    fields.span_of_name("local_share"),
                    "`local_share` stands without `on_store_failure = \"local\"`",
                )
                .help("add `on_store_failure = \"local\"`, or leave `local_share` out");
        }
        return match choice {
            _ if is_wrong => None,
            Some("deny") => Some(StoreFailure::Deny),
            _ => Some(StoreFailure::Allow),
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
    Share::read(share, report).map(StoreFailure::Local)
}
