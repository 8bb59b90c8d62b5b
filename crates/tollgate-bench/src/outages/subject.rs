//! What is measured: policies over a guard over a store in Redis.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::task::JoinSet;
use tollgate::{OutageGuard, OutageStats};
use tollgate_policy::{
    AttributeMap, AttributeName, Decision, LocalShare, OnStoreFailure, Policy, PolicyLimiter,
    PolicySet, Reason,
};
use tollgate_redis::RedisStore;

/// How long a decision may take, in all that is measured here.
pub(super) const DEADLINE: Duration = Duration::from_millis(100);

/// How many clients each policy has.
const CLIENTS: usize = 1_000;

/// So much that nobody is denied, and so long that nothing is given back meanwhile.
const LIMIT: &str = "1000000/366d fixed-window anchor first-request";

/// How long looking at a count may take: nothing is measured by then.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many look at once.
const TOGETHER: usize = 50;

/// What a policy says for when the store fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Deny,
    Allow,
    Local,
}

impl Choice {
    pub(super) const ALL: [Self; 3] = [Self::Deny, Self::Allow, Self::Local];

    const fn path(self) -> &'static str {
        match self {
            Self::Deny => "/deny",
            Self::Allow => "/allow",
            Self::Local => "/local",
        }
    }

    fn policy(self) -> Result<Policy> {
        let choice = match self {
            Self::Deny => OnStoreFailure::Deny,
            Self::Allow => OnStoreFailure::Allow,
            Self::Local => OnStoreFailure::Local(LocalShare::of_instances(1)?),
        };
        let policy = Policy::builder(&self.path()[1..])
            .path(self.path())
            .key("user")
            .limit(LIMIT.parse()?)
            .on_store_failure(choice);
        Ok(policy.build()?)
    }

    /// What a request gets that the store did not decide. The shares are ample, too.
    pub(super) const fn reason(self) -> Reason {
        match self {
            Self::Deny => Reason::StoreFailedDeny,
            Self::Allow => Reason::StoreFailedAllow,
            Self::Local => Reason::StoreFailedLocalAllow,
        }
    }
}

/// A policy of each choice, each for many clients, over one store.
pub(super) struct Subject {
    limiter: PolicyLimiter<OutageGuard<RedisStore>>,
    /// The same policies on a store of its own that nobody guards, to look at counts afterwards.
    looker: PolicyLimiter<RedisStore>,
}

impl Subject {
    /// Asks nothing of the store.
    pub(super) fn open(url: &str) -> Result<Self> {
        let store = RedisStore::open(url)?;
        let guard = OutageGuard::builder(store).deadline(DEADLINE).build()?;
        let policies: Vec<_> = Choice::ALL
            .into_iter()
            .map(Choice::policy)
            .collect::<Result<_>>()?;
        let set = Arc::new(PolicySet::new(policies)?);
        let looker = RedisStore::open(url)?.timeout(PATIENCE);
        Ok(Self {
            limiter: PolicyLimiter::new(Arc::clone(&set), guard),
            looker: PolicyLimiter::new(set, looker),
        })
    }

    /// Decides the request of this number.
    pub(super) async fn decide(&self, number: usize) -> (Choice, Decision) {
        let choice = Choice::ALL[number % Choice::ALL.len()];
        let client = number / Choice::ALL.len() % CLIENTS;
        let request = AttributeMap::new()
            .with(AttributeName::Path, choice.path())
            .with(
                AttributeName::Other("user".into()),
                format!("user:{client}"),
            );
        (choice, self.limiter.decide(&request).await)
    }

    pub(super) fn stats(&self) -> OutageStats {
        self.limiter.store().stats()
    }

    /// How many requests the store has counted, of all clients. Adds one to each.
    pub(super) async fn counted(this: &Arc<Self>) -> Result<u64> {
        let mut counted = 0;
        let all: Vec<usize> = (0..Choice::ALL.len() * CLIENTS).collect();
        for some in all.chunks(TOGETHER) {
            let mut looks = JoinSet::new();
            for number in some.iter().copied() {
                let this = Arc::clone(this);
                looks.spawn(async move { this.used(number).await });
            }
            while let Some(used) = looks.join_next().await {
                counted += used??;
            }
        }
        Ok(counted)
    }

    /// How much the store has counted for the client of this request before it.
    async fn used(&self, number: usize) -> Result<u64> {
        let decision = self.looker.decide(&request(number).1).await;
        let reason = decision.reason();
        ensure!(
            reason == Reason::Allowed,
            "looking at counts got {reason}, long after the store's return"
        );
        let decided = decision.decided_by().context("a policy decides")?;
        let (_, outcome) = decided.deciding().context("a limit decides")?;
        Ok(outcome.limit - outcome.remaining - 1)
    }
}

/// The request of a number: policies and clients take turns.
fn request(number: usize) -> (Choice, AttributeMap) {
    let choice = Choice::ALL[number % Choice::ALL.len()];
    let client = number / Choice::ALL.len() % CLIENTS;
    let request = AttributeMap::new()
        .with(AttributeName::Path, choice.path())
        .with(
            AttributeName::Other("user".into()),
            format!("user:{client}"),
        );
    (choice, request)
}
