//! Requests that are decided in this process while the store makes no decision.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};

use tollgate::StoreErrorKind;

use super::*;
use crate::{Count, LocalShare, MissingKey, Mode, OnStoreFailure, Statuses, When};

/// A store that fails while told to, and says how many outages have ended.
#[derive(Debug)]
pub(super) struct Away {
    pub(super) inner: MemoryStore<ManualClock>,
    pub(super) is_away: AtomicBool,
    outages: AtomicU64,
    refunds: AtomicUsize,
}

impl Away {
    fn answer<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        if self.is_away.load(SeqCst) {
            return Err(StoreError::new(
                StoreErrorKind::Timeout,
                "no answer in time",
            ));
        }
        answer
    }

    /// Ends an outage.
    pub(super) fn comes_back(&self) {
        self.is_away.store(false, SeqCst);
        self.outages.fetch_add(1, SeqCst);
    }
}

impl Store for Away {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.answer(self.inner.decide_now(charges))
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.answer(Ok(self.inner.peek_now(charges)))
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.refunds.fetch_add(1, SeqCst);
        self.inner.refund_now(charges, admitted);
        self.answer(Ok(()))
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.answer(Ok(self.inner.reset_now(limit, policy, key)))
    }

    fn outages(&self) -> u64 {
        self.outages.load(SeqCst)
    }
}

/// A limiter whose store is away, with a local store on a clock that stands still.
pub(super) fn away(
    policies: impl IntoIterator<Item = PolicyBuilder>,
) -> (PolicyLimiter<Away>, ManualClock) {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_057_600));
    let store = Away {
        inner: MemoryStore::with_clock(clock.clone()),
        is_away: true.into(),
        outages: AtomicU64::new(0),
        refunds: AtomicUsize::new(0),
    };
    let limiter = PolicyLimiter::new(set(policies), store);
    (
        limiter.with_local_store(MemoryStore::with_clock(clock.clone())),
        clock,
    )
}

fn local(share: &str) -> OnStoreFailure {
    OnStoreFailure::Local(share.parse().unwrap())
}

pub(super) fn shared_out(name: &str, limits: &str, share: &str) -> PolicyBuilder {
    by_client(name, limits).on_store_failure(local(share))
}

fn decide(limiter: &PolicyLimiter<Away>) -> Decision {
    ready(limiter.decide(&get("/")))
}

/// How many of `requests` are let through.
fn admitted(limiter: &PolicyLimiter<Away>, requests: usize) -> usize {
    (0..requests)
        .filter(|_| decide(limiter).is_allowed())
        .count()
}

#[test]
fn a_share_of_the_limit_is_admitted_and_then_denied_with_the_shares_wait() {
    let (limiter, clock) = away([shared_out("api", "8/min fixed-window", "1/4")]);
    for _ in 0..2 {
        let decision = decide(&limiter);
        assert_eq!(decision.reason(), Reason::StoreFailedLocalAllow);
        assert!(decision.is_allowed() && decision.is_degraded());
    }
    let decision = decide(&limiter);
    assert_eq!(decision.reason(), Reason::StoreFailedLocalDeny);
    assert!(!decision.is_allowed() && decision.is_degraded());
    assert_eq!(decision.decided_by().unwrap().policy().name(), "api");
    let wait = decision.retry_after().unwrap();
    assert_eq!(wait, Micros::MINUTE);
    clock.advance(wait);
    assert!(decide(&limiter).is_allowed());
}

#[test]
fn a_degraded_decision_has_no_numbers() {
    // Not even if the share is the whole limit.
    let (limiter, _) = away([shared_out("api", "1/min", "1")]);
    for _ in 0..2 {
        let decision = decide(&limiter);
        assert_eq!(decision.at(), None);
        let policy = decision.decided_by().unwrap();
        assert!(policy.is_degraded() && policy.deciding().is_none());
        assert_eq!(policy.limits().count(), 0);
    }
}

// B95
#[test]
fn a_denial_of_the_store_is_no_reason_to_ask_elsewhere() {
    let (limiter, _) = away([shared_out("api", "2/min", "1")]);
    limiter.store().comes_back();
    assert_eq!(admitted(&limiter, 5), 2);
    assert_eq!(decide(&limiter).reason(), Reason::LimitExceeded);
    limiter.store().is_away.store(true, SeqCst);
    assert_eq!(admitted(&limiter, 5), 2, "nothing was counted here before");
}

