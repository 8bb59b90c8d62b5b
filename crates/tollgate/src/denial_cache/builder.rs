//! The options of a cache, told before it is made.

use std::time::Duration;

use tollgate_core::Micros;

use super::table::Table;
use super::validity::Validity;
use super::watch::Watch;
use super::{DenialCache, Identifier};
use crate::{Clock, SystemClock};

/// Builds a [`DenialCache`].
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct DenialCacheBuilder<S, C = SystemClock> {
    store: S,
    clock: C,
    max_entries: usize,
    validity: Validity,
}

impl<S> DenialCacheBuilder<S> {
    pub(super) fn new(store: S) -> Self {
        Self {
            store,
            clock: SystemClock::new(),
            max_entries: 100_000,
            validity: Validity {
                one_clock: false,
                ask_again_after: Micros::MINUTE,
            },
        }
    }
}

impl<S, C: Clock> DenialCacheBuilder<S, C> {
    /// The most counts that are remembered: one for each limit of a denied request. A count takes
    /// up to 128 bytes: ten of them at once, the others when it comes.
    ///
    /// The default is a hundred thousand. It is at least 1, whatever is given. When there is no
    /// room, the count that is let go soonest of some sixteen is dropped; its next denial asks the
    /// store.
    pub const fn max_entries(mut self, max_entries: usize) -> Self {
        self.max_entries = if max_entries == 0 { 1 } else { max_entries };
        self
    }

    /// After how long a key that is still being denied asks the store again: how late resets and
    /// refunds by *other* processes may be noticed.
    ///
    /// The default is a minute. Shorter costs a store call per key and span; [`Duration::MAX`]
    /// relies on an answer for as long as it says. A store that fails to answer then does not
    /// matter: what it said last holds for as long as it said.
    pub fn ask_again_after(mut self, span: Duration) -> Self {
        self.validity.ask_again_after = Micros::from_duration(span);
        self
    }

    /// The clock to measure time by, if not the system's. It should not step.
    pub fn clock<D: Clock>(self, clock: D) -> DenialCacheBuilder<S, D> {
        DenialCacheBuilder {
            store: self.store,
            clock,
            max_entries: self.max_entries,
            validity: Validity {
                one_clock: false,
                ..self.validity
            },
        }
    }

    /// The clock that the store reads as well. Nothing is then left to differences between clocks,
    /// and what is answered is the same as the store's answer in every bit.
    pub fn clock_of_store<D: Clock>(self, clock: D) -> DenialCacheBuilder<S, D> {
        let mut builder = self.clock(clock);
        builder.validity.one_clock = true;
        builder
    }

    /// The cache, with nothing in it.
    pub fn build(self) -> DenialCache<S, C> {
        DenialCache {
            store: self.store,
            watch: Watch::new(self.clock),
            validity: self.validity,
            identifier: Identifier::random(),
            table: Table::new(self.max_entries),
        }
    }
}
