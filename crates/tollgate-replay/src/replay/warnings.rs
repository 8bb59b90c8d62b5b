//! What whoever reads the report should know before believing it.

use tollgate_policy::{AttributeName, Count, Mode, Policy};

use super::report::Findings;
use crate::engine::{Few, Sums};
use crate::hide::HidingKey;
use crate::instant::share;
use crate::logs::Found;
use crate::report::{InputReport, PolicyReport, Warning, WarningKind};
use crate::tally::{PolicyTally, shortest};
use crate::words::number;

/// The share of requests without a client above which it is said.
const MANY: f64 = 0.05;
/// The share of a policy's denials that hang on the log's resolution, above which it is said.
const HANGS_ON_RESOLUTION: f64 = 0.1;

/// All warnings there are, in the order of [`WarningKind`].
pub(super) fn of(
    findings: &Findings<'_>,
    policies: &[PolicyReport],
    sums: &mut Sums,
    found: &Found,
) -> Vec<Warning> {
    let mut warnings = Warnings(Vec::new());
    let requests = sums.totals.requests;
    warnings.one_client(sums.proxies.few().as_ref(), findings.hiding);
    warnings.named_clients(&found.input);
    warnings.missing_attributes(findings, found, requests);
    warnings.no_client(&found.input, requests);
    warnings.resolution(findings, policies, &found.input);
    warnings.of_times(&found.input);
    warnings.of_files(&found.input);
    warnings.too_many_keys(findings, policies, sums);
    warnings.of_responses(findings, sums);
    warnings.matches_nothing(findings, found, policies, requests);
    warnings.0.sort_by_key(|warning| warning.kind);
    warnings.0
}

struct Warnings(Vec<Warning>);

impl Warnings {
    fn push(&mut self, kind: WarningKind, message: impl Into<String>) {
        let message = message.into();
        self.0.push(Warning { kind, message });
    }

    /// Case B149.
    fn one_client(&mut self, few: Option<&Few>, hiding: Option<&HidingKey>) {
        if let Some(few) = few {
            let remedy = "list proxies under [client] trusted_proxies, and let the log have the forwarding header";
            self.push(
                WarningKind::OneClient,
                format!("{}; {remedy}", few.in_words(hiding)),
            );
        }
    }

    fn named_clients(&mut self, input: &InputReport) {
        if input.named_clients > 0 {
            self.push(
                WarningKind::NamedClients,
                format!(
                    "the log has names of hosts in place of addresses for {} requests: they are counted by name, and no condition on client.ip matches them; turn off the look-up of names in the server (HostnameLookups Off in Apache)",
                    number(input.named_clients)
                ),
            );
        }
    }

    fn missing_attributes(&mut self, findings: &Findings<'_>, found: &Found, requests: u64) {
        if requests == 0 {
            return;
        }
        for (name, seen) in findings.wanted.names().iter().zip(&found.seen) {
            if *seen {
                continue;
            }
            let on = findings.policies.policies().iter();
            let on = on.filter(|policy| policy.mode() != Mode::Off);
            let asking = on.filter(|policy| policy.attributes().contains(&name));
            let asking: Vec<String> = asking
                .map(|policy| format!("`{}`", policy.name()))
                .collect();
            let who = match &*asking {
                [one] => format!("policy {one} looks"),
                many => format!("policies {} look", listed(many)),
            };
            let verb = remedy(name);
            self.push(
                WarningKind::MissingAttribute,
                format!("no request has `{name}`, which {who} at: tests of it fail, and keys of it are missing; {verb}"),
            );
        }
    }

    fn no_client(&mut self, input: &InputReport, requests: u64) {
        let without: u64 = input.no_client.iter().map(|(_, count)| count).sum();
        let share = share(without, requests);
        if without == 0 || share < MANY {
            return;
        }
        let why: Vec<&str> = input
            .no_client
            .iter()
            .map(|(why, _)| why.as_str())
            .collect();
        self.push(
            WarningKind::NoClient,
            format!(
                "{} of the requests have no client address ({}): policies that count by client.ip miss their key; log the peer's address and the forwarding header, and compare [client] of the policy file",
                percent(share),
                why.join(", ")
            ),
        );
    }

    fn resolution(
        &mut self,
        findings: &Findings<'_>,
        policies: &[PolicyReport],
        input: &InputReport,
    ) {
        for (policy, report) in findings.policies.policies().iter().zip(policies) {
            let Some(limit) = shortest(policy).filter(|_| report.matched > 0) else {
                continue;
            };
            let period = crate::instant::seconds(limit.period().as_micros());
            let hanging = share(report.within_resolution, report.denied);
            let many = report.within_resolution > 0 && hanging >= HANGS_ON_RESOLUTION;
            if input.resolution > 0.0 && (period <= input.resolution || many) {
                self.push(
                    WarningKind::Resolution,
                    format!(
                        "the log's times are whole multiples of {} s, too coarse for `{}` of policy `{}`: {} of its {} denials might have been admissions; log milliseconds ($msec in nginx, %{{msec_frac}}t in Apache)",
                        input.resolution,
                        limit,
                        report.name,
                        number(report.within_resolution),
                        number(report.denied)
                    ),
                );
            }
        }
    }

    fn of_times(&mut self, input: &InputReport) {
        if input.timed_by_end > 0 {
            self.push(
                WarningKind::EndTimes,
                format!(
                    "{} requests are timed by their end, for the log has no durations: slow requests seem to begin later than they did; log the duration ($request_time in nginx)",
                    number(input.timed_by_end)
                ),
            );
        }
        if input.late > 0 {
            self.push(
                WarningKind::Late,
                format!(
                    "{} requests came too late to be put in order, by up to {} s, and were decided as if they had begun later; sort the log, or hold more requests",
                    number(input.late),
                    input.latest_by
                ),
            );
        }
    }

