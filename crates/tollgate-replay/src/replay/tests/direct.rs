//! The replay decides what the limiter decides.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::*;
use tollgate_policy::Reason;

/// What each policy did, counted in the simplest way.
#[derive(Debug, Default, PartialEq)]
struct Naive {
    matched: u64,
    denied: u64,
    decided: u64,
    blocked: u64,
    missing: u64,
    unlimited: u64,
    told: u64,
    held_back: u64,
    by_limit: BTreeMap<String, u64>,
    by_key: BTreeMap<String, (u64, u64)>,
    until: BTreeMap<String, u64>,
}

/// Feeds requests to a limiter, and settles each when it was answered.
fn naive(policies: PolicySet, made: &[Made]) -> (u64, u64, Vec<Naive>) {
    let clock = ManualClock::new(Timestamp::EPOCH);
    let mut counts: Vec<Naive> = policies
        .policies()
        .iter()
        .map(|_| Naive::default())
        .collect();
    let limiter = PolicyLimiter::new(policies, MemoryStore::with_clock(clock.clone()));
    let mut decisions = Vec::new();
    let mut answers: BinaryHeap<Reverse<(u64, usize, u16)>> = BinaryHeap::new();
    let (mut denied, mut in_shadow) = (0, 0);
    for (number, made) in made.iter().enumerate() {
        while answers
            .peek()
            .is_some_and(|Reverse((at, ..))| *at <= made.micros)
        {
            let Reverse((at, number, status)) = answers.pop().unwrap();
            clock.set(Timestamp::from_micros(at));
            limiter.settle_now(&decisions[number], status);
        }
        clock.set(Timestamp::from_micros(made.micros));
        let decision = limiter.decide_now(&made.request());
        denied += u64::from(!decision.is_allowed());
        let mut shadowed = false;
        for policy in decision.policies() {
            let count = &mut counts[policy.position()];
            count.matched += 1;
            let denies = !policy.is_allowed();
            count.denied += u64::from(denies);
            count.decided += u64::from(!decision.is_allowed() && policy.decides());
            count.blocked += u64::from(policy.reason() == Reason::Blocked);
            count.missing += u64::from(policy.missing_key().is_some());
            count.unlimited += u64::from(matches!(
                policy.reason(),
                Reason::Unlimited | Reason::MissingKeySkipped
            ));
            shadowed |= denies && policy.mode() == tollgate_policy::Mode::Shadow;
            if let Some(key) = policy.key() {
                let (asked, refused) = count.by_key.entry(key.to_owned()).or_default();
                *asked += 1;
                *refused += u64::from(denies);
                if denies {
                    let (limit, outcome) = policy.deciding().unwrap();
                    *count.by_limit.entry(limit.to_string()).or_default() += 1;
                    let until = count.until.entry(key.to_owned()).or_default();
                    if made.micros < *until {
                        count.held_back += 1;
                    } else {
                        count.told += 1;
                        let wait = outcome.retry_after.map_or(0, Micros::as_micros);
                        *until = made.micros + wait;
                    }
                }
            }
        }
        in_shadow += u64::from(decision.is_allowed() && shadowed);
        let answered = made.micros + 1_000 * made.millis_taken;
        decisions.push(decision);
        answers.push(Reverse((answered, number, made.status)));
    }
    (denied, in_shadow, counts)
}

