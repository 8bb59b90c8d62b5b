//! Each warning, and that it is not given without a cause.

use super::*;
use crate::report::WarningKind;

/// The warnings that one request a second of different clients causes by itself: one on the times.
fn quiet() -> Vec<String> {
    (0..60)
        .map(|second| combined(second, &format!("198.51.100.{second}"), "/", 200))
        .collect()
}

fn kinds(report: &Report) -> Vec<WarningKind> {
    report.warnings.iter().map(|warning| warning.kind).collect()
}

fn message(report: &Report, kind: WarningKind) -> &str {
    let mut warnings = report.warnings.iter();
    let warning = warnings.find(|warning| warning.kind == kind);
    &warning
        .unwrap_or_else(|| panic!("no {kind:?} in {:?}", report.warnings))
        .message
}

fn of_lines(lines: Vec<String>) -> Report {
    run(one("\"10/min\""), vec![text(lines)])
}

#[test]
fn says_nothing_without_a_cause() {
    assert_eq!(kinds(&of_lines(quiet())), [WarningKind::EndTimes]);
    let made: Vec<Made> = made(500, 250, 20)
        .into_iter()
        .map(|made| Made {
            status: 200,
            ..made
        })
        .collect();
    let report = run(one("\"1000/h\""), vec![log(&made)]);
    assert_eq!(kinds(&report), []);
    assert_eq!(
        (
            report.input.timed_by_end_less_duration,
            report.input.timed_by_end
        ),
        (500, 0)
    );
}

// B149
#[test]
fn one_private_address_that_sent_nearly_everything() {
    let lines = |other: usize| {
        let clients = (0..100).map(|number| {
            if number < other {
                "198.51.100.7"
            } else {
                "10.0.0.1"
            }
        });
        let lines = (0..)
            .zip(clients)
            .map(|(second, client)| combined(second, client, "/", 200));
        lines.collect::<Vec<_>>()
    };
    let report = of_lines(lines(5));
    let message = message(&report, WarningKind::OneClient);
    assert!(
        message.contains("10.0.0.1 sent 95 % of the requests")
            && message.contains("trusted_proxies"),
        "{message}"
    );
    assert!(!kinds(&of_lines(lines(81))).contains(&WarningKind::OneClient));
    let public = (0..100)
        .map(|second| combined(second, "198.51.100.7", "/", 200))
        .collect();
    assert!(kinds(&of_lines(public)).contains(&WarningKind::OneClient));
}

#[test]
fn clients_that_are_names() {
    let mut lines = quiet();
    lines.push(combined(60, "node3.example.net", "/", 200));
    assert!(message(&of_lines(lines), WarningKind::NamedClients).contains("for 1 requests"));
}

#[test]
fn an_attribute_that_no_request_has() {
    let set = policies(
        "[[policy]]\nname = \"p\"\nkey = [\"header.x-tenant or client.ip\", \"path\"]\nlimits = [\"10/min\"]\n",
    );
    let report = run(set, vec![text(quiet())]);
    let message = message(&report, WarningKind::MissingAttribute);
    assert!(
        message.contains("`header.x-tenant`") && message.contains("`p`"),
        "{message}"
    );
    let missing = kinds(&report)
        .into_iter()
        .filter(|kind| *kind == WarningKind::MissingAttribute);
    assert_eq!(missing.count(), 1);
}

