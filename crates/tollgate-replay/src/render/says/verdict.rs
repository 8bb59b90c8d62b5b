//! The verdict.

use crate::render::instant::{common_day, instant, instant_within};
use crate::render::numbers::{count, grouped, part};
use crate::render::prose::Prose;
use crate::report::{PolicyReport, Report};

/// So many policies are named; the others are counted.
const NAMED: usize = 3;

/// The verdict in a line. What only policies in shadow deny is part of it: whoever tries policies out
/// in shadow asks what they would do.
pub(in crate::render) fn headline(report: &Report) -> String {
    let totals = &report.totals;
    let all = totals.requests;
    match (all, totals.denied, totals.denied_in_shadow) {
        (0, _, _) => "No requests were found".to_owned(),
        (_, 0, 0) => "No request would have been denied".to_owned(),
        (_, denied, 0) => format!("{} of requests would have been denied", part(denied, all)),
        (_, 0, shadow) => format!(
            "{} of requests would be denied if the policies in shadow were enforced",
            part(shadow, all)
        ),
        (_, denied, shadow) => format!(
            "{} of requests would have been denied, and {} more if the policies in shadow were enforced",
            part(denied, all),
            part(shadow, all)
        ),
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
        said.push(if totals.denied == 0 {
            Prose::new("As it is, all of them are allowed.")
        } else {
            more_in_shadow(report)
        });
        said.extend(by_policies_in_shadow(report));
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
    let (denied, clients, would) = match (totals.denied, totals.denied_in_shadow) {
        (0, shadow @ 1..) => (
            shadow,
            totals.clients_denied_in_shadow,
            "would be denied if the policies in shadow were enforced",
        ),
        (denied, _) => (denied, totals.clients_denied, "would have been denied"),
    };
    if denied == 0 {
        let all = if totals.requests == 1 {
            Prose::new("The only request")
        } else {
            Prose::new("All of ").strong(count(totals.requests, "request"))
        };
        return all.plain(format!("{when} would have been allowed."));
    }
    let said = Prose::default()
        .strong(part(denied, totals.requests))
        .plain(format!(
            " of {}{when} {would}: ",
            count(totals.requests, "request")
        ))
        .strong(grouped(denied));
    match (clients, totals.clients) {
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

/// What policies in shadow deny beside what is denied.
fn more_in_shadow(report: &Report) -> Prose {
    let totals = &report.totals;
    let said = Prose::new("If the policies in shadow were enforced, ")
        .strong(count(totals.denied_in_shadow, "request"))
        .plain(format!(
            " more would be denied ({})",
            part(totals.denied_in_shadow, totals.requests)
        ));
    match totals.clients_denied_in_shadow {
        Some(clients @ 1..) => said.plain(format!(
            ", and {} of whom nothing is denied now.",
            count(clients, "client")
        )),
        _ => said.plain("."),
    }
}

/// Which policies in shadow deny the most. Each is told by itself: none of them decides, and several
/// may deny the same request.
fn by_policies_in_shadow(report: &Report) -> Option<Prose> {
    let policies = report.policies.iter();
    let mut policies: Vec<&PolicyReport> = policies
        .filter(|policy| policy.mode == "shadow" && policy.denied > 0)
        .collect();
    policies.sort_by_key(|policy| std::cmp::Reverse(policy.denied));
    let (named, others) = policies.split_at(policies.len().min(NAMED));
    if let ([only], []) = (named, others) {
        return Some(
            Prose::new("The policy in shadow that denies is ")
                .name(&only.name)
                .plain("."),
        );
    }
    let parts: Vec<Prose> = named
        .iter()
        .map(|policy| {
            Prose::default()
                .name(&policy.name)
                .plain(format!(" ({})", grouped(policy.denied)))
        })
        .collect();
    if parts.is_empty() {
        return None;
    }
    let said = Prose::new("In shadow, each by itself, the most is denied by ").list(parts);
    Some(said.plain("."))
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
