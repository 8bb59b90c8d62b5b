use std::collections::BTreeMap;

use super::*;
use crate::tally::{KeyHasher, Seen};

fn policy(limits: &[&str]) -> Policy {
    let limits: Vec<Limit> = limits.iter().map(|limit| limit.parse().unwrap()).collect();
    let policy = Policy::builder("p").key("client.ip").limits(limits);
    policy.build().unwrap()
}

fn event(hash: KeyHash, at: u64, refund_at: Option<u64>) -> Event {
    let seen = Seen {
        hash,
        at,
        cost: 1,
        denied: None,
    };
    Event {
        seen,
        refund_at,
        policy: 0,
        tier: 0,
    }
}

/// What a sample tells is exact of the keys that are in it.
#[test]
fn a_sample_is_a_part_of_the_keys_by_chance_with_all_of_their_requests() {
    for limits in [&["4/h fixed-window"][..], &["4/h", "9/d sliding-log"]] {
        let hasher = KeyHasher::random();
        let mut curve = Curve::new(&policy(limits)).unwrap();
        let mut asked: BTreeMap<u32, u64> = BTreeMap::new();
        for number in 0..20_000_u32 {
            let key = number.wrapping_mul(2_654_435_761) % 4_000;
            *asked.entry(key).or_default() += 1;
            curve.decide(&event(hasher.hash(&key.to_string()), 1_000_000, None));
            if number == 7_000 || number == 11_000 {
                let before = curve.bytes();
                curve.halve();
                assert!(
                    curve.bytes() < before * 2 / 3,
                    "{} of {before}",
                    curve.bytes()
                );
            }
        }
        let report = curve.report();
        assert_eq!(report.sampled, 0.25);
        let is_in = |key: &u32| hasher.hash(&key.to_string()).high.leading_zeros() >= 2;
        asked.retain(|key, _| is_in(key));
        assert!((700..1_300).contains(&asked.len()), "{}", asked.len());
        // All at the same instant: so many pass as the limit says, of each key.
        for point in &report.points {
            let limit: Limit = point.limit.parse().unwrap();
            let over = asked
                .values()
                .map(|count| count.saturating_sub(limit.units()));
            assert_eq!(point.denied, over.sum::<u64>(), "{}", point.limit);
            let keys = asked
                .values()
                .filter(|count| **count > limit.units())
                .count();
            assert_eq!(point.keys_denied, u64::try_from(keys).unwrap());
        }
    }
}

#[test]
fn gives_back_what_is_refunded_at_once_and_later() {
    let mut curve = Curve::new(&policy(&["1/h fixed-window"])).unwrap();
    let hash = KeyHasher::random().hash("a");
    let as_it_is = |curve: &Curve| curve.report().points[0].denied;
    curve.decide(&event(hash, 10, Some(10)));
    curve.decide(&event(hash, 20, Some(40)));
    assert_eq!(as_it_is(&curve), 0);
    curve.decide(&event(hash, 39, None));
    assert_eq!(as_it_is(&curve), 1);
    curve.decide(&event(hash, 40, None));
    assert_eq!(as_it_is(&curve), 1);
    curve.decide(&event(hash, 41, None));
    assert_eq!(as_it_is(&curve), 2);
}

#[test]
fn a_policy_without_limits_has_no_curve() {
    let policy = Policy::builder("p").shared().block();
    assert!(Curve::new(&policy.build().unwrap()).is_none());
}
