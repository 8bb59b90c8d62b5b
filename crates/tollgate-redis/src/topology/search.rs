//! Looking for servers in the background.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tollgate::{StoreError, StoreErrorKind};

const FIRST_WAIT: Duration = Duration::from_millis(25);
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// Between the end of a search and the next one.
const REST: Duration = Duration::from_millis(50);

/// What is looked for: attempts are made until one succeeds, one at a time.
pub(super) trait Seek: Send + Sync + 'static {
    fn search(&self) -> &Search;

    /// One attempt, which keeps what it has found.
    fn seek(&self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// How far a search is.
#[derive(Debug)]
pub(super) struct Search {
    progress: watch::Sender<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    is_running: bool,
    /// Why callers need not wait for it.
    failure: Option<(StoreErrorKind, String)>,
    ended: Option<Instant>,
}

impl Search {
    pub(super) fn new() -> Self {
        Self {
            progress: watch::Sender::default(),
        }
    }

    /// Waits for the first attempt of the search that is running, if there is one.
    ///
    /// # Errors
    ///
    /// At once while attempts fail: the search goes on without anyone waiting for it.
    pub(super) async fn first_attempt(&self, timeout: Duration) -> Result<(), StoreError> {
        let mut progress = self.progress.subscribe();
        let attempt = progress.wait_for(|now| !now.is_running || now.failure.is_some());
        match tokio::time::timeout(timeout, attempt).await {
            Ok(Ok(now)) => match &now.failure {
                Some((kind, message)) => Err(StoreError::new(*kind, message.clone())),
                None => Ok(()),
            },
            // It cannot be gone, since we borrow it.
            Ok(Err(_)) => Ok(()),
            Err(_) => Err(StoreError::new(
                StoreErrorKind::Timeout,
                format!(
                    "no redis to ask was found within {} ms",
                    timeout.as_millis()
                ),
            )),
        }
    }

    fn failed(&self, error: &StoreError) {
        self.progress.send_modify(|progress| {
            progress.failure = Some((error.kind(), error.to_string()));
        });
    }

    fn ended(&self, has_succeeded: bool) {
        self.progress.send_modify(|progress| {
            progress.is_running = false;
            progress.ended = Some(Instant::now());
            if has_succeeded {
                progress.failure = None;
            }
        });
    }
}

/// Begins to search, if nobody does. With a reason, callers do not wait for the first attempt: they
/// are told the reason.
pub(super) fn start<S: Seek>(owner: &Arc<S>, reason: Option<&StoreError>) {
    let mut rest = Duration::ZERO;
    let begins = owner.search().progress.send_if_modified(|progress| {
        if progress.is_running {
            return false;
        }
        progress.is_running = true;
        progress.failure = reason.map(|error| (error.kind(), error.to_string()));
        if let Some(ended) = progress.ended {
            rest = REST.saturating_sub(ended.elapsed());
        }
        true
    });
    if !begins {
        return;
    }
    let running = Running {
        owner: Arc::downgrade(owner),
        has_succeeded: false,
    };
    tokio::spawn(running.run(rest));
}

/// The search, which ends with its owner or the runtime.
struct Running<S: Seek> {
    owner: std::sync::Weak<S>,
    has_succeeded: bool,
}

impl<S: Seek> Running<S> {
    async fn run(mut self, rest: Duration) {
        tokio::time::sleep(rest).await;
        let mut longest = FIRST_WAIT;
        loop {
            let Some(owner) = self.owner.upgrade() else {
                return;
            };
            match owner.seek().await {
                Ok(()) => {
                    self.has_succeeded = true;
                    return;
                }
                Err(error) => owner.search().failed(&error),
            }
            drop(owner);
            // By chance up to a half shorter, so that many processes do not ask at once.
            let wait = longest.mul_f64(1.0 - fastrand::f64() / 2.0);
            tokio::time::sleep(wait).await;
            longest = (longest * 2).min(LONGEST_WAIT);
        }
    }
}

impl<S: Seek> Drop for Running<S> {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.upgrade() {
            owner.search().ended(self.has_succeeded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Fails {
        search: Search,
        attempts: AtomicUsize,
        failures: usize,
    }

    impl Seek for Fails {
        fn search(&self) -> &Search {
            &self.search
        }

        async fn seek(&self) -> Result<(), StoreError> {
            tokio::time::sleep(Duration::from_millis(10)).await;
            if self.attempts.fetch_add(1, Ordering::SeqCst) < self.failures {
                let message = "nobody there";
                return Err(StoreError::new(StoreErrorKind::Unavailable, message));
            }
            Ok(())
        }
    }

    fn fails(failures: usize) -> Arc<Fails> {
        Arc::new(Fails {
            search: Search::new(),
            attempts: AtomicUsize::new(0),
            failures,
        })
    }

    const MINUTE: Duration = Duration::from_secs(60);

    async fn runs(owner: &Fails) {
        let mut progress = owner.search.progress.subscribe();
        progress.wait_for(|now| !now.is_running).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn callers_wait_for_the_first_attempt_and_for_no_other() {
        let owner = fails(20);
        start(&owner, None);
        let before = Instant::now();
        let error = owner.search.first_attempt(MINUTE).await.unwrap_err();
        assert_eq!(error.to_string(), "nobody there");
        assert_eq!(before.elapsed(), Duration::from_millis(10));
        for _ in 0..100 {
            owner.search.first_attempt(MINUTE).await.unwrap_err();
        }
        assert_eq!(before.elapsed(), Duration::from_millis(10));
        runs(&owner).await;
        owner.search.first_attempt(MINUTE).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn callers_do_not_wait_where_there_is_a_reason() {
        let owner = fails(0);
        let reason = StoreError::new(StoreErrorKind::Timeout, "lost");
        start(&owner, Some(&reason));
        let error = owner.search.first_attempt(MINUTE).await.unwrap_err();
        assert_eq!(error.to_string(), "lost");
        runs(&owner).await;
        owner.search.first_attempt(MINUTE).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn makes_one_attempt_at_a_time_and_less_often_up_to_a_cap() {
        let owner = fails(50);
        let before = Instant::now();
        for _ in 0..10 {
            start(&owner, None);
        }
        runs(&owner).await;
        assert_eq!(owner.attempts.load(Ordering::SeqCst), 51);
        let took = before.elapsed();
        assert!(took > (LONGEST_WAIT / 2) * 44, "{took:?}");
        assert!(
            took < (LONGEST_WAIT + Duration::from_millis(20)) * 51,
            "{took:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn rests_between_searches_and_ends_with_its_owner() {
        let owner = fails(0);
        start(&owner, None);
        runs(&owner).await;
        let before = Instant::now();
        start(&owner, None);
        runs(&owner).await;
        assert!(before.elapsed() >= REST);
        let owner = fails(usize::MAX);
        start(&owner, None);
        owner.search.first_attempt(MINUTE).await.unwrap_err();
        let weak = Arc::downgrade(&owner);
        drop(owner);
        tokio::time::sleep(LONGEST_WAIT * 2).await;
        assert!(weak.upgrade().is_none());
    }
}
