//! What a call of several questions gets.

use std::sync::atomic::Ordering;

use super::at_once::Slow;
use super::*;
use crate::{Count, Decisions, Mode, Statuses};

fn ask(limiter: &PolicyLimiter<MemoryStore<ManualClock>>, requests: &[AttributeMap]) -> Decisions {
    let questions: Vec<_> = requests.iter().map(Question::new).collect();
    ready(limiter.decide_together(&questions))
}

fn reasons(decisions: &Decisions) -> Vec<Reason> {
    let each = decisions.iter();
    each.map(|decision| decision.reason()).collect()
}

fn left(decisions: &Decisions, policy: &str) -> Vec<u64> {
    let each = decisions.iter();
    each.flat_map(|decision| remaining(decision, policy))
        .collect()
}

#[test]
fn a_call_of_nothing_is_allowed() {
    let (limiter, _) = limiter([by_client("api", "1/min")]);
    let decisions = ask(&limiter, &[]);
    assert!(decisions.are_allowed() && decisions.is_empty());
}

#[test]
fn a_call_of_one_is_a_decision() {
    let (together, _) = limiter([by_client("api", "2/min"), by_client("b", "9/h")]);
    let (alone, _) = limiter([by_client("api", "2/min"), by_client("b", "9/h")]);
    for _ in 0..4 {
        let ours = ask(&together, &[get("/")]);
        let decision = alone.decide_now(&get("/"));
        assert_eq!(format!("{:?}", ours[0]), format!("{decision:?}"));
    }
}

#[test]
fn a_denied_question_spends_nothing_of_the_others() {
    let (limiter, _) = limiter([
        by_client("api", "5/min fixed-window"),
        by_client("narrow", "1/min fixed-window").path("/narrow"),
    ]);
    limiter.decide_now(&get("/narrow"));
    let decisions = ask(
        &limiter,
        &[from("192.0.2.1", "/"), get("/narrow"), get("/")],
    );
    assert!(!decisions.are_allowed());
    assert_eq!(
        reasons(&decisions),
        [Reason::Allowed, Reason::LimitExceeded, Reason::Allowed]
    );
    assert_eq!(left(&decisions, "api"), [5, 4, 4], "as they stand");
    let looked: Vec<bool> = decisions.iter().map(|d| d.only_looked()).collect();
    assert_eq!(looked, [true, false, true]);
    let again = limiter.decide_now(&from("192.0.2.1", "/"));
    assert_eq!(remaining(&again, "api"), [4]);
}

#[test]
fn a_blocked_question_leaves_the_others_their_numbers() {
    let (limiter, _) = limiter([
        by_client("api", "5/min fixed-window"),
        Policy::builder("shut").path("/shut").block(),
        Policy::builder("by-user")
            .path("/mine")
            .key("user")
            .limit(limit("9/min")),
    ]);
    for denied in ["/shut", "/mine"] {
        let decisions = ask(&limiter, &[get("/"), get(denied), get("/")]);
        assert!(!decisions.are_allowed());
        assert_eq!(decisions[0].reason(), Reason::Allowed);
        assert!(!decisions[1].is_allowed());
        assert_eq!(left(&decisions, "api"), [5, 5], "of the others");
        assert_eq!(decisions[0].at(), decisions[2].at());
    }
    assert_eq!(limiter.store().keys(), 0);
}

#[test]
fn alike_questions_add_up() {
    let (limiter, _) = limiter([by_client("api", "3/min fixed-window")]);
    let decisions = ask(&limiter, &[get("/"), get("/")]);
    assert!(decisions.are_allowed());
    assert_eq!(left(&decisions, "api"), [2, 1], "after each");
    // One is left, so that the first by itself fits.
    let decisions = ask(&limiter, &[get("/"), get("/")]);
    assert_eq!(
        reasons(&decisions),
        [Reason::Allowed, Reason::LimitExceeded]
    );
    assert_eq!(left(&decisions, "api"), [1, 1]);
    assert!(limiter.decide_now(&get("/")).is_allowed());
}

#[test]
fn the_wait_of_alike_questions_is_that_of_all() {
    let (limiter, clock) = limiter([by_client("api", "3/min")]);
    limiter.decide_now(&get("/"));
    let decisions = ask(&limiter, &[get("/"), get("/"), get("/")]);
    let wait = decisions[2].retry_after().unwrap();
    clock.advance(Micros::new(wait.as_micros() - 1));
    assert!(!ask(&limiter, &[get("/"), get("/"), get("/")]).are_allowed());
    clock.advance(Micros::new(1));
    assert!(ask(&limiter, &[get("/"), get("/"), get("/")]).are_allowed());
}

