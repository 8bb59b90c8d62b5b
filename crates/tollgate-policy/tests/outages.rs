//! Several instances with a guarded store between them that fails, and comes back.
#![expect(clippy::unwrap_used, reason = "tests say what is wrong by panicking")]

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};
use tollgate::{AnyStore, ManualClock, MemoryStore, Micros, OutageGuard, Store};
use tollgate_policy::{
    AttributeMap, LocalShare, OnStoreFailure, Policy, PolicyLimiter, PolicySet, Reason,
};
use tollgate_testkit::given::{START, limit};
use tollgate_testkit::{FailingStore, Health};

type Shared = Arc<FailingStore<MemoryStore<ManualClock>>>;

const DEADLINE: Duration = Duration::from_millis(100);

/// A store, and so many instances of a service that limit by it.
struct World {
    store: Shared,
    clock: ManualClock,
    instances: Vec<Instance>,
}

struct Instance {
    guard: OutageGuard<Shared>,
    limiter: PolicyLimiter<AnyStore>,
}

impl World {
    fn new(instances: u32, limits: &str, choice: OnStoreFailure) -> Self {
        let clock = ManualClock::new(START);
        let store = Arc::new(FailingStore::new(MemoryStore::with_clock(clock.clone())));
        let instance = |_| {
            let guard = OutageGuard::new(Arc::clone(&store));
            let policy = Policy::builder("api").key("client.ip").limit(limit(limits));
            let policy = policy.on_store_failure(choice).build().unwrap();
            let set = PolicySet::new([policy]).unwrap();
            let limiter = PolicyLimiter::new(set, AnyStore::new(guard.clone()))
                .with_local_store(MemoryStore::with_clock(clock.clone()));
            Instance { guard, limiter }
        };
        Self {
            instances: (0..instances).map(instance).collect(),
            store,
            clock,
        }
    }

    /// Sends requests to the instances in turn. How many were let through?
    async fn admitted(&self, requests: usize) -> usize {
        let mut admitted = 0;
        for instance in self.instances.iter().cycle().take(requests) {
            admitted += usize::from(instance.reason().await.is_allow());
        }
        admitted
    }

    /// The store comes back, and every instance finds out.
    async fn recovers(&self) {
        self.store.set_health(Health::Serving);
        for instance in &self.instances {
            let closed = async {
                while instance.guard.is_open() {
                    sleep(Duration::from_millis(1)).await;
                }
            };
            timeout(Duration::from_secs(1), closed).await.unwrap();
        }
    }
}

impl Instance {
    async fn reason(&self) -> Reason {
        let request = AttributeMap::new().with_client_ip("198.51.100.7".parse().unwrap());
        self.limiter.decide(&request).await.reason()
    }
}

fn quarter() -> OnStoreFailure {
    OnStoreFailure::Local(LocalShare::of_instances(4).unwrap())
}

// B105
#[tokio::test(start_paused = true)]
async fn instances_keep_to_the_limit_together_and_forget_when_the_store_is_back() {
    let world = World::new(4, "100/min fixed-window", quarter());
    world.store.set_health(Health::Hanging);
    assert_eq!(world.admitted(1_000).await, 100);
    world.recovers().await;

    // The store counts from where it was, in the same window.
    assert_eq!(world.admitted(1_000).await, 100);
    assert_eq!(world.instances[0].reason().await, Reason::LimitExceeded);

    // What the first outage counted is of no account in the second, in a window that has not gone.
    world.store.set_health(Health::Hanging);
    assert_eq!(world.admitted(1_000).await, 100);
    assert!(
        world
            .instances
            .iter()
            .all(|instance| instance.guard.outages() == 1)
    );

    // And a new window begins afresh, in which nothing is merged.
    world.clock.advance(Micros::MINUTE);
    world.recovers().await;
    assert_eq!(world.admitted(1_000).await, 100);
}

// B97
#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_costs_each_instance_one_deadline() {
    for choice in [OnStoreFailure::Allow, OnStoreFailure::Deny, quarter()] {
        let world = World::new(1, "100/min", choice);
        world.store.set_health(Health::Hanging);
        let begun = Instant::now();
        for _ in 0..10_000 {
            let _ = world.instances[0].reason().await;
        }
        assert!(begun.elapsed() <= DEADLINE + Duration::from_millis(1));
    }
}

// B95
#[tokio::test(start_paused = true)]
async fn denials_open_no_breaker_and_are_decided_nowhere_else() {
    let world = World::new(4, "3/h", quarter());
    assert_eq!(world.admitted(1_000).await, 3);
    for instance in &world.instances {
        assert_eq!(instance.reason().await, Reason::LimitExceeded);
        assert!(!instance.guard.is_open());
    }
}

#[tokio::test(start_paused = true)]
async fn every_choice_says_so_while_the_store_is_away_and_ends_when_it_is_back() {
    for (choice, reason) in [
        (OnStoreFailure::Allow, Reason::StoreFailedAllow),
        (OnStoreFailure::Deny, Reason::StoreFailedDeny),
        (quarter(), Reason::StoreFailedLocalAllow),
    ] {
        let world = World::new(1, "100/min", choice);
        world.store.set_health(Health::Hanging);
        for _ in 0..10 {
            assert_eq!(world.instances[0].reason().await, reason);
        }
        world.recovers().await;
        assert_eq!(world.instances[0].reason().await, Reason::Allowed);
    }
}
