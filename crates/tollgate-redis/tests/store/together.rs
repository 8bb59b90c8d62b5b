//! Requests that are decided together get the same from a server as from the oracle.

use std::sync::Arc;

use tollgate::{DenialCache, ManualClock, Micros, Store};
use tollgate_policy::{
    AttributeMap, Decision, Mode, Policy, PolicyBuilder, PolicyLimiter, PolicySet, Question,
};
use tollgate_testkit::given::limit;
use tollgate_testkit::{RedisServer, ReferenceStore};

use crate::given::on_manual_clock;

fn by_user(name: &str, limits: &[&str]) -> PolicyBuilder {
    let limits = limits.iter().map(|text| limit(text));
    Policy::builder(name).key("user").limits(limits)
}

fn set(policies: impl IntoIterator<Item = PolicyBuilder>) -> PolicySet {
    PolicySet::new(policies.into_iter().map(|policy| policy.build().unwrap())).unwrap()
}

fn in_force() -> PolicySet {
    set([
        by_user("bucket", &["6/min"]),
        by_user("windows", &["4/10s fixed-window", "9/min sliding-window"]).path("/w"),
        by_user("log", &["7/min sliding-log"]).path("/w"),
        by_user("trial", &["3/min sliding-log"]).mode(Mode::Shadow),
        by_user("another", &["5/10s fixed-window", "5/min"]).mode(Mode::Shadow),
        Policy::builder("shut").path("/shut").block(),
        Policy::builder("plan")
            .path("/plan")
            .key("user.plan")
            .limit(limit("9/s")),
    ])
}

fn request(rng: &mut fastrand::Rng) -> AttributeMap {
    let path = ["/w", "/w", "/w", "/", "/", "/plan", "/shut"][rng.usize(..7)];
    AttributeMap::new()
        .with("path".parse().unwrap(), path)
        .with("user".parse().unwrap(), ["ann", "bob"][rng.usize(..2)])
}

/// All that decisions say.
fn told<'d>(decisions: impl IntoIterator<Item = &'d Arc<Decision>>) -> Vec<String> {
    let told = |decision: &Arc<Decision>| {
        let policies = decision.policies().map(|policy| {
            let outcomes: Vec<_> = policy.limits().map(|(_, outcome)| *outcome).collect();
            (policy.policy().name().to_owned(), policy.reason(), outcomes)
        });
        let policies: Vec<_> = policies.collect();
        let (reason, looked) = (decision.reason(), decision.only_looked());
        format!("{reason} {looked} {policies:?}")
    };
    decisions.into_iter().map(told).collect()
}

async fn compare<S: Store>(store: S, clock: &ManualClock, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let ours = PolicyLimiter::new(in_force(), store);
    let oracle = PolicyLimiter::new(in_force(), ReferenceStore::new(clock.clone()));
    let own = Arc::new(set([
        by_user("own", &["3/10s sliding-window"]),
        by_user("bucket", &["6/min"]),
    ]));
    let mut allowed = [0, 0];
    for step in 0..150 {
        let place = format!("seed {seed}, step {step}");
        clock.advance(Micros::from_millis(rng.u64(..4_000)));
        let requests: Vec<_> = (0..rng.usize(1..5)).map(|_| request(&mut rng)).collect();
        let questions: Vec<_> = requests
            .iter()
            .map(|request| {
                let question = Question::new(request).cost(rng.u64(..3));
                if rng.u8(..5) == 0 {
                    question.decided_by(&own)
                } else {
                    question
                }
            })
            .collect();
        let first = questions[0];
        match rng.u8(..12) {
            0 => {
                let forgotten = ours.reset(&requests[0]).await.unwrap();
                let right = oracle.reset(&requests[0]).await.unwrap();
                assert_eq!(forgotten, right, "{place}");
            }
            1..=2 => {
                let back = Arc::new(ours.give_back(&first).await.unwrap());
                let right = Arc::new(oracle.give_back(&first).await.unwrap());
                assert_eq!(told([&back]), told([&right]), "{place}");
            }
            3 => {
                let looked = Arc::new(ours.peek(&first).await);
                let right = Arc::new(oracle.peek(&first).await);
                assert_eq!(told([&looked]), told([&right]), "{place}");
            }
            _ => {
                let decided = ours.decide_together(&questions).await;
                let right = oracle.decide_together(&questions).await;
                assert_eq!(told(&decided), told(&right), "{place}");
                allowed[usize::from(decided.are_allowed())] += 1;
            }
        }
    }
    assert!(allowed.iter().all(|count| *count > 10), "{allowed:?}");
}

#[tokio::test]
async fn decides_questions_together_like_the_oracle() {
    let server = RedisServer::start();
    for seed in 0..4 {
        let (store, clock, _prefix) = on_manual_clock(&server);
        compare(store, &clock, seed).await;
    }
}

#[tokio::test]
async fn decides_them_behind_a_denial_cache_like_the_oracle() {
    let server = RedisServer::start();
    for seed in 4..8 {
        let (store, clock, _prefix) = on_manual_clock(&server);
        let cache = DenialCache::builder(store)
            .clock_of_store(clock.clone())
            .build();
        compare(cache, &clock, seed).await;
    }
}
