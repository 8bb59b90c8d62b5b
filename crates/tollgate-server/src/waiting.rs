//! Requests that wait for the store.
//!
//! A store has a bound on how many decisions wait for it (`max_waiting` of `[store]`), beyond which
//! it fails those of everybody, and a policy might let them all through. So the surfaces take on no
//! more than that between them. The Redis protocol has half of it: pipelines ask for many decisions
//! at a time, and those beyond it wait for their turn. The others have the rest, and refuse.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::seldom::Seldom;

/// Too many requests wait for the store. What cannot wait is answered in the words of the protocol,
/// with [`RETRY_AFTER`](crate::metrics::RETRY_AFTER).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "too many requests wait for the store; try again in a second, or raise max_waiting of [store]"
)]
pub(crate) struct TooManyWait;

/// The places of those who wait for the store. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// Of the Redis protocol.
    pipelined: Arc<Semaphore>,
    others: Arc<Semaphore>,
    /// How many others there may be.
    most: u32,
    log: Arc<Seldom>,
}

impl Waiting {
    /// For a store on which so many decisions wait, at least 1.
    pub(crate) fn new(max_waiting: usize) -> Self {
        let half = max_waiting.min(Semaphore::MAX_PERMITS) / 2;
        let pipelined = Arc::new(Semaphore::new(half.max(1)));
        let rest = (max_waiting.min(Semaphore::MAX_PERMITS) - half).max(1);
        let others = match half {
            // One place is everybody's.
            0 => Arc::clone(&pipelined),
            _ => Arc::new(Semaphore::new(rest)),
        };
        Self {
            pipelined,
            others,
            most: u32::try_from(rest).unwrap_or(u32::MAX),
            log: Arc::new(Seldom::new()),
        }
    }

    /// For those that wait for a place.
    pub(crate) fn pipelined(&self) -> Arc<Semaphore> {
        Arc::clone(&self.pipelined)
    }

    /// A place for one decision.
    ///
    /// # Errors
    ///
    /// There is none. It is logged, but not for each.
    pub(crate) fn enter(&self) -> Result<OwnedSemaphorePermit, TooManyWait> {
        self.enter_with(1)
    }

    /// Places for several decisions, and no more than there are in all: as many are to wait at a
    /// time as there are [permits](OwnedSemaphorePermit::num_permits).
    ///
    /// # Errors
    ///
    /// There are too few.
    pub(crate) fn enter_with(&self, several: usize) -> Result<OwnedSemaphorePermit, TooManyWait> {
        let several = u32::try_from(several).unwrap_or(u32::MAX);
        let places = several.clamp(1, self.most);
        let entered = Arc::clone(&self.others).try_acquire_many_owned(places);
        entered.map_err(|_| self.too_many())
    }

    #[cold]
    fn too_many(&self) -> TooManyWait {
        if let Some(untold) = self.log.tell() {
            tracing::warn!(
                untold,
                "too many requests wait for the store, and others are refused; is it slow, or \
                 `max_waiting` of `[store]` too small?"
            );
        }
        TooManyWait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn all_surfaces_together_have_as_many_places_as_the_store() {
        for max_waiting in [1, 2, 3, 7, 1_024] {
            let waiting = Waiting::new(max_waiting);
            let mut places = Vec::new();
            while let Ok(place) = waiting.pipelined().try_acquire_owned() {
                places.push(place);
            }
            while let Ok(place) = waiting.enter() {
                places.push(place);
            }
            assert_eq!(places.len(), max_waiting);
            places.clear();
            assert!(waiting.enter().is_ok(), "{max_waiting}");
        }
    }

    #[tokio::test]
    async fn several_that_are_more_than_there_are_places_have_all_of_them() {
        let waiting = Waiting::new(8);
        let places = waiting.enter_with(100).unwrap();
        assert_eq!(places.num_permits(), 4);
        assert_eq!(waiting.enter().unwrap_err(), TooManyWait);
        drop(places);
        assert_eq!(waiting.enter_with(3).unwrap().num_permits(), 3);
    }
}
