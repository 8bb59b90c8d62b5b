//! What was read.

use crate::render::numbers::{capital, count, grouped, were};
use crate::render::prose::Prose;
use crate::render::spans::span;
use crate::report::{InputReport, Report, SkippedCount};

/// What the lines are: requests, rejected, or rightly something else.
pub(in crate::render) fn files(input: &InputReport) -> Prose {
    let files = u64::try_from(input.files.len()).unwrap_or(u64::MAX);
    let mut parts = vec![
        Prose::default().strong(count(input.requests, "request")),
        Prose::new(format!("{} rejected", grouped(input.rejected))),
    ];
    let skipped = input.skipped.iter().filter(|kind| kind.count > 0);
    parts.extend(skipped.map(|kind| Prose::new(in_words(kind))));
    Prose::new(format!(
        "{} in {}: ",
        capital(&count(input.lines, "line")),
        count(files, "log")
    ))
    .list(parts)
    .plain(".")
}

/// That limits were in force when the log was written, if they were.
pub(in crate::render) fn limited_already(report: &Report) -> Option<Prose> {
    let answered = report.totals.answered_429;
    (answered > 0).then(|| {
        Prose::new(format!(
            "{} answered 429 when the log was written.",
            were(answered)
        ))
    })
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
                "Times are exact to {}, and shown in UTC. Each request is placed in time: ",
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

/// Lines that are rightly no requests.
fn in_words(skipped: &SkippedCount) -> String {
    let thing = match skipped.kind {
        "blank" => "blank line",
        "comment" => "comment",
        "other_message" => "message of another kind",
        "zeros" => "run of zeros",
        "repeated" => "repetition",
        other => other,
    };
    match thing {
        "message of another kind" if skipped.count != 1 => {
            format!("{} messages of another kind", grouped(skipped.count))
        }
        "run of zeros" if skipped.count != 1 => format!("{} runs of zeros", grouped(skipped.count)),
        _ => count(skipped.count, thing),
    }
}
