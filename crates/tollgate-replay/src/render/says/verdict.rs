//! The verdict.

use crate::render::instant::{common_day, instant, instant_within};
use crate::render::numbers::{count, grouped, part};
use crate::render::prose::Prose;
use crate::report::{PolicyReport, Report};

/// So many policies are named; the others are counted.
const NAMED: usize = 3;

/// The verdict in a line.
pub(in crate::render) fn headline(report: &Report) -> String {
    let totals = &report.totals;
    match (totals.requests, totals.denied) {
        (0, _) => "No requests were found".to_owned(),
        (_, 0) => "No request would have been denied".to_owned(),
        (all, denied) => format!("{} of requests would have been denied", part(denied, all)),
    }
}

/// The verdict in sentences: how many of how many requests, from when to when, of how many clients,
/// and by which policies.
pub(in crate::render) fn verdict(report: &Report) -> Vec<Prose> {
    let totals = &report.totals;
    if totals.requests == 0 {
        return vec![nothing(report)];
    }
    let mut said = vec![first(report)];
    if totals.denied > 0 {
        said.extend(by_policies(report));
    }
    if totals.denied_in_shadow > 0 {
        said.push(
            Prose::new("Policies in shadow would have denied ")
                .strong(count(totals.denied_in_shadow, "request"))
                .plain(format!(
                    " more ({}).",
                    part(totals.denied_in_shadow, totals.requests)
                )),
        );
    }
    if totals.unmatched > 0 {
        said.push(Prose::new(format!(
            "No policy matches {} ({}).",
            of_requests(totals.unmatched),
            part(totals.unmatched, totals.requests)
        )));
    }
    said
}

/// What must be said of a report that is not of all.
pub(in crate::render) fn interrupted(report: &Report) -> Option<&'static str> {
    (!report.complete).then_some(
        "Reading was interrupted: this is what had been read by then, and not all of the logs.",
    )
}

fn nothing(report: &Report) -> Prose {
    let lines = report.input.lines;
    let files = u64::try_from(report.input.files.len()).unwrap_or(u64::MAX);
    if lines == 0 {
        return Prose::new(format!("There is no line in {}.", count(files, "log")));
    }
    Prose::new(format!(
        "Of {} in {}, none is a request.",
        count(lines, "line"),
        count(files, "log")
    ))
}

fn first(report: &Report) -> Prose {
    let totals = &report.totals;
    let when = period(report);
    if totals.denied == 0 {
        let all = if totals.requests == 1 {
            Prose::new("The only request")
        } else {
            Prose::new("All of ").strong(count(totals.requests, "request"))
        };
        return all.plain(format!("{when} would have been allowed."));
    }
    let said = Prose::default()
        .strong(part(totals.denied, totals.requests))
        .plain(format!(
            " of {}{when} would have been denied: ",
            count(totals.requests, "request")
        ))
        .strong(grouped(totals.denied));
    match (totals.clients_denied, totals.clients) {
        (Some(denied), Some(all)) => said
            .plain(", from ")
            .strong(grouped(denied))
            .plain(format!(" of {}.", count(all, "client"))),
        _ => said.plain("."),
    }
}

/// ` from … to … UTC`.
fn period(report: &Report) -> String {
    let (Some(from), Some(to)) = (&report.from, &report.to) else {
        return String::new();
    };
    let day = common_day(Some(from), Some(to));
    let (from, to) = (instant(from), instant_within(to, day.as_deref()));
    if from.ends_with(&to) {
        format!(" at {from} UTC")
    } else {
        format!(" from {from} to {to} UTC")
    }
}

fn by_policies(report: &Report) -> Option<Prose> {
    let mut policies: Vec<&PolicyReport> = report
        .policies
        .iter()
        .filter(|policy| policy.mode == "enforce" && policy.decided > 0)
        .collect();
    policies.sort_by_key(|policy| std::cmp::Reverse(policy.decided));
    let (named, others) = policies.split_at(policies.len().min(NAMED));
    let parts: Vec<Prose> = match named {
        [] => return None,
        [only] => {
            return Some(
                Prose::new("All of them were decided by the policy ")
                    .name(&only.name)
                    .plain("."),
            );
        }
        several => several.iter().map(|policy| decided(policy)).collect(),
    };
    let rest = others
        .iter()
        .fold(0_u64, |rest, policy| rest.saturating_add(policy.decided));
    let said = Prose::new("They were decided by ").list(parts);
    Some(if rest > 0 {
        said.plain(format!("; {} by others.", grouped(rest)))
    } else {
        said.plain(".")
    })
}

fn decided(policy: &PolicyReport) -> Prose {
    Prose::default()
        .name(&policy.name)
        .plain(format!(" ({})", grouped(policy.decided)))
}

/// `1 request`, `1,203 requests`: what a sentence speaks of.
fn of_requests(number: u64) -> String {
    count(number, "request")
}
