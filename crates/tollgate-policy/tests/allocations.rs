//! A decision of an ordinary request allocates nothing beside what its store does.
#![expect(clippy::unwrap_used, reason = "tests say what is wrong by panicking")]

use std::hint::black_box;

use tollgate::{Charge, Limit, Micros, Outcome, Outcomes, Store, StoreError, Timestamp, Verdict};
use tollgate_policy::{
    AttributeMap, AttributeName, ClientIdentity, Mode, Policy, PolicyLimiter, PolicySet, Question,
    When,
};
use tollgate_testkit::poll_now;

/// Admits everything, without allocating.
#[derive(Debug)]
struct Admitting;

impl Store for Admitting {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let outcomes = charges.iter().map(|charge| {
            let outcome = Outcome {
                verdict: Verdict::Allow,
                limit: charge.limit().quota(),
                remaining: charge.limit().quota() - 1,
                reset_after: Micros::SECOND,
                retry_after: None,
                at: Timestamp::EPOCH,
            };
            (outcome, charge.shadow().is_none())
        });
        Ok(Outcomes::new(Timestamp::EPOCH, outcomes))
    }

    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        Some(poll_now(self.decide(charges)))
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

fn limiter() -> PolicyLimiter<Admitting> {
    let limit = |text: &str| text.parse::<Limit>().unwrap();
    let by_key = |name: &str, path: &str| Policy::builder(name).path(path).key("user or client.ip");
    let policies = [
        by_key("api", "/places/**")
            .method(["GET", "HEAD"])
            .except("client.ip", "192.0.2.0/24")
            .limits([limit("60/min"), limit("1000/h sliding-window")])
            .tier(When::is("user.plan", "pro"), limit("600/min")),
        by_key("trial", "/**")
            .limit(limit("10/s"))
            .mode(Mode::Shadow),
        by_key("auth", "/auth/**").limit(limit("10/min fixed-window")),
    ];
    let policies = policies.map(|policy| policy.build().unwrap());
    PolicyLimiter::new(PolicySet::new(policies).unwrap(), Admitting)
}

fn allocations(request: &AttributeMap) -> u64 {
    let limiter = limiter();
    let decide = || {
        let decision = poll_now(limiter.decide(request));
        assert_eq!(decision.policies().count(), 2);
        assert!(decision.decided_by().is_some());
        black_box(decision);
    };
    // With the feature `metrics`, counters are made when they are first used.
    decide();
    let info = allocation_counter::measure(decide);
    info.count_total
}

fn get(path: &str) -> AttributeMap {
    AttributeMap::new()
        .with(AttributeName::Method, "GET")
        .with(AttributeName::Path, path)
        .with_client_ip("2001:db8:1:2:3:4:5:6".parse().unwrap())
}

#[test]
fn an_ordinary_request_allocates_nothing() {
    assert_eq!(allocations(&get("/places/7/reviews")), 0);
    let user = AttributeName::Other("user".into());
    assert_eq!(
        allocations(&get("/places/7/").with(user, "bob@example.com")),
        0
    );
}

#[test]
fn a_call_of_one_question_allocates_its_decision_only() {
    let limiter = limiter();
    let request = get("/places/7/reviews");
    let decide = || {
        let questions = [Question::new(&request).cost(2)];
        let decisions = limiter.decide_together_at_once(&questions).unwrap();
        assert!(decisions.are_allowed());
        black_box(decisions);
    };
    // With the feature `metrics`, counters are made when they are first used.
    decide();
    assert_eq!(allocation_counter::measure(decide).count_total, 1);
}

#[test]
fn a_path_that_is_spelt_oddly_allocates_its_forms_only() {
    assert_eq!(allocations(&get("/places/%37")), 1);
    assert_eq!(allocations(&get("/places/../places/7")), 2);
}

#[test]
fn finding_the_client_allocates_nothing() {
    let identity = ClientIdentity::builder()
        .trusted_proxy("10.0.0.0/8")
        .build()
        .unwrap();
    let peer = Some([10, 0, 0, 5].into());
    let header = [&b"203.0.113.66, 198.51.100.7, 10.0.0.9"[..]];
    let info = allocation_counter::measure(|| {
        black_box(identity.resolve(peer, header).unwrap());
    });
    assert_eq!(info.count_total, 0);
}
