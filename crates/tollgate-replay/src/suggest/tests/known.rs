//! The right answer is known.

use tollgate_policy::ClientAddress;

use super::traffic::{bursts, request, shop, sorted};
use crate::Request;
use crate::report::WarningKind;
use crate::suggest::{Options, Suggestion, Suggestions, suggest};

fn suggested(mut log: Vec<Request>, options: &Options) -> Suggestions {
    suggest(&mut log, options).unwrap()
}

fn only(suggestions: &Suggestions) -> &Suggestion {
    let [policy] = suggestions.policies.as_slice() else {
        panic!("{suggestions:?}")
    };
    policy
}

fn all() -> Options {
    Options::new().group("/**")
}

fn warned(suggestions: &Suggestions) -> Vec<WarningKind> {
    let warnings = suggestions.warnings.iter();
    warnings.map(|warning| warning.kind).collect()
}

#[test]
fn what_comes_at_once_each_minute_needs_as_much_a_minute() {
    let found = suggested(bursts(1_000, 5), &all());
    let policy = only(&found);
    assert_eq!(policy.limits, ["5/min"]);
    assert_eq!(policy.denied.clients, 0);
    assert_eq!(policy.clients, 1_000);
    assert_eq!(policy.requests, 50_000);
    assert_eq!(policy.may_be_denied, 1);
    let most: Vec<u64> = policy.peaks.iter().map(|peaks| peaks.highest).collect();
    assert_eq!(most, [5, 5, 5, 50]);
    assert_eq!(warned(&found), [WarningKind::ShortLog]);
    // One less would have denied everybody.
    let minute = &policy.curves[0];
    let below = minute
        .points
        .iter()
        .find(|point| point.limit == "4/min")
        .unwrap();
    assert_eq!(below.keys_denied, 1_000);
}

#[test]
fn what_comes_twice_an_hour_needs_two_an_hour() {
    // For longer than three hours, below which nothing is said of hours.
    let log = (0..2_000_u32).flat_map(|client| {
        let start = u64::from(client) * 6_000_000;
        [0, 40 * 60_000_000].map(|later| request(client, start + later, "POST", "/auth/login"))
    });
    let found = suggested(sorted(log.collect()), &all());
    let policy = only(&found);
    assert_eq!(policy.limits, ["1/min", "2/h"]);
    assert_eq!(policy.denied.clients, 0);
    assert_eq!(warned(&found), []);
}

#[test]
fn what_comes_evenly_needs_no_burst() {
    let log = (0..100_u32).flat_map(|client| {
        let start = u64::from(client);
        (0..300).map(move |n| request(client, start + n * 2_000_000, "GET", "/places"))
    });
    let options = all().deny_at_most("1%".parse().unwrap());
    let found = suggested(sorted(log.collect()), &options);
    assert_eq!(only(&found).limits, ["30/min burst 1"]);
}

#[test]
fn a_burst_is_no_more_than_a_minutes_units() {
    // Ten at once, once: one unit a minute would do with a burst of ten.
    let log = bursts(1_000, 10).into_iter().take(10_000).collect();
    assert_eq!(only(&suggested(log, &all())).limits, ["10/min"]);
}

#[test]
fn what_is_seldom_in_an_hour_is_limited_by_the_hour_too() {
    let mut log: Vec<Request> = bursts(1_000, 8).into_iter().take(8_000).collect();
    // Nothing is known of hours until three of them are covered.
    for half_hours in [3, 6, 9] {
        log.push(request(0, half_hours * 1_800_000_000, "GET", "/places"));
    }
    let found = suggested(log, &all());
    assert_eq!(only(&found).limits, ["8/min", "8/h"]);
    assert_eq!(warned(&found), []);
}

#[test]
fn one_request_days_later_does_not_make_a_log_long() {
    let mut log: Vec<Request> = bursts(1_000, 8).into_iter().take(8_000).collect();
    log.push(request(0, 4 * 86_400_000_000, "GET", "/places"));
    let found = suggested(log, &all());
    assert_eq!(only(&found).limits, ["8/min"]);
    assert_eq!(warned(&found), [WarningKind::ShortLog]);
}

#[test]
fn numbers_are_those_that_people_write() {
    let found = suggested(bursts(1_000, 7), &all());
    assert_eq!(only(&found).limits, ["8/min"]);
    let found = suggested(bursts(1_000, 13), &all());
    assert_eq!(only(&found).limits, ["15/min"]);
}

#[test]
fn an_attacker_does_not_set_the_limit() {
    let mut log = bursts(1_000, 5);
    log.extend((0..60_000).map(|n| request(5_000, n * 10_000, "GET", "/places")));
    let found = suggested(sorted(log), &all());
    let policy = only(&found);
    assert_eq!(policy.limits, ["5/min"]);
    assert_eq!(policy.denied.clients, 1);
    assert!(policy.denied.requests > 59_000, "{:?}", policy.denied);
    assert!(policy.peaks[2].highest >= 6_000);
    assert_eq!(warned(&found), [WarningKind::ShortLog]);
}

