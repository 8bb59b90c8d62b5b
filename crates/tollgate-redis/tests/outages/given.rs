//! What the tests begin with: an instance of a service, whose policies differ in what they say for
//! when the store fails.

use std::time::Duration;

use tollgate::{OutageGuard, OutageStats};
use tollgate_policy::{
    AttributeMap, AttributeName, LocalShare, OnStoreFailure, Policy, PolicyLimiter, PolicySet,
    Reason,
};
use tollgate_redis::RedisStore;
use tollgate_testkit::given::limit;
use tollgate_testkit::redis::{RedisServer, until};

/// Longer than a machine with other things to do keeps a test waiting.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// So long that a busy machine is not taken for an outage.
const DEADLINE: Duration = Duration::from_millis(1_500);

/// What every policy admits of a client.
pub(crate) const UNITS: u64 = 10;

/// So long that nothing is given back during a test.
const LIMIT: &str = "10/h fixed-window anchor first-request";

/// How long a count may stay: its period, and the store's slack.
pub(crate) const LONGEST: Duration = Duration::from_secs(3_601);

/// What a policy says for when the store fails; also its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Deny,
    Allow,
    Local,
}

impl Choice {
    pub(crate) const ALL: [Self; 3] = [Self::Deny, Self::Allow, Self::Local];

    const fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Allow => "allow",
            Self::Local => "local",
        }
    }

    /// True if it is what a request gets by this choice without the store.
    pub(crate) fn is_reason(self, reason: Reason) -> bool {
        match self {
            Self::Deny => reason == Reason::StoreFailedDeny,
            Self::Allow => reason == Reason::StoreFailedAllow,
            Self::Local => {
                reason == Reason::StoreFailedLocalAllow || reason == Reason::StoreFailedLocalDeny
            }
        }
    }
}

/// One instance of a service.
pub(crate) struct Instance {
    limiter: PolicyLimiter<OutageGuard<RedisStore>>,
}

impl Instance {
    /// Alone: its share is all.
    pub(crate) fn alone(url: &str, prefix: &str) -> Self {
        Self::one_of(1, url, prefix)
    }

    pub(crate) fn one_of(instances: u32, url: &str, prefix: &str) -> Self {
        let share = LocalShare::of_instances(instances).unwrap();
        let policies = Choice::ALL.map(|choice| {
            let on_store_failure = match choice {
                Choice::Deny => OnStoreFailure::Deny,
                Choice::Allow => OnStoreFailure::Allow,
                Choice::Local => OnStoreFailure::Local(share),
            };
            let policy = Policy::builder(choice.name())
                .path(format!("/{}", choice.name()).as_str())
                .key("user")
                .limit(limit(LIMIT))
                .on_store_failure(on_store_failure);
            policy.build().unwrap()
        });
        let store = RedisStore::open(url)
            .unwrap()
            .prefix(prefix)
            .timeout(2 * DEADLINE);
        let guard = OutageGuard::builder(store).deadline(DEADLINE);
        Self {
            limiter: PolicyLimiter::new(PolicySet::new(policies).unwrap(), guard.build().unwrap()),
        }
    }

    pub(crate) async fn ask(&self, choice: Choice, user: &str) -> Reason {
        let request = AttributeMap::new()
            .with(AttributeName::Path, format!("/{}", choice.name()))
            .with("user".parse().unwrap(), user);
        self.limiter.decide(&request).await.reason()
    }

    /// How many of so many requests are allowed; all must be decided by the store.
    pub(crate) async fn admitted(&self, choice: Choice, user: &str, requests: u64) -> u64 {
        let mut admitted = 0;
        for _ in 0..requests {
            let reason = self.ask(choice, user).await;
            assert!(!reason.is_degraded(), "{choice:?}: {reason}");
            admitted += u64::from(reason.is_allow());
        }
        admitted
    }

    /// Asks once for each choice, at the same time, while the store cannot answer: whether the
    /// request that this instance decides by itself was allowed.
    pub(crate) async fn ask_each_in_vain(&self, user: &str) -> bool {
        let reasons = tokio::join!(
            self.ask(Choice::Deny, user),
            self.ask(Choice::Allow, user),
            self.ask(Choice::Local, user),
        );
        for (choice, reason) in Choice::ALL
            .into_iter()
            .zip([reasons.0, reasons.1, reasons.2])
        {
            assert!(choice.is_reason(reason), "{choice:?}: {reason}");
        }
        reasons.2.is_allow()
    }

    /// Asks until the store decides. What else requests get meanwhile must be the policy's choice.
    pub(crate) async fn until_the_store_decides(&self, choice: Choice, user: &str) -> Reason {
        let asking = async {
            loop {
                let reason = self.ask(choice, user).await;
                if !reason.is_degraded() {
                    return reason;
                }
                assert!(choice.is_reason(reason), "{choice:?}: {reason}");
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, asking).await.unwrap()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.limiter.store().is_open()
    }

    pub(crate) fn stats(&self) -> OutageStats {
        self.limiter.store().stats()
    }
}

/// How many connections of clients there are of whom `CLIENT LIST` says what `is` wants.
pub(crate) fn connections(server: &RedisServer, is: impl Fn(&str) -> bool) -> usize {
    let clients = server.command(&["CLIENT", "LIST", "TYPE", "normal"]).text();
    clients.lines().filter(|line| is(line)).count()
}

/// What must hold of a server when all is over: of those who came by the network, only the stores
/// are still there.
pub(crate) fn assert_tidy(server: &RedisServer, prefix: &str, instances: usize) {
    server.assert_lifetimes(prefix, LONGEST);
    let name = server.engine().name();
    until(&format!("{name} has a connection of each store"), || {
        connections(server, |line| line.contains(" addr=127.0.0.1:")) == instances
    });
}