#[test]
fn what_no_request_has_is_told_once_whatever_the_number_of_policies() {
    let policy = |name: &str, field: &str| {
        format!(
            "[[policy]]\nname = \"{name}\"\nmatch = {{ {field} }}\nshared = true\nlimits = [\"1/s\"]\n"
        )
    };
    let set = policies(
        &[
            policy("one", "\"header.x-plan\" = \"free\""),
            policy("two", "\"header.x-plan\" = \"pro\""),
            policy("three", "path = \"/apii/**\""),
            policy("four", "path = \"/apiii/**\""),
        ]
        .concat(),
    );
    let report = run(set, vec![text(quiet())]);
    let told: Vec<&str> = report
        .warnings
        .iter()
        .map(|warning| &*warning.message)
        .collect();
    let about = |name: &str| told.iter().filter(|told| told.contains(name)).count();
    for name in ["`one`", "`two`", "`three`", "`four`"] {
        assert_eq!(about(name), 1, "{name}: {told:?}");
    }
    let nothing = message(&report, WarningKind::MatchesNothing);
    assert!(
        nothing.starts_with(
            "policies `three` and `four` match none of the 60 requests; compare their"
        ),
        "{nothing}"
    );
    let missing = message(&report, WarningKind::MissingAttribute);
    assert!(
        missing.contains("policies `one` and `two` look"),
        "{missing}"
    );
}

#[test]
fn many_requests_without_a_client() {
    let mut lines = quiet();
    lines.extend((60..65).map(|second| combined(second, "unix:", "/", 200)));
    let report = of_lines(lines.clone());
    assert!(message(&report, WarningKind::NoClient).contains("unix_socket"));
    assert_eq!(report.input.no_client, [("unix_socket".to_owned(), 5)]);
    lines.truncate(62);
    assert!(!kinds(&of_lines(lines)).contains(&WarningKind::NoClient));
}

#[test]
fn times_too_coarse_for_a_policy() {
    let report = run(one("\"10/s\""), vec![text(quiet())]);
    assert!(message(&report, WarningKind::Resolution).contains("`10/s`"));
    // One a second is refilled: each of these might have come a second later.
    let lines = (0..200).map(|number| combined(number / 3, "198.51.100.7", "/", 200));
    let report = run(one("\"60/min burst 1\""), vec![text(lines)]);
    let policy = &report.policies[0];
    assert_eq!((policy.denied, policy.within_resolution), (133, 133));
    assert!(message(&report, WarningKind::Resolution).contains("133 of its 133 denials"));
    // And none of these.
    let report = run(
        one("\"1/h\""),
        vec![text(
            (0..9).map(|second| combined(second, "198.51.100.7", "/", 200)),
        )],
    );
    assert_eq!(
        (
            report.policies[0].denied,
            report.policies[0].within_resolution
        ),
        (8, 0)
    );
    assert!(!kinds(&report).contains(&WarningKind::Resolution));
}

#[test]
fn requests_that_came_too_late() {
    let mut requests = [20, 10].map(|second| {
        let mut request = made(1, 1, 21)[0].request();
        request.at = Timestamp::from_secs(second);
        request
    });
    let report = Replay::new(one("\"1/s\""))
        .run_over(&mut requests.to_vec(), &Progress::new())
        .unwrap();
    assert!(message(&report, WarningKind::Late).contains("1 requests came too late"));
    requests.reverse();
    let report = Replay::new(one("\"1/s\""))
        .run_over(&mut requests.to_vec(), &Progress::new())
        .unwrap();
    assert!(!kinds(&report).contains(&WarningKind::Late));
}

#[test]
fn lines_that_were_rejected() {
    let mut lines = quiet();
    lines.insert(3, "nonsense".to_owned());
    let report = of_lines(lines);
    let message = message(&report, WarningKind::Rejected);
    assert!(
        message.contains("1 of 61 lines") && message.contains("line 4 of made up"),
        "{message}"
    );
    assert_eq!((report.input.rejected, report.totals.requests), (1, 60));
}

#[test]
fn a_file_of_several_forms() {
    let mut lines = quiet();
    lines.push(made(1, 1, 22)[0].line());
    let report = of_lines(lines);
    assert!(
        message(&report, WarningKind::MixedFormats).contains("60 of combined"),
        "{:?}",
        report.warnings
    );
}

#[test]
fn a_file_that_is_damaged() {
    let mut encoder = Vec::new();
    // The header of a gzip file, and nothing that follows.
    encoder.extend_from_slice(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b]);
    let damaged = Input::Text {
        name: "damaged.gz".into(),
        bytes: encoder,
    };
    let report = run(one("\"10/min\""), vec![text(quiet()), damaged]);
    let message = message(&report, WarningKind::Damaged);
    assert!(
        message.starts_with("damaged.gz could not be read to its end"),
        "{message}"
    );
    assert_eq!(report.totals.requests, 60);
    assert!(report.complete);
}

