//! Keys: bounds, peaks, names, hiding.

use super::*;
use crate::HidingKey;

#[test]
fn memory_is_bounded_and_the_heaviest_are_found() {
    let set = one("\"20/h fixed-window\"");
    let heavy = |number: u64| format!("203.0.113.{}", number % 10);
    let once = |number: u64| {
        let [_, a, b, c] = u32::try_from(number).unwrap().to_be_bytes();
        format!("11.{a}.{b}.{c}")
    };
    let lines = (0..110_000_u64).map(|number| {
        let client = if number % 11 == 10 {
            heavy(number / 11)
        } else {
            once(number)
        };
        combined(number / 100, &client, "/", 200)
    });
    let replay = Replay::new(set).inputs(vec![text(lines)]).max_keys(1_000);
    let report = replay.run(&Progress::new()).unwrap();
    let policy = &report.policies[0];
    assert!(policy.keys_estimated);
    assert!((95_000..105_000).contains(&policy.keys), "{}", policy.keys);
    let mut worst: Vec<&str> = policy.worst.iter().map(|key| key.key.as_str()).collect();
    worst.sort_unstable();
    let expected: Vec<String> = (0..10).map(heavy).collect();
    assert_eq!(worst, expected);
    assert_eq!(policy.keys_denied, 10);
    assert!(policy.denied >= 10 * 900, "{}", policy.denied);
    let kinds: Vec<_> = report.warnings.iter().map(|warning| warning.kind).collect();
    assert!(
        kinds.contains(&crate::report::WarningKind::TooManyKeys),
        "{kinds:?}"
    );
}

#[test]
fn tells_the_peak_of_each_of_the_worst_and_how_long_it_would_have_waited() {
    // Twelve within a minute that lies across two minutes of the clock.
    let seconds = [50, 51, 52, 53, 54, 55, 64, 65, 66, 67, 68, 69, 300];
    let lines = seconds.map(|second| combined(second, "198.51.100.7", "/", 200));
    let report = run(one("\"10/min sliding-log\""), vec![text(lines)]);
    let policy = &report.policies[0];
    let key = &policy.worst[0];
    assert_eq!((key.requests, key.denied, key.peak), (13, 2, 12));
    assert_eq!(key.peak_at, "2026-11-05T06:01:15Z");
    assert_eq!(key.first_denial.as_deref(), Some("2026-11-05T06:01:08Z"));
    assert_eq!(key.last_denial.as_deref(), Some("2026-11-05T06:01:09Z"));
    // Told once to wait until the first of the ten has left, at 1:50.
    assert_eq!(
        (key.obeying.told, key.obeying.held_back, key.obeying.waited),
        (1, 1, 42.0)
    );
    assert_eq!(
        (
            policy.peaks.limit,
            policy.peaks.highest,
            policy.peaks.window
        ),
        (10, 12, 60.0)
    );
    assert_eq!(policy.largest_share, 1.0);
}

#[test]
fn a_client_known_by_name_is_shown_by_it() {
    let lines = (0..3).map(|second| combined(second, "node3.example.net", "/", 200));
    let report = run(one("\"1/h\""), vec![text(lines)]);
    assert_eq!(report.policies[0].worst[0].key, "node3.example.net");
    assert_eq!(report.input.named_clients, 3);
}

#[test]
fn hides_who_it_was_under_a_key() {
    let line = |second| combined(second, "198.51.100.7", "/", 200);
    let lines = || {
        text(
            (0..5)
                .map(line)
                .chain(["198.51.100.7 is no line".to_owned()]),
        )
    };
    let set = || {
        policies(concat!(
            "[[policy]]\nname = \"a\"\nkey = [\"client.ip\"]\nlimits = [\"1/h\"]\n",
            "[[policy]]\nname = \"b\"\nkey = [\"client.ip\"]\nlimits = [\"1/h\"]\nmode = \"shadow\"\n"
        ))
    };
    let hidden = |key: HidingKey| {
        let report = Replay::new(set()).inputs(vec![lines()]).anonymize(key);
        report.run(&Progress::new()).unwrap()
    };
    let report = hidden(HidingKey::random());
    assert!(report.anonymized);
    assert!(!json(&report).contains("198.51"), "{}", json(&report));
    let key = |report: &Report, policy: usize| report.policies[policy].worst[0].key.clone();
    assert_eq!(key(&report, 0), key(&report, 1));
    assert_ne!(key(&report, 0), key(&hidden(HidingKey::random()), 0));
    assert_eq!(
        key(&hidden(HidingKey::new("k")), 0),
        key(&hidden(HidingKey::new("k")), 0)
    );
    let open = run(set(), vec![lines()]);
    assert!(json(&open).contains("198.51.100.7 is no line"));
}