#[test]
fn shadow_policies_of_different_questions_do_not_hang_together() {
    let (limiter, _) = limiter([
        by_client("api", "9/min fixed-window"),
        by_client("trial", "1/min fixed-window").mode(Mode::Shadow),
    ]);
    limiter.decide_now(&get("/"));
    let decisions = ask(&limiter, &[get("/"), from("192.0.2.1", "/")]);
    assert!(decisions.are_allowed());
    let trials: Vec<bool> = decisions
        .iter()
        .flat_map(|decision| decision.policies())
        .filter(|policy| policy.mode() == Mode::Shadow)
        .map(|policy| policy.is_allowed())
        .collect();
    assert_eq!(trials, [false, true]);
    assert_eq!(left(&decisions, "trial"), [0, 0], "the second is spent");
}

#[test]
fn a_question_brings_its_own_policies() {
    let (limiter, _) = limiter([by_client("api", "1/min fixed-window")]);
    let own = Arc::new(set([by_client("own", "2/min fixed-window")]));
    let request = get("/");
    let ask = || {
        ready(limiter.decide_together(&[
            Question::new(&request),
            Question::new(&request).cost(2).decided_by(&own),
        ]))
    };
    let decisions = ask();
    assert!(decisions.are_allowed());
    assert_eq!(remaining(&decisions[0], "api"), [0]);
    assert_eq!(remaining(&decisions[1], "own"), [0]);
    assert_eq!(decisions[1].policies().count(), 1);
    let decisions = ask();
    assert_eq!(deciding(&decisions[1]).0, "own");

    let named_alike = Arc::new(set([by_client("api", "3/min fixed-window")]));
    let question = Question::new(&request).decided_by(&named_alike);
    let decision = limiter.decide_question_now(&question);
    assert_eq!(remaining(&decision, "api"), [1], "with what was counted");
}

#[test]
fn secrets_are_hashed_as_the_limiter_hashes_them() {
    let by_token = || {
        Policy::builder("own")
            .key("header.authorization")
            .limit(limit("2/min fixed-window"))
    };
    let store = || MemoryStore::with_clock(ManualClock::new(Timestamp::from_secs(1_800_057_600)));
    let limiter = PolicyLimiter::new(
        set([by_token()]).with_hash_secret(b"of the limiter"),
        store(),
    );
    let own = Arc::new(set([by_token()]));
    let request = request(&[("header.authorization", "Bearer 1")]);
    let by_own = limiter.decide_question_now(&Question::new(&request).decided_by(&own));
    let by_limiter = limiter.decide_now(&request);
    let key = |decision: &Decision| decision.decided_by().unwrap().key().map(str::to_owned);
    assert_eq!(key(&by_own), key(&by_limiter));
    assert_eq!(remaining(&by_limiter, "own"), [0]);
}

#[test]
fn what_was_held_back_is_not_refunded() {
    let failures = Count::Failures(Statuses::of([401]));
    let (limiter, _) = limiter([
        by_client("login", "5/min fixed-window").count(failures),
        Policy::builder("shut").path("/shut").block(),
    ]);
    limiter.decide_now(&get("/"));
    let held_back = ask(&limiter, &[get("/"), get("/shut")]);
    assert!(held_back[0].is_allowed() && !held_back[0].needs_settling());
    limiter.settle_now(&held_back[0], 200);
    let spent = ask(&limiter, &[get("/"), from("192.0.2.1", "/")]);
    assert_eq!(left(&spent, "login"), [3, 4]);
    for decision in &spent {
        assert!(decision.needs_settling());
        limiter.settle_now(decision, 200);
    }
    assert_eq!(remaining(&limiter.decide_now(&get("/")), "login"), [3]);
}

#[test]
fn a_store_that_takes_its_time_is_asked_once_for_all() {
    let limiter = PolicyLimiter::new(set([by_client("a", "2/min")]), Slow::default());
    let requests = [get("/"), from("192.0.2.1", "/"), get("/")];
    let questions = requests.each_ref().map(Question::new);
    let undecided = limiter.decide_together_at_once(&questions).unwrap_err();
    assert_eq!(limiter.store().asked.load(Ordering::Relaxed), 0);
    let decisions = ready(limiter.decide_together_later(undecided));
    assert!(decisions.are_allowed());
    assert_eq!(limiter.store().asked.load(Ordering::Relaxed), 1);
    drop(limiter.decide_together_at_once(&questions).unwrap_err());
    assert_eq!(limiter.store().asked.load(Ordering::Relaxed), 1);
}

#[test]
fn what_decides_is_told_of_each_policy() {
    let (limiter, _) = limiter([
        by_client("wide", "9/min"),
        by_client("narrow", "5/min").limit(limit("1/h fixed-window")),
    ]);
    limiter.decide_now(&get("/"));
    let decision = limiter.decide_now(&get("/"));
    let told: Vec<_> = decision
        .policies()
        .map(|policy| (policy.decides(), policy.deciding_index()))
        .collect();
    assert_eq!(told, [(false, Some(0)), (true, Some(1))]);
    let narrow = decision.decided_by().unwrap();
    assert_eq!(narrow.key(), Some("client.ip=198.51.100.7"));
    assert!(matches!(narrow.allowance(), Allowance::Limits(limits) if limits.len() == 2));
}
