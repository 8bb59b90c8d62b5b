//! A store without its type.

use tollgate::AnyStore;
use tollgate_testkit::{ScriptedAnswer, ScriptedStore, conformance};

use super::*;

#[tokio::test(start_paused = true)]
async fn any_store_decides_like_the_one_within() {
    let clock = ManualClock::new(START);
    let store = AnyStore::new(MemoryStore::with_clock(clock.clone()));
    conformance::run_all(&store, &clock).await;
    let limit = ample();
    let at_once = store.decide_at_once(&[Charge::new(&limit, "key", 1)]);
    assert!(at_once.unwrap().unwrap().is_allowed());

    let waiting = FailingStore::new(MemoryStore::with_clock(clock.clone()));
    let store = AnyStore::new(OutageGuard::new(waiting));
    conformance::run_all(&store, &clock).await;
    assert!(store.decide_at_once(&[]).is_none());
}

#[tokio::test(start_paused = true)]
async fn any_store_passes_on_probes_and_outages() {
    let guard = guard();
    let store = AnyStore::new(guard.clone());
    open(&guard).await;
    assert!(store.clone().probe().await.is_err());
    guard.store().set_health(Health::Serving);
    until_closed(&guard).await;
    assert!(store.probe().await.is_ok());
    assert_eq!(store.outages(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_store_without_a_probe_of_its_own_is_peeked_at() {
    let store = std::sync::Arc::new(ScriptedStore::new([
        ScriptedAnswer::Error(StoreErrorKind::Unavailable),
        ScriptedAnswer::Outcomes(Outcomes::new(START, [])),
    ]));
    let any = AnyStore::new(std::sync::Arc::clone(&store));
    assert!(any.probe().await.is_err());
    assert!(any.probe().await.is_ok());
    assert_eq!((store.peeks(), store.decisions()), (2, 0));
}

#[test]
fn any_store_names_the_type_and_shows_nothing_of_it() {
    let text = format!("{:?}", AnyStore::new(MemoryStore::default()));
    assert!(text.starts_with("AnyStore(tollgate::"), "{text}");
}
