//! A wrapper that answers repeated denials without its store.

mod answer;
mod asked;
mod builder;
mod entry;
mod known;
mod table;
mod validity;
mod watch;

use std::fmt;

use smallvec::SmallVec;
use tollgate_core::{Charge, Limit, State, Timestamp};

pub use builder::DenialCacheBuilder;

use crate::memory::identity::{Identifier, Identity};
use crate::{Clock, Outcomes, Store, StoreError, SystemClock};
use asked::Asked;
use table::Table;
use validity::Validity;
use watch::{Reading, Watch};

type Few<T> = SmallVec<[T; 4]>;

/// A store around another one that answers what the other would answer, and does not ask it again
/// about a key that is being denied.
///
/// Whoever is denied may come a thousand times a second. A store that must be waited for, such as
/// one on Redis, would be asked each time; with this around it, it is asked once, and the other
/// denials are answered in this process, without waiting ([`Store::decide_at_once`]) and without
/// allocating. Around a [`MemoryStore`](crate::MemoryStore) it would gain nothing.
///
/// ```
/// use std::time::Duration;
/// use tollgate::{DenialCache, Limiter, MemoryStore};
///
/// # let redis = MemoryStore::default();
/// let cache = DenialCache::builder(redis)
///     .max_entries(50_000)
///     .ask_again_after(Duration::from_secs(10))
///     .build();
/// let logins = Limiter::builder(cache).limit("10/min".parse()?).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What is answered from memory
///
/// A request is denied from memory if, of each of its counts, it is certain how the store has it:
///
/// * A count that denies even a single unit until some instant is *frozen*: nobody can spend
///   anything of it before. That alone is enough for requests of one limit, and for any number of
///   limits that deny.
/// * A count that has something left is certain while a frozen one of the same policy and key is
///   charged with it: all or nothing is spent of both. For that the store must tell states
///   ([`Store::decide_with_states`]), and the limit must not be a sliding log.
///
/// Everything else asks the store: what it would admit; a request that is denied only for its
/// cost; one to which another policy applies that has something left and may be spent elsewhere,
/// in shadow or not. A limit that was changed never gets what was told of the old one.
///
/// # Promises
///
/// With or without it, the outcomes are the same in every bit, if it reads the store's own clock
/// ([`clock_of_store`](DenialCacheBuilder::clock_of_store)). Usually it does not. Then:
///
/// * A denial is answered only while the store is certain to deny: not in the last thousandth of
///   the wait (by which clocks may run apart), nor in the 33 ms before that. The wait counts from
///   before the store was asked.
/// * The instant that is answered is at most a thousandth of the time since the store answered,
///   and the way of its answer, behind the store's. So a wait that is told is never too short,
///   and too long by no more than that.
/// * A clock that steps back makes the cache forget everything.
///
/// # What changes a count
///
/// Whatever goes through the cache is noticed at once: charges, refunds and [`reset`](Store::reset).
/// After a reload of policies call [`clear`](Self::clear). Changes by *other* processes are
/// noticed when the store is asked next, after a minute unless
/// [`ask_again_after`](DenialCacheBuilder::ask_again_after) says otherwise: a key that was reset
/// there, or refunded, is denied for so long. What others spend cannot make a denial wrong; only if
/// a key changes between tiers whose windows share a count, and another process spends of it
/// meanwhile, the numbers told here can be as old as that.
///
/// # Failures
///
/// An error is never remembered. If the store fails when it is asked about a key that is known to
/// be denied, the answer is still the denial: so put the cache *around* whatever bounds the time
/// of a failing store, and only around stores that count themselves. One that answers from a
/// substitute while it fails would have the substitute's denials remembered.
pub struct DenialCache<S, C = SystemClock> {
    store: S,
    watch: Watch<C>,
    validity: Validity,
    identifier: Identifier,
    table: Table,
}

impl<S> DenialCache<S> {
    /// A cache with the builder's defaults.
    pub fn new(store: S) -> Self {
        Self::builder(store).build()
    }

    /// Begins a cache around `store`.
    pub fn builder(store: S) -> DenialCacheBuilder<S> {
        DenialCacheBuilder::new(store)
    }
}

impl<S, C> DenialCache<S, C> {
    /// The store within. What is changed there directly is not noticed: call
    /// [`clear`](Self::clear).
    pub const fn store(&self) -> &S {
        &self.store
    }

    /// Forgets everything, what is on its way to be remembered too.
    pub fn clear(&self) {
        self.table.clear();
    }

    /// How many counts are remembered. Some may have had their time.
    pub fn entries(&self) -> usize {
        self.table.len()
    }

    #[inline]
    fn identity(&self, charge: &Charge<'_>) -> Identity {
        self.identifier
            .identity(charge.limit().id(), charge.policy(), charge.key())
    }

    fn asked(&self, charges: &[Charge<'_>]) -> Asked<'_> {
        let identities = charges.iter().map(|charge| self.identity(charge));
        Asked::new(&self.table, identities)
    }
}

impl<S, C: Clock> DenialCache<S, C> {
    #[inline]
    fn now(&self) -> Timestamp {
        let Reading { now, stepped_back } = self.watch.read();
        if stepped_back {
            self.clear();
        }
        now
    }

    /// Learns from the store's answer to what was asked at `began`.
    fn conclude(
        &self,
        asked: Asked<'_>,
        charges: &[Charge<'_>],
        answer: Result<(Outcomes, Vec<State>), StoreError>,
        began: Timestamp,
    ) -> Result<Outcomes, StoreError> {
        let now = self.now();
        match answer {
            Ok((outcomes, _)) if outcomes.is_allowed() => {
                drop(asked);
                Ok(outcomes)
            }
            Ok((outcomes, states)) => {
                asked.denied(charges, (&outcomes, &states), (began, now), self.validity);
                Ok(outcomes)
            }
            Err(error) => {
                let known = self.answer(charges, now, true).ok_or(error)?;
                // It is denied, so whatever became of the call, it has spent nothing.
                asked.keep();
                Ok(known)
            }
        }
    }
}

impl<S: Store, C: Clock> Store for DenialCache<S, C> {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let began = self.now();
        if let Some(denial) = self.answer(charges, began, false) {
            return Ok(denial);
        }
        let asked = self.asked(charges);
        let answer = self.store.decide_with_states(charges).await;
        self.conclude(asked, charges, answer, began)
    }

    #[inline]
    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        let began = self.now();
        if let Some(denial) = self.answer(charges, began, false) {
            return Some(Ok(denial));
        }
        let asked = self.asked(charges);
        let Some(answer) = self.store.decide_at_once(charges) else {
            asked.keep();
            return None;
        };
        let answer = answer.map(|outcomes| (outcomes, Vec::new()));
        Some(self.conclude(asked, charges, answer, began))
    }

    fn peek(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        self.store.peek(charges)
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        // Forgotten at the end too, since until then answers may come that do not know of it.
        let asked = self.asked(charges);
        asked.forget();
        self.store.refund(charges, admitted).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        let asked = self.asked(&[Charge::new(limit, key, 1).of_policy(policy)]);
        asked.forget();
        self.store.reset(limit, policy, key).await
    }

    fn probe(&self) -> impl Future<Output = Result<(), StoreError>> + Send {
        self.store.probe()
    }

    fn outages(&self) -> u64 {
        self.store.outages()
    }
}

impl<S: fmt::Debug, C> fmt::Debug for DenialCache<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DenialCache")
            .field("store", &self.store)
            .field("entries", &self.entries())
            .finish_non_exhaustive()
    }
}
