//! What is stored, and for how long.

use redis::aio::MultiplexedConnection;
use tollgate::{Charge, Limit, Store, Verdict};
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::{EACH_ALGORITHM, limit};

use crate::given::{command, connection, keys, lifetimes, on_manual_clock, on_server_clock};

fn each_algorithm(text: &str) -> Vec<Limit> {
    EACH_ALGORITHM
        .iter()
        .map(|algorithm| limit(&format!("{text}{algorithm}")))
        .collect()
}

fn charge<'a>(limit: &'a Limit, key: &'a str, cost: u64) -> Charge<'a> {
    Charge::new(limit, key, cost).of_policy("keys")
}

// B73, B89, B93
#[tokio::test]
async fn every_key_lives_at_most_twice_the_period_or_refill() {
    let server = RedisServer::start();
    for (period, longest_millis) in [
        ("500ms", 1_000),
        ("10s", 20_000),
        ("366d", 2 * 366 * 86_400_000),
    ] {
        let (store, prefix) = on_server_clock(&server);
        let limits = each_algorithm(&format!("10/{period}"));
        let charges: Vec<_> = limits.iter().map(|limit| charge(limit, "k", 5)).collect();
        let admitted = store.decide(&charges).await.unwrap();
        assert!(admitted.is_allowed());
        store.decide(&charges).await.unwrap();
        store.refund(&charges, &admitted).await.unwrap();
        for (key, lifetime) in lifetimes(&server, &prefix).await {
            assert!(
                lifetime > 0 && lifetime <= longest_millis,
                "{key} lives for {lifetime} ms"
            );
        }
    }
    // A bucket that takes longer than its period to fill again.
    let (store, prefix) = on_server_clock(&server);
    let bucket = limit("1/min burst 100");
    store.decide(&[charge(&bucket, "k", 100)]).await.unwrap();
    for (key, lifetime) in lifetimes(&server, &prefix).await {
        let refill = 100 * 60_000;
        assert!(
            lifetime > refill - 5_000 && lifetime <= refill + 1_000,
            "{key} lives for {lifetime} ms"
        );
    }
}

async fn persist(connection: &mut MultiplexedConnection, keys: &[String]) {
    for key in keys {
        command(connection, &["PERSIST", key]).await;
    }
}

// B73, B93
#[tokio::test]
async fn a_key_without_a_lifetime_gets_one_by_the_next_decision() {
    let server = RedisServer::start();
    let mut connection = connection(&server).await;
    // Admitted, denied for its own sake, and denied for that of another limit; alone and together.
    for (cost, and_another) in [(1, 0), (10, 0), (1, 11)] {
        for together in [false, true] {
            let (store, prefix) = on_server_clock(&server);
            let limits = each_algorithm("10/366d");
            let other = limit("10/h");
            let with = |cost| {
                let charges = limits.iter().map(move |limit| charge(limit, "k", cost));
                charges.collect::<Vec<_>>()
            };
            store.decide(&with(1)).await.unwrap();
            let stored = keys(&server, &prefix).await;
            assert_eq!(stored.len(), limits.len());
            persist(&mut connection, &stored).await;
            store.peek(&with(cost)).await.unwrap();
            for (key, lifetime) in lifetimes(&server, &prefix).await {
                assert_eq!(lifetime, -1, "{key} was touched by a look");
            }
            let decisions = if together {
                vec![with(cost)]
            } else {
                with(cost).into_iter().map(|charge| vec![charge]).collect()
            };
            for mut charges in decisions {
                if and_another > 0 {
                    charges.push(charge(&other, "another", and_another));
                }
                let outcomes = store.decide(&charges).await.unwrap();
                let is_admitted = cost == 1 && and_another == 0;
                assert_eq!(outcomes.is_allowed(), is_admitted);
                let left = if is_admitted { 8 } else { 9 };
                let first = outcomes.iter().next().unwrap();
                assert_eq!(first.remaining, left, "what was counted still counts");
            }
            let healed = lifetimes(&server, &prefix).await;
            assert_eq!(healed.len(), limits.len());
            for (key, lifetime) in healed {
                assert!(lifetime > 0, "{key} lives for ever after {cost}");
            }
        }
    }
}

// B107
#[tokio::test]
async fn what_is_not_ours_at_a_key_does_not_stay_for_ever() {
    let server = RedisServer::start();
    let mut connection = connection(&server).await;
    let (store, prefix) = on_server_clock(&server);
    let limits = each_algorithm("2/366d");
    let denied: Vec<_> = limits.iter().map(|limit| charge(limit, "k", 3)).collect();
    let charges: Vec<_> = limits.iter().map(|limit| charge(limit, "k", 1)).collect();
    store.decide(&charges).await.unwrap();
    for key in keys(&server, &prefix).await {
        command(&mut connection, &["DEL", &key]).await;
        command(&mut connection, &["HSET", &key, "a", "1"]).await;
    }
    assert!(!store.decide(&denied).await.unwrap().is_allowed());
    for (key, lifetime) in lifetimes(&server, &prefix).await {
        assert!(lifetime > 0, "{key} lives for ever");
    }
}