    fn of_files(&mut self, input: &InputReport) {
        if let Some(first) = input.rejects.first() {
            let example = first.examples.first().map_or_else(String::new, |example| {
                format!(" (the first is line {} of {})", example.line, example.file)
            });
            self.push(
                WarningKind::Rejected,
                format!(
                    "{} of {} lines could not be read, most because {}{example}; say how the log is written, or take the other lines out",
                    number(input.rejected),
                    number(input.lines),
                    first.meaning
                ),
            );
        }
        for file in &input.files {
            if file.formats.len() > 1 {
                let formats = file
                    .formats
                    .iter()
                    .map(|format| format!("{} of {}", number(format.lines), format.format));
                let formats: Vec<String> = formats.collect();
                self.push(
                    WarningKind::MixedFormats,
                    format!(
                        "{} has lines of several forms: {}; if that is not meant, say which one it is",
                        file.name,
                        formats.join(", ")
                    ),
                );
            }
            if let Some(error) = &file.error {
                self.push(
                    WarningKind::Damaged,
                    format!("{} could not be read to its end: {error}; what came before is in the report", file.name),
                );
            }
        }
    }

    fn too_many_keys(&mut self, findings: &Findings<'_>, policies: &[PolicyReport], sums: &Sums) {
        let estimated = policies.iter().filter(|policy| policy.keys_estimated);
        let names: Vec<String> = estimated
            .map(|policy| format!("`{}`", policy.name))
            .collect();
        if !names.is_empty() {
            self.push(
                WarningKind::TooManyKeys,
                format!(
                    "there are more keys than the {} that are followed: of {} the numbers of keys are estimates, the peaks are those of some keys, and a key may be missing among the worst; follow more keys",
                    number(u64::try_from(findings.max_keys).unwrap_or(u64::MAX)),
                    names.join(", ")
                ),
            );
        }
        let forgotten = sums.forgotten;
        if forgotten > 0 {
            self.push(
                WarningKind::TooManyKeys,
                format!(
                    "more keys were in use at the same time than are counted: {} times one was forgotten and began anew, so that denials are missing; follow more keys",
                    number(forgotten)
                ),
            );
        }
        let unchecked: u64 = sums
            .tallies
            .iter()
            .map(|tally: &PolicyTally| tally.unchecked)
            .sum();
        if unchecked > 0 {
            self.push(
                WarningKind::TooManyKeys,
                format!(
                    "{} decisions found no room for their sliding logs, and did what on_store_failure says; use another algorithm for such limits",
                    number(unchecked)
                ),
            );
        }
    }

    fn of_responses(&mut self, findings: &Findings<'_>, sums: &Sums) {
        let totals = &sums.totals;
        if totals.answered_429 > 0 {
            self.push(
                WarningKind::LimitedAlready,
                format!(
                    "{} requests were answered 429 when the log was written: limits were in force already, and clients that obeyed them sent less than they wanted to",
                    number(totals.answered_429)
                ),
            );
        }
        let unanswered = totals.requests - sums.answered;
        if unanswered == 0 {
            return;
        }
        let policies = findings.policies.policies().iter().zip(&sums.tallies);
        let counts = |(policy, tally): &(&Policy, &PolicyTally)| {
            tally.matched > 0 && matches!(policy.count(), Count::Failures(_))
        };
        let names: Vec<String> = policies
            .filter(counts)
            .map(|(policy, _)| format!("`{}`", policy.name()))
            .collect();
        if !names.is_empty() {
            self.push(
                WarningKind::NoStatus,
                format!(
                    "{} of {} requests have no status, and {} count failures only: such requests are counted as failures; log the status",
                    number(unanswered),
                    number(totals.requests),
                    names.join(", ")
                ),
            );
        }
    }

    /// Policies with a test of what no request has are told of with that.
    fn matches_nothing(
        &mut self,
        findings: &Findings<'_>,
        found: &Found,
        policies: &[PolicyReport],
        requests: u64,
    ) {
        let seen = findings.wanted.names().iter().zip(&found.seen);
        let missing: Vec<&AttributeName> = seen
            .filter_map(|(name, seen)| (!seen).then_some(name))
            .collect();
        let is_missing = |name: &str| {
            let name = name.parse::<AttributeName>();
            name.is_ok_and(|name| missing.contains(&&name))
        };
        let all = findings.policies.policies().iter().zip(policies);
        let idle = all.filter(|(policy, report)| {
            let mut tests = policy.when().tests();
            report.matched == 0
                && policy.mode() != Mode::Off
                && !tests.any(|(name, _)| is_missing(name))
        });
        let idle: Vec<String> = idle
            .map(|(policy, _)| format!("`{}`", policy.name()))
            .collect();
        let (who, whose) = match &*idle {
            [] => return,
            _ if requests == 0 => return,
            [one] => (format!("policy {one} matches"), "its"),
            many => (format!("policies {} match", listed(many)), "their"),
        };
        self.push(
            WarningKind::MatchesNothing,
            format!(
                "{who} none of the {} requests; compare {whose} match and except with the paths and methods of the log",
                number(requests)
            ),
        );
    }
}

/// Some names, with `and` before the last.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// How a log comes to have an attribute.
fn remedy(name: &AttributeName) -> String {
    match name {
        AttributeName::Method | AttributeName::Path | AttributeName::Query(_) => {
            "let the log have the line of the request, whole".to_owned()
        }
        AttributeName::Header(header) => {
            format!("let the log have the header field `{header}`, or name its field with --field")
        }
        _ => format!("let the log have it, and name its field with --field {name}="),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
