//! Files whose difference is known.

use tollgate::{Micros, Timestamp};
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{AttributeName, ClientAddress};

use super::{Change, ClientChange, DiffReport, Options, diff, diff_clients};
use crate::Request;

const FILE: &str = r#"
[[policy]]
name = "auth"
match = { path = "/auth/**" }
key = ["client.ip"]
limits = ["3/min fixed-window"]

[[policy]]
name = "api"
key = ["client.ip"]
limits = ["10/min"]
"#;

fn file(text: &str) -> PolicyFile {
    PolicyFile::parse("tollgate.toml", text, &|_: &str| None).unwrap()
}

fn request(second: u64, client: u8, path: &str, status: u16) -> Request {
    Request {
        at: Timestamp::EPOCH.saturating_add(Micros::from_secs(second)),
        duration: Some(Micros::SECOND),
        status: Some(status),
        client: Ok(ClientAddress::new([192, 0, 2, client].into())),
        attributes: vec![(AttributeName::Path, path.to_owned())],
    }
}

/// Three clients: one logs in each 10 s, one reads each 6 s, one each second.
fn log() -> Vec<Request> {
    let mut log = Vec::new();
    for second in 0..600 {
        if second % 10 == 0 {
            log.push(request(second, 1, "/auth/login", 401));
        }
        if second % 6 == 0 {
            log.push(request(second, 2, "/places", 200));
        }
        log.push(request(second, 3, "/places", 200));
    }
    log
}

fn found(old: &str, new: &str) -> DiffReport {
    diff(&mut log(), &file(old), &file(new), &Options::new()).unwrap()
}

#[test]
fn equal_files_change_nothing() {
    let found = found(FILE, &format!("# the same\n{FILE}"));
    assert!(found.is_empty());
    assert_eq!(found.most_changed, []);
    assert_eq!(found.clients.allowed, 1);
    assert_eq!((found.clients.denied, found.clients.newly_denied), (2, 0));
    assert!(
        found
            .policies
            .iter()
            .all(|policy| policy.change == Change::Same)
    );
    // Each third login within a minute and nearly all of the third client's.
    assert_eq!(found.policies[0].new.as_ref().unwrap().denied, 30);
    assert_eq!(found.requests.all(), 760);
}

#[test]
fn a_typo_is_seen() {
    let found = found(FILE, &FILE.replace("10/min", "10/h"));
    let [auth, api] = found.policies.as_slice() else {
        panic!()
    };
    assert_eq!((auth.change, api.change), (Change::Same, Change::Changed));
    assert_eq!(api.keys_newly_denied, 2);
    assert_eq!(found.clients.newly_denied, 1);
    assert_eq!(found.clients.denied, 2);
    // Ten at once, and one more after six minutes.
    let second = found
        .most_changed
        .iter()
        .find(|client| client.client == "192.0.2.2");
    let expected = ClientChange {
        client: "192.0.2.2".to_owned(),
        requests: 100,
        denied_before: 0,
        denied_now: 89,
        newly_denied: 89,
        newly_allowed: 0,
    };
    assert_eq!(second, Some(&expected));
    assert!(found.requests.exceed("1%".parse().unwrap()));
    assert!(!found.requests.exceed("1000".parse().unwrap()));
    assert!(found.clients.exceed("0".parse().unwrap()));
    assert!(!found.clients.exceed("1".parse().unwrap()));
}

#[test]
fn what_is_loosened_is_newly_allowed() {
    let found = found(FILE, &FILE.replace("3/min", "6/min"));
    assert_eq!(found.requests.newly_denied, 0);
    assert_eq!(found.requests.newly_allowed, 30);
    assert_eq!(found.clients.newly_allowed, 1);
    assert_eq!(found.policies[0].keys_newly_allowed, 1);
    assert!(!found.clients.exceed("0%".parse().unwrap()));
}

