//! Answers that come as the deadline does.

use tokio::sync::oneshot;

use super::*;

/// Answers after a time, through a task that the answer must go through.
struct Slow {
    store: MemoryStore<ManualClock>,
    after: Duration,
}

impl Store for Slow {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let outcomes = self.store.decide(charges).await;
        let (sender, answer) = oneshot::channel();
        let after = self.after;
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            // Who asked may have given up.
            let _ = sender.send(());
        });
        answer.await.unwrap();
        outcomes
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.store.peek(charges).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.store.refund(charges, admitted).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.store.reset(limit, policy, key).await
    }
}

fn slow(after: Duration) -> OutageGuard<Slow> {
    OutageGuard::new(Slow {
        store: MemoryStore::with_clock(ManualClock::new(START)),
        after,
    })
}

/// As where the process stood still until both were due.
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_there_when_the_deadline_is_noticed_is_an_answer() {
    let guard = slow(DEADLINE);
    assert!(decide(&guard).await.unwrap().is_allowed());
    assert!(!guard.is_open());
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_comes_later_is_none() {
    let guard = slow(DEADLINE + TIMER + TIMER);
    assert_eq!(error(&guard).await, StoreErrorKind::Timeout);
}
