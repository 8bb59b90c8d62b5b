//! Calls that the store does not decide.

use std::sync::atomic::Ordering::SeqCst;

use super::local::{Away, away, shared_out};
use super::*;
use crate::{Decisions, OnStoreFailure};

fn ask(limiter: &PolicyLimiter<Away>, paths: &[&str]) -> Decisions {
    let requests: Vec<_> = paths.iter().map(|path| get(path)).collect();
    let questions: Vec<_> = requests.iter().map(Question::new).collect();
    ready(limiter.decide_together(&questions))
}

fn reasons(decisions: &Decisions) -> Vec<Reason> {
    let each = decisions.iter();
    each.map(|decision| decision.reason()).collect()
}

fn policies() -> [PolicyBuilder; 5] {
    [
        shared_out("a", "8/min fixed-window", "1/4").path("/a"),
        shared_out("b", "4/min fixed-window", "1/4").path("/b"),
        by_client("open", "1/min").path("/open"),
        by_client("closed", "9/min")
            .path("/closed")
            .on_store_failure(OnStoreFailure::Deny),
        Policy::builder("shut").path("/shut").block(),
    ]
}

const ALLOW: Reason = Reason::StoreFailedLocalAllow;
const DENY: Reason = Reason::StoreFailedLocalDeny;

#[test]
fn all_are_counted_here_or_none_is() {
    let (limiter, _) = away(policies());
    let decisions = ask(&limiter, &["/a", "/b", "/open"]);
    assert_eq!(
        reasons(&decisions),
        [ALLOW, ALLOW, Reason::StoreFailedAllow]
    );
    assert!(decisions.are_allowed() && !decisions[0].only_looked());
    // Nothing is left of one; the other keeps what it has.
    for _ in 0..2 {
        let decisions = ask(&limiter, &["/a", "/b", "/open"]);
        assert_eq!(reasons(&decisions), [ALLOW, DENY, Reason::StoreFailedAllow]);
        assert!(decisions[0].only_looked() && decisions[2].only_looked());
    }
    assert_eq!(reasons(&ask(&limiter, &["/a"])), [ALLOW]);
    assert_eq!(reasons(&ask(&limiter, &["/a"])), [DENY]);
}

#[test]
fn alike_questions_add_up_here_too() {
    let (limiter, _) = away(policies());
    assert_eq!(
        reasons(&ask(&limiter, &["/a", "/a", "/a"])),
        [ALLOW, ALLOW, DENY]
    );
    assert_eq!(reasons(&ask(&limiter, &["/a", "/a"])), [ALLOW, ALLOW]);
}

#[test]
fn a_question_that_is_denied_without_the_store_keeps_the_others_from_counting() {
    let (limiter, _) = away(policies());
    for (path, reason) in [
        ("/closed", Reason::StoreFailedDeny),
        ("/shut", Reason::Blocked),
    ] {
        for _ in 0..3 {
            let decisions = ask(&limiter, &["/a", path, "/b"]);
            assert_eq!(reasons(&decisions), [ALLOW, reason, ALLOW]);
            assert!(decisions[0].only_looked());
        }
    }
    assert_eq!(reasons(&ask(&limiter, &["/a", "/a", "/b"])), [ALLOW; 3]);
}

#[test]
fn a_call_that_the_store_decides_is_not_counted_here() {
    let (limiter, _) = away(policies());
    limiter.store().is_away.store(false, SeqCst);
    assert_eq!(
        reasons(&ask(&limiter, &["/a", "/b"])),
        [Reason::Allowed, Reason::Allowed]
    );
    limiter.store().is_away.store(true, SeqCst);
    assert_eq!(reasons(&ask(&limiter, &["/a", "/a", "/b"])), [ALLOW; 3]);
}

#[test]
fn a_peek_says_what_would_be_decided_here() {
    let (limiter, _) = away(policies());
    let request = get("/b");
    for _ in 0..3 {
        let decision = ready(limiter.peek(&Question::new(&request)));
        assert_eq!(decision.reason(), ALLOW);
    }
    ask(&limiter, &["/b"]);
    let decision = ready(limiter.peek(&Question::new(&request)));
    assert_eq!(decision.reason(), DENY);
}

#[test]
fn what_is_counted_here_is_given_back_and_forgotten_here() {
    let (limiter, _) = away(policies());
    let request = get("/b");
    for _ in 0..2 {
        assert_eq!(reasons(&ask(&limiter, &["/b"])), [ALLOW]);
        let error = ready(limiter.give_back(&Question::new(&request))).unwrap_err();
        assert_eq!(error.to_string(), "no answer in time");
    }
    assert_eq!(reasons(&ask(&limiter, &["/b"])), [ALLOW]);
    assert_eq!(reasons(&ask(&limiter, &["/b"])), [DENY]);
    assert!(ready(limiter.reset(&request)).is_err());
    assert_eq!(reasons(&ask(&limiter, &["/b"])), [ALLOW]);
}