#[test]
fn counts_are_dropped_when_the_outage_has_ended_and_not_before() {
    let (limiter, _) = away([shared_out("api", "8/h", "1/4")]);
    assert_eq!(admitted(&limiter, 5), 2);
    // An answer among failures is no end of an outage.
    limiter.store().is_away.store(false, SeqCst);
    assert!(decide(&limiter).is_allowed());
    limiter.store().is_away.store(true, SeqCst);
    assert_eq!(admitted(&limiter, 5), 0);
    limiter.store().comes_back();
    limiter.store().is_away.store(true, SeqCst);
    assert_eq!(admitted(&limiter, 5), 2);
}

#[test]
fn a_policy_that_denies_keeps_the_others_from_counting() {
    let closed = by_client("closed", "9/min")
        .path("/closed")
        .on_store_failure(OnStoreFailure::Deny);
    let (limiter, _) = away([shared_out("api", "4/min", "1/4"), closed]);
    let decision = ready(limiter.decide(&get("/closed")));
    assert_eq!(decision.reason(), Reason::StoreFailedDeny);
    assert_eq!(decision.decided_by().unwrap().policy().name(), "closed");
    let reasons: Vec<Reason> = decision.policies().map(|policy| policy.reason()).collect();
    assert_eq!(reasons, [Reason::NotChecked, Reason::StoreFailedDeny]);
    assert_eq!(admitted(&limiter, 3), 1, "nothing was spent before");
}

#[test]
fn a_policy_that_allows_does_so_beside_one_that_counts() {
    let open = by_client("open", "1/min");
    let (limiter, _) = away([open, shared_out("api", "8/min", "1/4")]);
    let decision = decide(&limiter);
    assert_eq!(decision.reason(), Reason::StoreFailedLocalAllow);
    assert_eq!(decision.decided_by().unwrap().policy().name(), "api");
    assert_eq!(admitted(&limiter, 5), 1);
    let reasons: Vec<Reason> = decide(&limiter)
        .policies()
        .map(|policy| policy.reason())
        .collect();
    assert_eq!(
        reasons,
        [Reason::StoreFailedAllow, Reason::StoreFailedLocalDeny]
    );
}

#[test]
fn policies_are_decided_together_and_spend_all_or_nothing() {
    let wide = shared_out("wide", "40/min", "1/4");
    let narrow = shared_out("narrow", "4/min", "1/4").path("/narrow");
    let (limiter, _) = away([wide, narrow]);
    let narrow = || ready(limiter.decide(&get("/narrow"))).reason();
    assert_eq!(narrow(), Reason::StoreFailedLocalAllow);
    for _ in 0..20 {
        assert_eq!(narrow(), Reason::StoreFailedLocalDeny);
    }
    assert_eq!(admitted(&limiter, 20), 9);
}

#[test]
fn a_policy_in_shadow_counts_and_denies_nothing() {
    let trial = shared_out("trial", "4/min", "1/4").mode(Mode::Shadow);
    let (limiter, _) = away([trial]);
    for expected in [Reason::StoreFailedLocalAllow, Reason::StoreFailedLocalDeny] {
        let decision = decide(&limiter);
        assert_eq!(decision.reason(), Reason::NoPolicy);
        assert!(decision.is_allowed() && !decision.is_degraded());
        assert_eq!(decision.policies().next().unwrap().reason(), expected);
    }
    // Nor keeps one that denies in shadow others from counting.
    let denying = by_client("denying", "1/min")
        .mode(Mode::Shadow)
        .on_store_failure(OnStoreFailure::Deny);
    let (limiter, _) = away([denying, shared_out("api", "8/min", "1/4")]);
    assert_eq!(admitted(&limiter, 5), 2);
}

// B109
#[test]
fn a_key_that_cannot_be_built_denies_and_counts_nothing_here_either() {
    let by_user = Policy::builder("by-user")
        .key("user")
        .path("/user")
        .limit(limit("4/min"))
        .missing_key(MissingKey::Deny)
        .on_store_failure(local("1/4"));
    let (limiter, _) = away([shared_out("all", "4/min", "1/4"), by_user]);
    for _ in 0..3 {
        let decision = ready(limiter.decide(&get("/user")));
        assert_eq!(decision.reason(), Reason::MissingKey);
    }
    assert_eq!(admitted(&limiter, 3), 1);
}