#[test]
fn policies_that_come_and_go_are_pairs_too() {
    let other = FILE.replace(
        "name = \"auth\"",
        "name = \"login\"\nmissing_key = \"skip\"",
    );
    let found = found(FILE, &other);
    let told: Vec<_> = found
        .policies
        .iter()
        .map(|policy| {
            (
                policy.name.as_str(),
                policy.change,
                policy.newly_denied,
                policy.newly_allowed,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("login", Change::Added, 30, 0),
            ("api", Change::Same, 0, 0),
            ("auth", Change::Removed, 0, 30)
        ]
    );
    // For the requests it makes no difference.
    assert_eq!(found.requests.newly_denied, 0);
    assert!(!found.is_empty());
}

#[test]
fn what_is_enforced_denies_and_what_is_in_shadow_does_not() {
    let shadow = FILE.replace("limits = [\"3/min", "mode = \"shadow\"\nlimits = [\"3/min");
    let found = found(&shadow, FILE);
    assert_eq!(found.requests.newly_denied, 30);
    let auth = &found.policies[0];
    assert_eq!(auth.change, Change::Changed);
    // Shadow says what it would do.
    assert_eq!(auth.newly_denied, 0);
    assert!(
        found
            .text()
            .contains("3/min fixed-window (shadow) -> 3/min fixed-window")
    );
}

#[test]
fn what_counts_failures_is_settled_when_it_was_answered() {
    let failures = FILE.replace(
        "3/min fixed-window\"]",
        "3/min fixed-window\"]\ncount = \"failures\"",
    );
    let mut log: Vec<Request> = (0..6).map(|n| request(n * 2, 1, "/auth/x", 200)).collect();
    let found = diff(&mut log, &file(FILE), &file(&failures), &Options::new()).unwrap();
    assert_eq!(found.requests.newly_allowed, 3);
    // Answers that come late do not help.
    for request in &mut log {
        request.duration = Some(Micros::MINUTE);
    }
    let found = diff(&mut log, &file(FILE), &file(&failures), &Options::new()).unwrap();
    assert_eq!(found.requests.newly_allowed, 0);
}

#[test]
fn of_more_clients_than_there_is_room_for_there_are_estimates() {
    let mut log: Vec<Request> = Vec::new();
    for client in 0..250 {
        log.extend((0..20).map(|_| request(1, client, "/places", 200)));
    }
    let options = Options::new().max_clients(100);
    let new = FILE.replace("10/min", "5/min");
    let found = diff(&mut log, &file(FILE), &file(&new), &options).unwrap();
    assert!(found.clients.sampled < 1.0);
    assert!(
        (150..350).contains(&found.clients.denied),
        "{:?}",
        found.clients
    );
    assert_eq!(found.requests.newly_denied, 1_250);
    let limit = found.most_changed.first().unwrap();
    assert_eq!((limit.denied_before, limit.denied_now), (10, 15));
}

#[test]
fn files_that_see_other_clients_are_compared_request_by_request() {
    let mut of_old: Vec<Request> = (0..3_000)
        .map(|n| request(n, u8::try_from(n % 200).unwrap(), "/places", 200))
        .collect();
    // The new file takes everybody for the proxy.
    let mut of_new = of_old.clone();
    for request in &mut of_new {
        request.client = Ok(ClientAddress::new([10, 0, 0, 1].into()));
    }
    let options = Options::new();
    let found = diff_clients(&mut of_old, &mut of_new, &file(FILE), &file(FILE), &options).unwrap();
    assert_eq!(found.requests.all(), 3_000);
    let at_most = 10 + 3_000 / 6 + 1;
    assert!(found.requests.allowed.abs_diff(at_most) <= 2, "{found:?}");
    assert_eq!(found.most_changed[0].client, "10.0.0.1");
}

#[test]
fn tells_it_in_words() {
    let text = found(FILE, &FILE.replace("10/min", "10/h")).text();
    for words in [
        "760 requests, from 1970-01-01T00:00:00Z to 1970-01-01T00:09:59Z",
        // What another policy denies is not spent here.
        "auth: the same\n  3/min fixed-window\n  denies 9 requests, 30 before\n  newly allowed: 21 requests",
        "api: changed\n  10/min -> 10/h\n",
        "; 2 keys never denied before",
        "192.0.2.2                    100             89              0          89",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}