// B107
#[tokio::test]
async fn what_is_not_ours_at_a_key_counts_as_none() {
    let server = RedisServer::start();
    let mut connection = connection(&server).await;
    let limits = each_algorithm("2/366d");
    let foreign: [&[&str]; 12] = [
        &["SET", "KEY", "not a state"],
        &["SET", "KEY", ""],
        &["SET", "KEY", "99999999999999999999 99999999999999999999 1"],
        &["SET", "KEY", "5 5 0"],
        // As long as a state, but no numbers.
        &["SET", "KEY", "twenty-one characters"],
        &["SET", "KEY", "14 characters!"],
        &["HSET", "KEY", "a", "1"],
        &["SADD", "KEY", "a"],
        &["ZADD", "KEY", "1", "a"],
        &["RPUSH", "KEY", "a", "b"],
        &["RPUSH", "KEY", "7"],
        &["RPUSH", "KEY", "seven b", "ytes, a"],
    ];
    for words in foreign {
        let (store, prefix) = on_server_clock(&server);
        let charges: Vec<_> = limits.iter().map(|limit| charge(limit, "k", 1)).collect();
        store.decide(&charges).await.unwrap();
        for key in keys(&server, &prefix).await {
            command(&mut connection, &["DEL", &key]).await;
            let words: Vec<_> = words
                .iter()
                .map(|word| if *word == "KEY" { &key } else { *word })
                .collect();
            command(&mut connection, &words).await;
        }
        let peeked = store.peek(&charges).await.unwrap();
        let first = store.decide(&charges).await.unwrap();
        let second = store.decide(&charges).await.unwrap();
        let third = store.decide(&charges).await.unwrap();
        for (index, limit) in limits.iter().enumerate() {
            let remaining = [&peeked, &first, &second, &third]
                .map(|outcomes| outcomes.as_slice()[index].remaining);
            assert_eq!(remaining, [2, 1, 0, 0], "{limit} after {words:?}");
        }
        assert!(!third.is_allowed());
        for (key, lifetime) in lifetimes(&server, &prefix).await {
            assert!(lifetime > 0, "{key} lives forever");
        }
    }
}

/// How often something was written.
async fn writes(connection: &mut MultiplexedConnection) -> u64 {
    let info: String = redis::cmd("INFO")
        .arg("persistence")
        .query_async(connection)
        .await
        .unwrap();
    let changes = info
        .lines()
        .find_map(|line| line.strip_prefix("rdb_changes_since_last_save:"));
    changes.unwrap().trim().parse().unwrap()
}

#[tokio::test]
async fn a_denial_and_a_look_write_nothing() {
    let server = RedisServer::start();
    let (store, clock, _prefix) = on_manual_clock(&server);
    let mut connection = connection(&server).await;
    let limits = each_algorithm("3/min");
    for limit in &limits {
        store.decide(&[charge(limit, "k", 2)]).await.unwrap();
    }
    let before = writes(&mut connection).await;
    assert!(before > 0);
    clock.advance(tollgate::Micros::SECOND);
    for limit in &limits {
        let denied = store.decide(&[charge(limit, "k", 3)]).await.unwrap();
        assert_eq!(denied.deciding().unwrap().verdict, Verdict::Deny);
        let never = store.decide(&[charge(limit, "k", 4)]).await.unwrap();
        assert_eq!(never.deciding().unwrap().verdict, Verdict::Never);
        store.decide(&[charge(limit, "k", 0)]).await.unwrap();
        store
            .peek(&[charge(limit, "k", 1), charge(limit, "new", 1)])
            .await
            .unwrap();
    }
    let together: Vec<_> = limits.iter().map(|limit| charge(limit, "k", 3)).collect();
    assert!(!store.decide(&together).await.unwrap().is_allowed());
    assert_eq!(writes(&mut connection).await, before);
}

// B83
#[tokio::test]
async fn a_reset_finds_keys_of_any_characters() {
    let server = RedisServer::start();
    let (store, prefix) = on_server_clock(&server);
    let odd = [
        "",
        "a:b",
        "{a}",
        "}",
        "{",
        "%7B",
        "a b\r\n",
        "\0",
        "*",
        "ключ",
        "2001:db8::1",
    ];
    let limits = each_algorithm("10/366d");
    for limit in &limits {
        for policy in odd {
            for key in odd {
                let charge = Charge::new(limit, key, 10).of_policy(policy);
                assert!(
                    store.decide(&[charge]).await.unwrap().is_allowed(),
                    "{policy:?} {key:?}"
                );
            }
        }
    }
    assert_eq!(
        keys(&server, &prefix).await.len(),
        limits.len() * odd.len() * odd.len()
    );
    for limit in &limits {
        for policy in odd {
            for key in odd {
                assert!(
                    store.reset(limit, policy, key).await.unwrap(),
                    "{policy:?} {key:?}"
                );
                assert!(
                    !store.reset(limit, policy, key).await.unwrap(),
                    "{policy:?} {key:?}"
                );
            }
        }
    }
    assert_eq!(keys(&server, &prefix).await, Vec::<String>::new());
}

/// A refund of all that a key has used leaves nothing behind.
#[tokio::test]
async fn a_key_as_if_never_used_is_not_stored() {
    let server = RedisServer::start();
    let (store, _clock, prefix) = on_manual_clock(&server);
    for limit in each_algorithm("10/366d") {
        let charges = [charge(&limit, "k", 4)];
        let admitted = store.decide(&charges).await.unwrap();
        assert_eq!(keys(&server, &prefix).await.len(), 1, "{limit}");
        store.refund(&charges, &admitted).await.unwrap();
        assert_eq!(
            keys(&server, &prefix).await,
            Vec::<String>::new(),
            "{limit}"
        );
    }
}