#[test]
fn without_room_here_either_the_request_is_denied_as_a_failure() {
    let (limiter, clock) = away([shared_out("log", "1000/h sliding-log", "1/2")]);
    let store = MemoryStore::builder().clock(clock).max_log_bytes(0);
    let limiter = limiter.with_local_store(store.build());
    let decision = decide(&limiter);
    assert_eq!(decision.reason(), Reason::StoreFailedDeny);
    assert!(decision.is_degraded() && decision.retry_after().is_none());
    let policy = decision.decided_by().unwrap();
    assert_eq!(
        (policy.policy().name(), policy.reason()),
        ("log", Reason::StoreFailedDeny)
    );
}

#[test]
fn a_tier_has_its_share_too() {
    let api = shared_out("api", "4/min", "1/4").tier(When::is("user.plan", "pro"), limit("12/min"));
    let (limiter, _) = away([api]);
    assert_eq!(admitted(&limiter, 5), 1);
    let pro = from("198.51.100.7", "/").with("user.plan".parse().unwrap(), "pro");
    let pro = (0..5).filter(|_| ready(limiter.decide(&pro)).is_allowed());
    assert_eq!(pro.count(), 3);
}

#[test]
fn what_was_charged_here_is_given_back_here() {
    let login =
        shared_out("login", "4/h fixed-window", "1/4").count(Count::Failures(Statuses::of([401])));
    let (limiter, _) = away([login]);
    for _ in 0..5 {
        let decision = decide(&limiter);
        assert!(decision.is_allowed() && decision.needs_settling());
        ready(limiter.settle(&decision, 200)).unwrap();
    }
    assert_eq!(limiter.store().refunds.load(SeqCst), 0);
    let wrong = decide(&limiter);
    ready(limiter.settle(&wrong, 401)).unwrap();
    assert!(!decide(&limiter).is_allowed());

    // What belongs to an outage that has ended gives nothing back in the next.
    limiter.store().comes_back();
    limiter.store().is_away.store(true, SeqCst);
    assert!(decide(&limiter).is_allowed());
    ready(limiter.settle(&wrong, 200)).unwrap();
    assert!(!decide(&limiter).is_allowed());
}

#[test]
fn other_policies_keep_what_was_counted_here() {
    let (limiter, _) = away([shared_out("api", "8/h", "1/4")]);
    assert_eq!(admitted(&limiter, 1), 1);
    let reloaded = limiter.with_policies(set([shared_out("api", "12/h", "1/4")]));
    assert_eq!(admitted(&reloaded, 5), 2);
    assert_eq!(admitted(&limiter, 5), 0);
    // Also where policies without it were in force meanwhile.
    let without = limiter.with_policies(set([by_client("api", "8/h")]));
    let again = without.with_policies(set([shared_out("api", "12/h", "1/4")]));
    assert_eq!(admitted(&again, 5), 0);
}

#[test]
fn a_store_in_memory_that_is_full_is_helped_out_too() {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_057_600));
    let store = MemoryStore::builder().clock(clock.clone()).max_log_bytes(0);
    let policy =
        shared_out("log", "4/h sliding-log", "1/2").count(Count::Failures(Statuses::of([401])));
    let limiter = PolicyLimiter::new(set([policy]), store.build())
        .with_local_store(MemoryStore::with_clock(clock));
    let decision = limiter.decide_now(&get("/"));
    assert_eq!(decision.reason(), Reason::StoreFailedLocalAllow);
    limiter.settle_now(&decision, 200);
    let allowed = (0..5).filter(|_| limiter.decide_now(&get("/")).is_allowed());
    assert_eq!(allowed.count(), 2);
}

#[test]
fn a_request_that_fits_the_limit_fits_the_share() {
    let costly = shared_out("export", "10/h fixed-window", "1/4").cost(crate::Cost::Fixed(6));
    let (limiter, _) = away([costly]);
    assert_eq!(admitted(&limiter, 3), 1);
}

#[test]
fn instances_share_a_limit_out() {
    let share = LocalShare::of_instances(4).unwrap();
    let policy = || by_client("api", "100/min").on_store_failure(OnStoreFailure::Local(share));
    let instances: Vec<_> = (0..4).map(|_| away([policy()])).collect();
    let total: usize = instances
        .iter()
        .map(|(limiter, _)| admitted(limiter, 100))
        .sum();
    assert_eq!(total, 100);
}
