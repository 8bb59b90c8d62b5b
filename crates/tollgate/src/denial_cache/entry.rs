//! What is remembered of one count.

use tollgate_core::{Charge, Limit, Timestamp};

use super::known::Known;
use super::validity::Validity;
use crate::memory::identity::Identity;

/// How a count stood when the store told it, and for how long that holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) identity: Identity,
    /// With the identity, which covers algorithm and period, all that an outcome depends on.
    units: u64,
    quota: u64,
    /// The store's instant.
    pub(super) at: Timestamp,
    /// When the store had answered, by the cache's clock.
    answered: Timestamp,
    /// From then on the store is asked again, if it can answer; by the cache's clock.
    ask_again: Timestamp,
    /// From then on nothing is certain; by the cache's clock.
    pub(super) until: Timestamp,
    /// True if the count denies every cost until then, so that nothing can be spent from it.
    pub(super) frozen: bool,
    pub(super) known: Known,
}

/// When the store was asked and when it had answered, by the cache's clock, and the instant that
/// it told, by its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) asked: Timestamp,
    pub(super) answered: Timestamp,
    pub(super) at: Timestamp,
}

impl Entry {
    /// A count that denies every cost, if it does.
    pub(super) fn frozen(
        identity: Identity,
        limit: &Limit,
        known: Known,
        told: Told,
        validity: Validity,
    ) -> Option<Self> {
        let retry_at = known.admits_a_unit_at(limit)?;
        let wait = validity.certainly_within(retry_at.saturating_since(told.at));
        let relied_on = wait.min(validity.ask_again_after);
        Some(Self {
            identity,
            units: limit.units(),
            quota: limit.quota(),
            at: told.at,
            answered: told.answered,
            ask_again: told.asked.saturating_add(relied_on),
            until: told.asked.saturating_add(wait),
            frozen: true,
            known,
        })
    }

    /// A count of the same answer that has something left, but from which nothing is spent while
    /// `guard` is frozen.
    pub(super) const fn guarded(
        identity: Identity,
        limit: &Limit,
        known: Known,
        guard: &Self,
    ) -> Self {
        Self {
            identity,
            units: limit.units(),
            quota: limit.quota(),
            frozen: false,
            known,
            ..*guard
        }
    }

    /// True if this was told of this very limit, and still holds at `now` of the cache's clock.
    /// As the last resort it may be due to be asked for again.
    #[inline]
    pub(super) fn holds(&self, limit: &Limit, now: Timestamp, is_last_resort: bool) -> bool {
        let end = if is_last_resort {
            self.until
        } else {
            self.ask_again
        };
        self.units == limit.units()
            && self.quota == limit.quota()
            && self.answered <= now
            && now < end
    }

    /// An instant that the store's clock has reached at `now` of the cache's.
    #[inline]
    pub(super) fn store_instant(&self, now: Timestamp, validity: Validity) -> Timestamp {
        let here = now.saturating_since(self.answered);
        self.at.saturating_add(validity.certainly_passed(here))
    }

    /// True if nothing can have been spent from `other` since it was told, because this count,
    /// which is charged together with it, was frozen all the while.
    #[inline]
    pub(super) fn guards(&self, other: &Self) -> bool {
        self.frozen && self.at <= other.at
    }
}

/// True if both charges are of one policy and key, and are admitted together or not at all.
#[inline]
pub(super) fn are_together(one: &Charge<'_>, other: &Charge<'_>) -> bool {
    one.shadow() == other.shadow() && one.key() == other.key() && one.policy() == other.policy()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a tag of 8 bytes, and a set's share of what is not an entry, less than the 128 bytes
    /// that the builder tells.
    #[test]
    fn an_entry_is_as_small_as_the_builder_says() {
        assert!(size_of::<Entry>() <= 112, "{}", size_of::<Entry>());
    }
}
