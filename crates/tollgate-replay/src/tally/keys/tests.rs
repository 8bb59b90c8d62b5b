use super::super::index::KeyHasher;
use super::*;

fn see(keys: &mut Keys, hasher: &KeyHasher, key: &str, denied: bool, room: bool) {
    let seen = Seen {
        hash: hasher.hash(key),
        at: 0,
        cost: 1,
        denied: denied.then_some(Some(Micros::SECOND)),
    };
    keys.see(&seen, key, || room);
}

#[test]
fn heavy_keys_are_found_among_many_more_than_are_followed() {
    let hasher = KeyHasher::random();
    let mut keys = Keys::new(Micros::MINUTE);
    for round in 0..100_000_u32 {
        let room = keys.records.len() < 1_000;
        see(&mut keys, &hasher, &format!("once {round}"), false, room);
        // They come late, when there is no room any more, and among the first three thousand of
        // each million there is nothing of them.
        if round > 3_000 && round % 10 == 0 {
            let heavy = format!("heavy {}", round / 10 % 20);
            see(&mut keys, &hasher, &heavy, round % 20 == 0, false);
        }
    }
    assert!(keys.are_estimated());
    assert_eq!(keys.records.len(), 1_000);
    let count = keys.count();
    assert!((95_000..105_000).contains(&count), "{count}");
    let worst: Vec<String> = keys
        .worst(100, str::to_owned)
        .iter()
        .map(|key| key.denial.text.to_string())
        .collect();
    assert_eq!(worst.len(), 10, "{worst:?}");
    assert!(
        worst.iter().all(|key| key.starts_with("heavy")),
        "{worst:?}"
    );
    assert_eq!(keys.count_denied(), 10);
    // Each came 485 times; what was counted before it was followed is an estimate.
    let most = keys.most_requests();
    assert!((480..600).contains(&most), "{most}");
}

#[test]
fn a_client_that_obeys_is_told_once_for_each_wait() {
    let hasher = KeyHasher::random();
    let mut keys = Keys::new(Micros::MINUTE);
    let mut deny = |second: u64, wait: Option<u64>| {
        let seen = Seen {
            hash: hasher.hash("a"),
            at: second * 1_000_000,
            cost: 1,
            denied: Some(wait.map(Micros::from_secs)),
        };
        keys.see(&seen, "a", || true);
    };
    for (second, wait) in [(0, 10), (4, 6), (9, 1), (10, 3), (12, 1)] {
        deny(second, Some(wait));
    }
    // Waiting would not help here.
    deny(20, None);
    deny(21, None);
    let obeying = keys.denials().obeying().report();
    assert_eq!((obeying.told, obeying.held_back), (4, 3));
    assert_eq!((obeying.waited, obeying.longest_wait), (13.0, 10.0));
    let worst = keys.worst(1, str::to_owned);
    assert_eq!(worst[0].denial.obeying.report(), obeying);
    assert_eq!(
        (worst[0].denial.first, worst[0].denial.last),
        (0, 21_000_000)
    );
}

#[test]
fn the_worst_are_those_denied_most() {
    let hasher = KeyHasher::random();
    let mut keys = Keys::new(Micros::MINUTE);
    for (key, denied, allowed) in [
        ("b", 2, 0),
        ("c", 3, 0),
        ("a", 2, 0),
        ("d", 2, 1),
        ("e", 0, 9),
    ] {
        for time in 0..denied + allowed {
            see(&mut keys, &hasher, key, time < denied, true);
        }
    }
    let worst: Vec<&str> = keys
        .worst(4, str::to_owned)
        .iter()
        .map(|key| &*key.denial.text)
        .collect();
    assert_eq!(worst, ["c", "d", "a", "b"]);
    assert_eq!(
        (keys.count(), keys.count_denied(), keys.most_requests()),
        (5, 4, 9)
    );
    assert_eq!(keys.worst(1, str::to_owned).len(), 1);
}