#[test]
fn counts_that_had_to_be_forgotten() {
    // No count is as if never used before the log ends: such a one is dropped, and not missed.
    let set = one("\"100/d\"");
    let lines = (0..5_000_u32).map(|number| {
        let [_, _, a, b] = number.to_be_bytes();
        combined(u64::from(number) / 100, &format!("11.0.{a}.{b}"), "/", 200)
    });
    let replay = Replay::new(set).inputs(vec![text(lines)]).max_keys(1_000);
    let report = replay.run(&Progress::new()).unwrap();
    let forgotten = report
        .warnings
        .iter()
        .any(|warning| warning.message.contains("3,000 times one was forgotten"));
    assert!(forgotten, "{:?}", report.warnings);
}

#[test]
fn limits_that_were_in_force_already() {
    let mut lines = quiet();
    lines.push(combined(60, "198.51.100.1", "/", 429));
    let report = of_lines(lines);
    assert_eq!(report.totals.answered_429, 1);
    assert!(message(&report, WarningKind::LimitedAlready).contains("1 requests were answered 429"));
}

#[test]
fn a_policy_that_matches_nothing_unless_it_is_off() {
    let set = policies(concat!(
        "[[policy]]\nname = \"typo\"\nmatch = { path = \"/apii/**\" }\nshared = true\nlimits = [\"1/s\"]\n",
        "[[policy]]\nname = \"off\"\nmode = \"off\"\nmatch = { path = \"/b\" }\nshared = true\nlimits = [\"1/s\"]\n"
    ));
    let report = run(set, vec![text(quiet())]);
    assert!(
        message(&report, WarningKind::MatchesNothing)
            .contains("`typo` matches none of the 60 requests")
    );
    let nothing = kinds(&report)
        .into_iter()
        .filter(|kind| *kind == WarningKind::MatchesNothing);
    assert_eq!(nothing.count(), 1);
    assert_eq!(
        (report.totals.unmatched, policy(&report, "off").matched),
        (60, 0)
    );
}

#[test]
fn failures_that_nobody_logged() {
    let set = || {
        policies(
            "[[policy]]\nname = \"login\"\nkey = [\"client.ip\"]\nlimits = [\"1/h fixed-window\"]\ncount = \"failures\"\n",
        )
    };
    let mut requests = Vec::new();
    for second in 0..3 {
        let mut request = made(1, 1, 23)[0].request();
        (request.at, request.status) = (Timestamp::from_secs(second), None);
        requests.push(request);
    }
    let report = Replay::new(set())
        .run_over(&mut requests, &Progress::new())
        .unwrap();
    assert!(message(&report, WarningKind::NoStatus).contains("`login`"));
    assert_eq!(report.policies[0].denied, 2);
    requests
        .iter_mut()
        .for_each(|request| (request.status, request.duration) = (Some(200), None));
    let report = Replay::new(set())
        .run_over(&mut requests, &Progress::new())
        .unwrap();
    assert!(!kinds(&report).contains(&WarningKind::NoStatus));
    assert_eq!(report.policies[0].denied, 0);
}

#[test]
fn numbers_of_warnings_have_their_thousands_apart() {
    let lines: Vec<String> = (0..2_400)
        .map(|number| combined(number / 3, "198.51.100.7", "/", 200))
        .collect();
    let report = run(one("\"60/min burst 1\""), vec![text(lines)]);
    let denied = report.policies[0].denied;
    assert_eq!(denied, 1_600);
    let message = message(&report, WarningKind::Resolution);
    assert!(message.contains("1,600 of its 1,600 denials"), "{message}");
    let ends = self::message(&report, WarningKind::EndTimes);
    assert!(ends.starts_with("2,400 requests are timed"), "{ends}");
}
