//! What was read.

use crate::render::numbers::{count, grouped, span};
use crate::render::prose::Prose;
use crate::report::InputReport;

/// How many lines of how many files became requests.
pub(in crate::render) fn files(input: &InputReport) -> Prose {
    let files = u64::try_from(input.files.len()).unwrap_or(u64::MAX);
    let said = Prose::new(format!(
        "{} in {}: ",
        count(input.lines, "line"),
        count(files, "log")
    ))
    .strong(count(input.requests, "request"))
    .plain(format!(", {} rejected", grouped(input.rejected)));
    let skipped = input
        .skipped
        .iter()
        .fold(0, |sum: u64, kind| sum.saturating_add(kind.count));
    if skipped == 0 {
        return said.plain(".");
    }
    said.plain(format!(", {} rightly no requests.", grouped(skipped)))
}

/// Lines that are rightly no requests, by kind.
pub(in crate::render) fn skipped(input: &InputReport) -> Option<Prose> {
    let kinds = input.skipped.iter().filter(|kind| kind.count > 0);
    let kinds: Vec<Prose> = kinds
        .map(|kind| Prose::new(format!("{} {}", grouped(kind.count), in_words(kind.kind))))
        .collect();
    (!kinds.is_empty()).then(|| Prose::new("Not requests: ").list(kinds).plain("."))
}

/// What the times of the requests are, and which came too late.
pub(in crate::render) fn times(input: &InputReport) -> Vec<Prose> {
    let mut said = Vec::new();
    let bases: Vec<Prose> = [
        (input.timed_by_start, "by its begin"),
        (
            input.timed_by_end_less_duration,
            "by its end, less its duration",
        ),
        (
            input.timed_by_end,
            "by its end, since the log has no durations",
        ),
    ]
    .into_iter()
    .filter(|(requests, _)| *requests > 0)
    .map(|(requests, basis)| Prose::new(format!("{} {basis}", grouped(requests))))
    .collect();
    if !bases.is_empty() {
        said.push(
            Prose::new(format!(
                "Times are exact to {}. Each request is placed in time: ",
                span(input.resolution)
            ))
            .list(bases)
            .plain("."),
        );
    }
    if input.late > 0 {
        said.push(Prose::new(format!(
            "{} came too late to be put in order, by {} at most, and {} decided at once.",
            count(input.late, "request"),
            span(input.latest_by),
            if input.late == 1 { "was" } else { "were" },
        )));
    }
    if input.named_clients > 0 {
        said.push(Prose::new(format!(
            "The client is known only by the name of a host in {}.",
            count(input.named_clients, "request")
        )));
    }
    let nobody: Vec<Prose> = input
        .no_client
        .iter()
        .filter(|(_, requests)| *requests > 0)
        .map(|(reason, requests)| {
            Prose::new(format!("{} (", grouped(*requests)))
                .name(reason)
                .plain(")")
        })
        .collect();
    if !nobody.is_empty() {
        said.push(
            Prose::new("Requests without a client: ")
                .list(nobody)
                .plain("."),
        );
    }
    said
}

fn in_words(kind: &str) -> &str {
    match kind {
        "blank" => "blank lines",
        "comment" => "comments or heads of columns",
        "other_message" => "messages of another kind",
        "zeros" => "runs of zeros, as a crash leaves them",
        "repeated" => "repetitions of a request",
        other => other,
    }
}