#[test]
fn a_share_of_few_clients_is_no_evidence() {
    let mut log = bursts(100, 5);
    log.extend((0..60_000).map(|n| request(5_000, n * 10_000, "GET", "/places")));
    let log = sorted(log);
    let found = suggested(log.clone(), &all());
    // The busiest one, whoever that is, and it is said.
    assert_eq!(only(&found).denied.clients, 0);
    assert_eq!(
        warned(&found),
        [
            WarningKind::OneClient,
            WarningKind::ShortLog,
            WarningKind::FewClients,
            WarningKind::OneClient
        ]
    );
    assert!(found.warnings[2].message.contains("It takes 1,000 to tell"));
    let found = suggested(log, &all().deny_at_most("1%".parse().unwrap()));
    assert_eq!(only(&found).limits, ["5/min"]);
    assert_eq!(
        warned(&found),
        [WarningKind::OneClient, WarningKind::ShortLog]
    );
}

#[test]
fn a_proxy_that_is_nobody_is_named() {
    let mut log = bursts(10, 5);
    for request in &mut log {
        request.client = Ok(ClientAddress::new([127, 0, 0, 1].into()));
    }
    let found = suggested(log, &all());
    assert_eq!(found.warnings[0].kind, WarningKind::OneClient);
    assert!(
        found.warnings[0]
            .message
            .contains("say --trusted-proxy 127.0.0.1")
    );
}

#[test]
fn groups_are_found_with_writes_apart() {
    let found = suggested(shop(1, 1_000), &Options::new());
    let names: Vec<&str> = found
        .policies
        .iter()
        .map(|policy| policy.group.name.as_str())
        .collect();
    assert_eq!(names, ["boards-read", "boards-write", "auth"]);
    assert_eq!(found.policies[2].group.path.as_deref(), Some("/auth/**"));
    assert_eq!(found.policies[2].limits, ["1/min", "1/h"]);
    let sum: u64 = found.policies.iter().map(|policy| policy.requests).sum();
    assert_eq!(sum, found.requests);
}

#[test]
fn of_more_clients_than_there_is_room_for_a_part_is_looked_at() {
    let found = suggested(bursts(2_500, 5), &all().max_clients(500));
    let policy = only(&found);
    assert_eq!(policy.limits, ["5/min"]);
    assert!(policy.sampled < 0.3 && policy.clients <= 500, "{policy:?}");
    assert_eq!(policy.requests, 125_000);
    assert!(warned(&found).contains(&WarningKind::TooManyKeys));
}

#[test]
fn requests_without_the_key_are_said_and_let_through() {
    let mut log = bursts(1_000, 5);
    for request in log.iter_mut().step_by(2) {
        let user = format!("u{:?}", request.client);
        request.attributes.push(("user".parse().unwrap(), user));
    }
    let found = suggested(log.clone(), &all().key("user"));
    assert_eq!(only(&found).without_key, 25_000);
    let file = found.toml();
    assert!(file.contains("missing_key = \"skip\""), "{file}");
    let found = suggested(log.clone(), &all().key("user or client.ip"));
    assert_eq!(only(&found).without_key, 0);
    let found = suggested(log, &all().key("header.x-tenant"));
    assert_eq!(only(&found).limits, [""; 0]);
    assert_eq!(
        warned(&found),
        [WarningKind::ShortLog, WarningKind::MatchesNothing]
    );
}

#[test]
fn what_no_policy_can_say_is_an_error() {
    let mut log = bursts(10, 1);
    for options in [
        all().key("Client.IP"),
        Options::new().group("no/slash"),
        Options::new().group("/a/b**"),
    ] {
        assert!(suggest(&mut log, &options).is_err(), "{options:?}");
    }
    assert!(suggest(&mut Vec::new(), &all()).is_err());
}

#[test]
fn few_clients_are_told_once_with_a_remedy_that_helps() {
    let log: Vec<Request> = (0..400_u64)
        .map(|n| {
            let path = ["/a", "/b"][usize::from(n % 2 == 0)];
            request(1, n * 60_000_000, "GET", path)
        })
        .collect();
    let options = Options::new().group("/a").group("/b");
    let found = suggested(log, &options);
    let few = found
        .warnings
        .iter()
        .filter(|warning| warning.kind == WarningKind::FewClients);
    let few: Vec<&str> = few.map(|warning| warning.message.as_str()).collect();
    let [said] = few.as_slice() else {
        panic!("{few:?}")
    };
    assert!(said.contains("a (1), b (1)"), "{said}");
    assert!(said.ends_with("use a log that has more clients."), "{said}");
}

#[test]
fn a_number_that_is_one_of_two_is_told_by_itself_and_the_rest_is_told_of() {
    let found = suggested(shop(1, 600), &Options::new());
    let toml = found.toml();
    let several = found
        .policies
        .iter()
        .filter(|policy| policy.limits.len() > 1);
    assert!(several.count() > 0);
    assert!(toml.contains(" by itself would have denied"), "{toml}");
    let rest = found
        .policies
        .iter()
        .any(|policy| policy.group.name == "rest");
    assert_eq!(rest, toml.contains("every path that is not in the log"));
    assert_eq!(
        rest,
        found.text().contains("every path that is not in the log")
    );
}
