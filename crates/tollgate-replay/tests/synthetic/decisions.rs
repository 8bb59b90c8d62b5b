//! A replayed log gives the decisions that its requests give.

use tollgate_replay::report::{PolicyReport, Report};
use tollgate_testkit::access_log::{Form, Log, Wrapper};

use crate::support::{self, OfPolicy, Outcome, decide, input, policies, replay, rfc3339, traffic};

/// The same totals, and for each policy the same numbers and the same keys.
#[track_caller]
pub(crate) fn agree(name: &str, report: &Report, outcome: &Outcome) {
    let totals = &report.totals;
    assert_eq!(
        (totals.requests, totals.allowed, totals.denied),
        (outcome.requests, outcome.allowed, outcome.denied),
        "{name}"
    );
    assert_eq!(totals.denied_in_shadow, outcome.denied_in_shadow, "{name}");
    assert_eq!(totals.unmatched, outcome.unmatched, "{name}");
    assert_eq!(report.policies.len(), outcome.policies.len());
    for policy in &report.policies {
        agree_on(name, policy, &outcome.policies[&policy.name]);
    }
}

fn agree_on(form: &str, policy: &PolicyReport, of: &OfPolicy) {
    let name = format!("{form}, {}", policy.name);
    assert_eq!(
        (policy.matched, policy.allowed, policy.denied),
        (of.matched, of.allowed, of.denied),
        "{name}"
    );
    assert_eq!(policy.missing_key, of.missing_key, "{name}");
    assert_eq!(
        (policy.keys, policy.keys_denied),
        (of.keys, of.keys_denied),
        "{name}"
    );
    assert_eq!(policy.first_denial, of.first_denial.map(rfc3339), "{name}");
    assert_eq!(policy.last_denial, of.last_denial.map(rfc3339), "{name}");
    // The numbers of every key that was denied, without their names.
    let mut worst: Vec<(u64, u64)> = policy
        .worst
        .iter()
        .map(|key| (key.denied, key.requests))
        .collect();
    let denied = of.by_key.values().filter(|(_, denied)| *denied > 0);
    let mut expected: Vec<(u64, u64)> = denied
        .map(|(requests, denied)| (*denied, *requests))
        .collect();
    worst.retain(|(denied, _)| *denied > 0);
    worst.sort_unstable();
    expected.sort_unstable();
    assert_eq!(worst, expected, "{name}");
}

fn agrees(log: &Log) {
    let file = policies();
    let requests = support::requests(log, &file);
    let outcome = decide(&file, &requests);
    // Logs of which nothing is denied would show nothing.
    for (policy, of) in &outcome.policies {
        let is_shown = of.denied > 10 || of.missing_key == of.matched;
        assert!(
            is_shown,
            "{}, {policy}: {} of {}",
            log.form.name(),
            of.denied,
            of.matched
        );
    }
    let report = replay(&file, log.form, vec![input(log)]);
    agree(log.form.name(), &report, &outcome);
}

#[test]
fn every_form_gives_the_decisions_of_its_requests() {
    for form in Form::ALL {
        agrees(&Log::of(form, Wrapper::None, traffic()));
    }
}

#[test]
fn every_form_with_a_forwarding_list_gives_them_behind_proxies_too() {
    for form in Form::ALL {
        let log = Log::of(form, Wrapper::None, traffic().behind_proxies(true));
        if log
            .lines
            .iter()
            .any(|line| line.known.client != line.exchange.peer)
        {
            agrees(&log);
        }
    }
}

#[test]
fn wrapped_and_compressed_logs_give_them_too() {
    let file = policies();
    for wrapper in Wrapper::ALL {
        let log = Log::of(Form::NginxCustom, wrapper, traffic());
        let outcome = decide(&file, &support::requests(&log, &file));
        for compress in [support::gzip, support::zstd] {
            let bytes = compress(log.text().as_bytes());
            let report = replay(&file, log.form, vec![support::bytes(bytes)]);
            assert_eq!(report.input.rejected, 0, "{wrapper:?}");
            agree("nginx custom", &report, &outcome);
        }
    }
}