#[test]
fn agrees_with_requests_fed_to_the_limiter_one_by_one() {
    let made = made(6_000, 14, 1);
    let report = run(policies(POLICIES), vec![log(&made)]);
    let (denied, in_shadow, counts) = naive(policies(POLICIES), &made);
    let totals = report.totals;
    assert_eq!(
        (totals.requests, totals.denied, totals.denied_in_shadow),
        (6_000, denied, in_shadow)
    );
    assert_eq!(totals.allowed + totals.denied, totals.requests);
    assert!(denied > 500 && in_shadow > 100, "{totals:?}");
    for (policy, count) in report.policies.iter().zip(&counts) {
        let name = &policy.name;
        assert_eq!(
            (policy.matched, policy.denied),
            (count.matched, count.denied),
            "{name}"
        );
        assert_eq!(
            (policy.allowed, policy.decided),
            (count.matched - count.denied, count.decided),
            "{name}"
        );
        assert_eq!(
            (policy.blocked, policy.unlimited),
            (count.blocked, count.unlimited),
            "{name}"
        );
        assert_eq!(policy.missing_key, count.missing, "{name}");
        assert_eq!(
            policy.keys,
            u64::try_from(count.by_key.len()).unwrap(),
            "{name}"
        );
        let denied_keys = count
            .by_key
            .values()
            .filter(|(_, denied)| *denied > 0)
            .count();
        assert_eq!(
            policy.keys_denied,
            u64::try_from(denied_keys).unwrap(),
            "{name}"
        );
        for limit in &policy.limits {
            let expected = count.by_limit.get(&limit.limit).copied().unwrap_or(0);
            assert_eq!(limit.denied, expected, "{name} {}", limit.limit);
        }
        assert_eq!(
            (policy.obeying.told, policy.obeying.held_back),
            (count.told, count.held_back),
            "{name}"
        );
        let mut worst: Vec<(u64, u64)> = count
            .by_key
            .values()
            .map(|(asked, denied)| (*denied, *asked))
            .collect();
        worst.retain(|(denied, _)| *denied > 0);
        worst.sort_unstable_by(|one, other| other.cmp(one));
        worst.truncate(10);
        let shown: Vec<(u64, u64)> = policy
            .worst
            .iter()
            .map(|key| (key.denied, key.requests))
            .collect();
        assert_eq!(shown, worst, "{name}");
        assert_eq!(
            policy.denied_over_time.iter().sum::<u64>(),
            policy.denied,
            "{name}"
        );
        if !["off", "costly", "users", "shadow"].contains(&name.as_str()) {
            assert!(
                policy.denied > 10,
                "{name} denies next to nothing: {}",
                policy.denied
            );
        }
    }
    assert_eq!(report.timeline.offered.iter().sum::<u64>(), totals.requests);
    assert_eq!(report.timeline.admitted.iter().sum::<u64>(), totals.allowed);
}

#[test]
fn requests_in_memory_give_the_same_report_but_for_what_is_told_of_the_log() {
    let made = made(2_000, 20, 2);
    let from_log = run(policies(POLICIES), vec![log(&made)]);
    let mut requests: Vec<Request> = made.iter().map(Made::request).collect();
    let replay = Replay::new(policies(POLICIES));
    let direct = replay.run_over(&mut requests, &Progress::new()).unwrap();
    assert_eq!(direct.totals, from_log.totals);
    let policies = |report: &Report| serde_json::to_string(&report.policies).unwrap();
    // What hangs on the resolution is known of the log only.
    let forget = |mut report: Report| {
        report
            .policies
            .iter_mut()
            .for_each(|policy| policy.within_resolution = 0);
        report
    };
    assert_eq!(policies(&forget(direct)), policies(&forget(from_log)));
}

/// The policy as it is must deny what the policy by itself denied.
#[test]
fn the_curve_goes_through_what_each_policy_by_itself_denies() {
    let made = made(4_000, 12, 3);
    let set = policies(POLICIES);
    for alone in set.policies() {
        let report = run(PolicySet::new([alone.clone()]).unwrap(), vec![log(&made)]);
        let policy = &report.policies[0];
        let Some(curve) = &policy.curve else {
            assert!(["off", "admin"].contains(&alone.name()), "{}", alone.name());
            continue;
        };
        assert_eq!(curve.sampled, 1.0);
        let as_it_is = curve
            .points
            .iter()
            .find(|point| point.factor == 1.0)
            .unwrap();
        assert_eq!(
            (as_it_is.denied, as_it_is.keys_denied),
            (policy.denied, policy.keys_denied),
            "{}",
            policy.name
        );
        assert_eq!(as_it_is.limit, policy.limits[0].limit);
        let denied: Vec<u64> = curve.points.iter().map(|point| point.denied).collect();
        assert!(denied.first() > denied.last(), "{} {denied:?}", policy.name);
    }
}

/// Each point of a curve is what the policy with those numbers denies.
#[test]
fn a_point_of_the_curve_is_what_a_policy_with_its_numbers_denies() {
    let made = made(3_000, 8, 4);
    for algorithm in ["", " fixed-window", " sliding-window", " sliding-log"] {
        let report = run(
            one(&format!("\"12/min{algorithm}\", \"40/5min\"")),
            vec![log(&made)],
        );
        let points = &report.policies[0].curve.as_ref().unwrap().points;
        assert_eq!(points.len(), 8);
        for (point, (short, long)) in points.iter().zip([
            (3, 10),
            (6, 20),
            (9, 30),
            (12, 40),
            (18, 60),
            (24, 80),
            (48, 160),
            (96, 320),
        ]) {
            let other = run(
                one(&format!("\"{short}/min{algorithm}\", \"{long}/5min\"")),
                vec![log(&made)],
            );
            let denied = &other.policies[0];
            assert_eq!(
                (point.denied, point.keys_denied),
                (denied.denied, denied.keys_denied),
                "{}",
                point.limit
            );
            assert_eq!(point.denied_share, denied.denied_share);
        }
    }
}
