//! The first of failures, told before there are enough of them for an outage.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::changes::Chain;
use crate::StoreError;

/// How long no other one is told.
const QUIET: Duration = Duration::from_secs(60);

/// Whether the last call has failed, and when that was told.
#[derive(Debug, Default)]
pub(super) struct Failing {
    is_failing: AtomicBool,
    /// Locked where calls begin to fail only.
    told: Mutex<Option<Instant>>,
}

impl Failing {
    /// A call was answered.
    #[inline]
    pub(super) fn answered(&self) {
        // Nearly always it is only read, so that no two threads wait for it.
        if self.is_failing.load(Ordering::Relaxed) {
            self.is_failing.store(false, Ordering::Relaxed);
        }
    }

    /// A call has failed; tells of it if it is the first after one that was answered, and `is_news`:
    /// nobody else tells.
    #[cold]
    pub(super) fn failed(&self, error: &StoreError, is_news: bool) {
        if self.is_failing.swap(true, Ordering::Relaxed) || !is_news {
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_some_and(|told| told.elapsed() < QUIET) {
            return;
        }
        *told = Some(Instant::now());
        drop(told);
        tracing::warn!(
            cause = %Chain(error),
            "a call to the rate-limit store has failed"
        );
    }
}
