//! Units that turn out not to be needed.

use std::sync::atomic::Ordering::SeqCst;

use tollgate::DenialCache;

use super::local::away;
use super::*;
use crate::{Cost, Mode, OnStoreFailure};

fn give_back<S: Store>(limiter: &PolicyLimiter<S>, cost: u64) -> Decision {
    let request = get("/");
    ready(limiter.give_back(&Question::new(&request).cost(cost))).unwrap()
}

#[test]
fn each_limit_counts_so_many_units_less_and_none_at_least() {
    for algorithm in tollgate_testkit::given::EACH_ALGORITHM {
        let text = format!("10/min{algorithm}");
        let (limiter, clock) = limiter([
            by_client("api", &text),
            by_client("double", &text).cost(Cost::Fixed(2)),
            by_client("trial", &text).mode(Mode::Shadow),
        ]);
        for _ in 0..4 {
            limiter.decide_now(&get("/"));
            clock.advance(Micros::new(1));
        }
        let decision = give_back(&limiter, 3);
        assert!(decision.is_allowed(), "{text}");
        assert_eq!(remaining(&decision, "api"), [9], "{text}");
        assert_eq!(remaining(&decision, "double"), [8], "{text}");
        assert_eq!(remaining(&decision, "trial"), [9], "{text}");
        let decision = give_back(&limiter, u64::MAX);
        assert_eq!(remaining(&decision, "api"), [10], "{text}");
        assert_eq!(remaining(&decision, "trial"), [10], "{text}");
        let decision = limiter.decide_now(&get("/"));
        assert_eq!(remaining(&decision, "api"), [9], "{text}");
    }
}

#[test]
fn giving_back_is_never_denied() {
    let (limiter, _) = limiter([
        by_client("api", "1/min fixed-window"),
        Policy::builder("shut").block(),
        Policy::builder("by-user").key("user").limit(limit("1/s")),
    ]);
    let open = limiter.with_policies(set([by_client("api", "1/min fixed-window")]));
    open.decide_now(&get("/"));
    assert!(!open.decide_now(&get("/")).is_allowed());
    let decision = give_back(&limiter, 1);
    assert_eq!(decision.reason(), Reason::Allowed);
    assert_eq!(remaining(&decision, "api"), [1]);
    assert!(!decision.needs_settling());
    assert!(open.decide_now(&get("/")).is_allowed());
    assert_eq!(remaining(&give_back(&open, 0), "api"), [0], "nothing");
}

#[test]
fn a_cached_denial_ends_when_something_is_given_back() {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_057_600));
    let store = MemoryStore::with_clock(clock.clone());
    let cache = DenialCache::builder(store).clock_of_store(clock).build();
    let limiter = PolicyLimiter::new(set([by_client("api", "1/min fixed-window")]), cache);
    let decide = || ready(limiter.decide(&get("/"))).is_allowed();
    assert!(decide() && !decide());
    assert_eq!(limiter.store().entries(), 1, "the denial is remembered");
    give_back(&limiter, 1);
    assert!(decide());
}

#[test]
fn a_store_that_fails_gives_back_nothing() {
    let closed = by_client("api", "1/min").on_store_failure(OnStoreFailure::Deny);
    let (limiter, _) = away([closed]);
    let request = get("/");
    let question = Question::new(&request);
    assert!(ready(limiter.give_back(&question)).is_err());
    limiter.store().is_away.store(false, SeqCst);
    assert!(ready(limiter.give_back(&question)).is_ok());
}
