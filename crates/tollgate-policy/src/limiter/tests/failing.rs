//! Stores that make no decision, and how often a store is asked.

use std::sync::atomic::{AtomicUsize, Ordering};

use tollgate::StoreErrorKind;

use super::*;
use crate::{Mode, OnStoreFailure};

/// Counts how often it is asked, and answers as told.
#[derive(Debug, Default)]
struct Scripted {
    asked: AtomicUsize,
    outcomes: Option<Outcomes>,
}

impl Store for Scripted {
    async fn decide(&self, _: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.outcomes
            .clone()
            .ok_or_else(|| StoreError::new(StoreErrorKind::Timeout, "no answer in time"))
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.decide(charges).await
    }

    async fn refund(&self, _: &[Charge<'_>], _: &Outcomes) -> Result<(), StoreError> {
        Ok(())
    }

    async fn reset(&self, _: &Limit, _: &str, _: &str) -> Result<bool, StoreError> {
        Ok(false)
    }
}

fn failing(policies: impl IntoIterator<Item = PolicyBuilder>) -> PolicyLimiter<Scripted> {
    PolicyLimiter::new(set(policies), Scripted::default())
}

fn asked(limiter: &PolicyLimiter<Scripted>) -> usize {
    limiter.store().asked.load(Ordering::Relaxed)
}

#[test]
fn a_store_that_fails_gives_each_policy_its_choice() {
    let open = || by_client("open", "1/min");
    let closed = || by_client("closed", "1/min").on_store_failure(OnStoreFailure::Deny);

    let limiter = failing([open()]);
    let decision = ready(limiter.decide(&get("/")));
    assert_eq!(
        (decision.reason(), decision.is_allowed()),
        (Reason::StoreFailedAllow, true)
    );
    assert!(decision.is_degraded() && decision.at().is_none());

    let limiter = failing([open(), closed(), Policy::builder("free").unlimited()]);
    let decision = ready(limiter.decide(&get("/")));
    assert_eq!(
        (decision.reason(), decision.is_allowed()),
        (Reason::StoreFailedDeny, false)
    );
    assert!(decision.is_degraded() && decision.retry_after().is_none());
    assert_eq!(decision.decided_by().unwrap().policy().name(), "closed");
    let reasons: Vec<Reason> = decision.policies().map(|policy| policy.reason()).collect();
    assert_eq!(
        reasons,
        [
            Reason::StoreFailedAllow,
            Reason::StoreFailedDeny,
            Reason::Unlimited
        ]
    );
}

// B71
#[test]
fn a_request_let_through_without_the_store_has_no_numbers() {
    let decision = ready(failing([by_client("open", "1/min")]).decide(&get("/")));
    let policy = decision.decided_by().unwrap();
    assert_eq!(policy.limits().count(), 0);
    assert!(policy.deciding().is_none() && policy.is_degraded());
}

#[test]
fn a_shadow_policy_denies_nothing_when_the_store_fails() {
    let trial = by_client("trial", "1/min")
        .mode(Mode::Shadow)
        .on_store_failure(OnStoreFailure::Deny);
    let decision = ready(failing([trial]).decide(&get("/")));
    assert_eq!(
        (decision.reason(), decision.is_degraded()),
        (Reason::NoPolicy, false)
    );
    assert!(decision.policies().next().unwrap().is_degraded());
}

#[test]
fn an_answer_that_lacks_outcomes_is_no_answer() {
    let store = Scripted {
        outcomes: Some(Outcomes::new(Timestamp::EPOCH, [])),
        ..Scripted::default()
    };
    let policy = by_client("closed", "1/min").on_store_failure(OnStoreFailure::Deny);
    let limiter = PolicyLimiter::new(set([policy]), store);
    assert_eq!(
        ready(limiter.decide(&get("/"))).reason(),
        Reason::StoreFailedDeny
    );
}

#[test]
fn an_answer_to_other_charges_is_no_answer() {
    let (allowing, _) = limiter([by_client("one", "1/min")]);
    let one = allowing.decide_now(&get("/"));
    let store = Scripted {
        outcomes: one.outcomes().cloned(),
        ..Scripted::default()
    };
    let policy = by_client("closed", "1/min").limit(limit("9/h"));
    let policy = policy.on_store_failure(OnStoreFailure::Deny);
    let limiter = PolicyLimiter::new(set([policy]), store);
    let decision = ready(limiter.decide(&get("/")));
    assert_eq!(decision.reason(), Reason::StoreFailedDeny);
}

#[test]
fn the_store_is_asked_once_for_all_policies_or_not_at_all() {
    let many =
        || (0..5).map(|number| by_client(&format!("p{number}"), "1/min").limit(limit("9/h")));
    let limiter = failing(many());
    ready(limiter.decide(&get("/")));
    assert_eq!(asked(&limiter), 1);

    for extra in [
        Policy::builder("banned").block(),
        Policy::builder("by-user").key("user").limit(limit("1/s")),
    ] {
        let limiter = failing(many().chain([extra]));
        ready(limiter.decide(&get("/")));
        assert_eq!(asked(&limiter), 0);
    }
    let limiter = failing([Policy::builder("free").unlimited()]);
    ready(limiter.decide(&get("/")));
    assert_eq!(asked(&limiter), 0);
}

#[test]
fn a_decision_is_the_same_whether_awaited_or_not() {
    let policies = || {
        [
            by_client("a", "2/min fixed-window"),
            by_client("b", "5/h sliding-log"),
        ]
    };
    let (awaited, _) = limiter(policies());
    let (direct, _) = limiter(policies());
    for _ in 0..4 {
        let (left, right) = (
            ready(awaited.decide(&get("/"))),
            direct.decide_now(&get("/")),
        );
        assert_eq!(format!("{left:?}"), format!("{right:?}"));
    }
}

#[test]
fn the_future_is_send_although_the_request_is_not() {
    struct Unsendable(std::rc::Rc<AttributeMap>);
    impl Attributes for Unsendable {
        fn attribute(&self, name: &crate::AttributeName) -> Option<std::borrow::Cow<'_, str>> {
            self.0.attribute(name)
        }
        fn client(&self) -> Option<crate::ClientAddress> {
            self.0.client()
        }
    }
    fn send<T: Send>(value: T) -> T {
        value
    }
    let (limiter, _) = limiter([by_client("a", "2/min")]);
    let decision = ready(send(limiter.decide(&Unsendable(get("/").into()))));
    assert!(send(decision).is_allowed());
}
