//! What is told of a suggestion, in words.

use super::Suggestion;
use super::WindowPeaks;
use crate::report::CurvePoint;
use crate::words::{counted, number, percent};

/// How many requests and clients a policy is derived from.
pub(super) fn basis(policy: &Suggestion) -> String {
    let requests = counted(policy.requests, "request");
    let clients = counted(policy.clients, "client");
    let mut text = if policy.sampled < 1.0 {
        format!(
            "{requests}; looked at: {clients}, {} of all, chosen by chance.",
            percent(policy.sampled)
        )
    } else {
        format!("{requests} of {clients}.")
    };
    if policy.without_key > 0 {
        let others = counted(policy.without_key, "request");
        text.push_str(&format!(" {others} without the key are not counted."));
    }
    text
}

/// The peaks in columns.
pub(super) fn peaks(policy: &Suggestion) -> Vec<String> {
    let row = |cells: [String; 6]| {
        let [label, numbers @ ..] = cells;
        let numbers = numbers.map(|number| format!("{number:>9}")).concat();
        format!("{label:<22}{numbers}")
    };
    let heads = ["most requests", "p50", "p90", "p99", "p99.9", "highest"];
    let rows = policy.peaks.iter().map(|peaks: &WindowPeaks| {
        let window = match peaks.window {
            1 => "in any second".to_owned(),
            60 => "in any minute".to_owned(),
            3600 => "in any hour".to_owned(),
            seconds => format!("in any {seconds} seconds"),
        };
        let numbers = [peaks.p50, peaks.p90, peaks.p99, peaks.p999, peaks.highest];
        let [p50, p90, p99, p999, highest] = numbers.map(number);
        row([window, p50, p90, p99, p999, highest])
    });
    [row(heads.map(str::to_owned))]
        .into_iter()
        .chain(rows)
        .collect()
}

/// What the limits of a policy would have denied.
pub(super) fn denied(policy: &Suggestion) -> String {
    let denied = policy.denied;
    if denied.clients == 0 {
        return "Replayed: nobody would have been denied.".to_owned();
    }
    format!(
        "Replayed: would have denied {} ({}), and {} ({}).",
        counted(denied.clients, "client"),
        percent(denied.clients_share),
        counted(denied.requests, "request"),
        percent(denied.requests_share)
    )
}

/// What another number would have denied: by itself, where the policy has another limit beside it.
pub(super) fn point(point: &CurvePoint, is_one_of_several: bool) -> String {
    let by_itself = if is_one_of_several { " by itself" } else { "" };
    let limit = format!("{}{by_itself}", point.limit);
    if point.keys_denied == 0 {
        return format!("{limit} would have denied nobody.");
    }
    format!(
        "{limit} would have denied {} ({}), and {} ({}).",
        counted(point.keys_denied, "client"),
        percent(point.keys_denied_share),
        counted(point.denied, "request"),
        percent(point.denied_share)
    )
}

/// What a policy is about that no log can tell of.
pub(super) fn unseen(policy: &Suggestion) -> Option<&'static str> {
    let group = &policy.group;
    let is_rest = group.path.is_none() && !group.except.is_empty();
    is_rest.then_some(
        "It is also for every path that is not in the log, of which nothing is known: look at it twice before you enforce it, or leave it out.",
    )
}
