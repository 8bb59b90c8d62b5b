//! What is said of numbers is what the engine decides.

use std::collections::HashSet;

use tollgate_policy::file::PolicyFile;
use tollgate_policy::{Policy, PolicySet};

use super::traffic::shop;
use crate::Request;
use crate::deciding::Deciding;
use crate::suggest::{Options, Suggestions, suggest};

fn read(text: &str) -> PolicyFile {
    PolicyFile::parse("tollgate.toml", text, &|_: &str| None).unwrap()
}

/// Requests and clients that one policy by itself denies.
fn denied(log: &[Request], policy: Policy) -> (u64, u64) {
    let mut deciding = Deciding::new(PolicySet::new([policy]).unwrap(), 1_000_000);
    let mut clients = HashSet::new();
    let mut requests = 0;
    for request in log {
        let decision = deciding.decide(request);
        for policy in decision.policies().filter(|policy| !policy.is_allowed()) {
            requests += 1;
            clients.insert(policy.key().unwrap().to_owned());
        }
    }
    (requests, u64::try_from(clients.len()).unwrap())
}

fn suggested(log: &[Request], options: &Options) -> Suggestions {
    suggest(&mut log.to_vec(), options).unwrap()
}

#[test]
fn what_is_written_denies_what_is_said() {
    for (seed, share) in [(1, "0.1%"), (2, "1%"), (3, "5%"), (4, "0%")] {
        let log = shop(seed, 600);
        let options = Options::new().deny_at_most(share.parse().unwrap());
        let found = suggested(&log, &options);
        let file = read(&found.toml());
        assert!(file.warnings.is_empty(), "{}", file.warnings);
        let with_limits = found
            .policies
            .iter()
            .filter(|policy| !policy.limits.is_empty());
        let with_limits: Vec<_> = with_limits.collect();
        assert_eq!(with_limits.len(), file.policies.policies().len());
        for (said, policy) in with_limits.into_iter().zip(file.policies.policies()) {
            assert_eq!(said.group.name, policy.name());
            assert!(said.denied.clients <= said.may_be_denied, "{said:?}");
            let (requests, clients) = denied(&log, policy.clone());
            assert_eq!(
                (said.denied.requests, said.denied.clients),
                (requests, clients)
            );
        }
    }
}

#[test]
fn every_point_of_a_curve_is_what_the_engine_denies() {
    let log = shop(5, 300);
    let found = suggested(&log, &Options::new().deny_at_most("1%".parse().unwrap()));
    let mut denials = 0;
    for policy in found
        .policies
        .iter()
        .filter(|policy| !policy.limits.is_empty())
    {
        for point in policy.curves.iter().flat_map(|curve| &curve.points) {
            let limit = point.limit.parse().unwrap();
            let rung = policy
                .group
                .policy(&found.key)
                .limit(limit)
                .build()
                .unwrap();
            assert_eq!(
                (point.denied, point.keys_denied),
                denied(&log, rung),
                "{point:?}"
            );
            denials += point.denied;
        }
    }
    assert!(denials > 300, "{denials}");
}

#[test]
fn nothing_that_people_write_and_is_lower_would_have_been_enough() {
    let log = shop(6, 400);
    let found = suggested(
        &log,
        &Options::new()
            .group("/boards/**")
            .deny_at_most("1%".parse().unwrap()),
    );
    let policy = &found.policies[0];
    let limit: tollgate::Limit = policy.limits[0].parse().unwrap();
    assert!(limit.quota() <= limit.units());
    let group = &policy.group;
    for lower in crate::suggest::numbers::all().take_while(|number| *number < limit.units()) {
        let text = format!("{lower}/min").parse().unwrap();
        let lower = group.policy(&found.key).limit(text).build().unwrap();
        assert!(denied(&log, lower).1 > policy.may_be_denied);
    }
    for burst in crate::suggest::numbers::all().take_while(|number| *number < limit.quota()) {
        let text = format!("{}/min burst {burst}", limit.units())
            .parse()
            .unwrap();
        let smaller = group.policy(&found.key).limit(text).build().unwrap();
        assert!(denied(&log, smaller).1 > policy.may_be_denied);
    }
}

#[test]
fn more_clients_than_are_looked_at_give_the_same_numbers_about() {
    let log = shop(7, 1_600);
    let options = || {
        Options::new()
            .group("/boards/**")
            .deny_at_most("1%".parse().unwrap())
    };
    let all = suggested(&log, &options());
    let some = suggested(&log, &options().max_clients(1_000));
    let [all, some] = [&all.policies[0], &some.policies[0]];
    assert!((all.sampled, some.sampled) == (1.0, 0.5), "{some:?}");
    let units = |policy: &crate::suggest::Suggestion| {
        let limit: tollgate::Limit = policy.limits[0].parse().unwrap();
        limit.units()
    };
    assert!(units(some) * 2 >= units(all) && units(some) <= units(all) * 2);
    assert!(some.denied.clients <= some.may_be_denied);
}
