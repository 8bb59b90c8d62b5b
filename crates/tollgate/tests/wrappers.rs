//! A store around a store passes every call on, also those of which the trait has a default.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use tollgate::{
    AnyStore, Charge, DenialCache, Limit, ManualClock, MemoryStore, OutageGuard, Outcomes, State,
    Store, StoreError, Timestamp,
};
use tollgate_testkit::given::limit;

/// Knows what it was asked, and is none of those that are answered at once.
#[derive(Clone)]
struct Witness {
    asked: Arc<Mutex<BTreeSet<&'static str>>>,
    store: Arc<MemoryStore<ManualClock>>,
}

impl Witness {
    fn new() -> Self {
        Self {
            asked: Arc::default(),
            store: Arc::new(MemoryStore::with_clock(ManualClock::new(
                Timestamp::from_secs(1_800_000_000),
            ))),
        }
    }

    fn saw(&self, call: &'static str) {
        self.asked.lock().unwrap().insert(call);
    }
}

impl Store for Witness {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.saw("decide");
        self.store.decide(charges).await
    }

    fn decide_at_once(&self, _: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        self.saw("decide_at_once");
        None
    }

    async fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> Result<(Outcomes, Vec<State>), StoreError> {
        self.saw("decide_with_states");
        self.store.decide_with_states(charges).await
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.saw("peek");
        self.store.peek(charges).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.saw("refund");
        self.store.refund(charges, admitted).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.saw("reset");
        self.store.reset(limit, policy, key).await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.saw("probe");
        Ok(())
    }

    fn outages(&self) -> u64 {
        self.saw("outages");
        7
    }
}

/// Makes every call, and says which of them the witness saw.
async fn seen_through<S: Store>(wrap: impl FnOnce(Witness) -> S) -> Vec<&'static str> {
    let witness = Witness::new();
    let store = wrap(witness.clone());
    let limit = limit("10/min");
    let charges = [Charge::new(&limit, "k", 1)];
    assert!(store.decide_at_once(&charges).is_none());
    let admitted = store.decide(&charges).await.unwrap();
    store.decide_with_states(&charges).await.unwrap();
    store.peek(&charges).await.unwrap();
    store.refund(&charges, &admitted).await.unwrap();
    assert!(store.reset(&limit, "", "k").await.unwrap());
    store.probe().await.unwrap();
    let _ = store.outages();
    witness.asked.lock().unwrap().iter().copied().collect()
}

const ALL: [&str; 8] = [
    "decide",
    "decide_at_once",
    "decide_with_states",
    "outages",
    "peek",
    "probe",
    "refund",
    "reset",
];

#[tokio::test]
async fn a_pointer_and_any_store_pass_everything_on() {
    assert_eq!(seen_through(Arc::new).await, ALL);
    assert_eq!(seen_through(AnyStore::new).await, ALL);
}

#[tokio::test]
async fn a_guard_passes_on_all_but_what_it_counts_itself() {
    let without_outages: Vec<_> = ALL.into_iter().filter(|call| *call != "outages").collect();
    assert_eq!(seen_through(OutageGuard::new).await, without_outages);
}

#[tokio::test]
async fn a_denial_cache_asks_for_states_where_it_is_asked_to_decide() {
    let with_states: Vec<_> = ALL.into_iter().filter(|call| *call != "decide").collect();
    assert_eq!(seen_through(DenialCache::new).await, with_states);
}
