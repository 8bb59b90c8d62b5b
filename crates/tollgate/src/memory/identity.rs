//! What tells one count from another: a keyed hash of policy, key and limit id.

use std::hash::{BuildHasher, Hasher, RandomState};

use siphasher::sip128::{Hasher128, SipHasher13};
use tollgate_core::LimitId;

/// The identity of one count, as 128 bits of a keyed hash.
///
/// The key is drawn at random for each store, so nobody outside can choose texts that meet in the
/// same identity: with SipHash as a pseudorandom function, any two of `n` counts meet with a
/// probability of less than n² / 2^129.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The bits that a table sorts and compares by.
    pub(super) high: u64,
    /// The bits that a table compares besides (the lower 48) and that choose the shard (the upper
    /// 16).
    pub(super) low: u64,
}

/// The lower bits of [`Identity::low`], which are kept beside the state.
pub(super) const KEPT_BITS: u32 = 48;
pub(super) const KEPT_MASK: u64 = (1 << KEPT_BITS) - 1;

/// Where the policy's length stands in the first word: above the period, which is below 2^45
/// microseconds, and below the algorithm.
const LENGTH_SHIFT: u32 = 45;
/// The length from which on a policy's name is preceded by a word of its own.
const LONG_POLICY: u64 = (1 << 11) - 1;

impl Identity {
    /// The number of the shard, of `count` of them (a power of two, at most 2^16).
    pub(super) fn shard(self, count: usize) -> usize {
        let bits = usize::try_from(self.low >> KEPT_BITS).unwrap_or(0);
        bits & (count - 1)
    }
}

/// Computes identities with the key of one store.
#[derive(Clone)]
pub(super) struct Identifier {
    hasher: SipHasher13,
}

impl std::fmt::Debug for Identifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key is what keeps identities unpredictable.
        f.write_str("Identifier")
    }
}

impl Identifier {
    /// An identifier with a key that nobody knows.
    pub(super) fn random() -> Self {
        // The standard library seeds this from the system once and counts on from there.
        let random = RandomState::new();
        Self {
            hasher: SipHasher13::new_with_keys(random.hash_one(0_u8), random.hash_one(1_u8)),
        }
    }

    /// The identity of a count.
    pub(super) fn identity(&self, limit: LimitId, policy: &str, key: &str) -> Identity {
        // The first word holds the limit's id and, in bits that ids leave free, the policy's
        // length (a longer one follows whole). So everything of varying length is preceded by
        // its length or is the last, and different counts never make the same input.
        let length = u64::try_from(policy.len()).unwrap_or(u64::MAX);
        let mut hasher = self.hasher;
        hasher.write_u64(limit.as_u64() | length.min(LONG_POLICY) << LENGTH_SHIFT);
        if length > 0 {
            if length >= LONG_POLICY {
                hasher.write_u64(length);
            }
            hasher.write(policy.as_bytes());
        }
        hasher.write(key.as_bytes());
        let hash = hasher.finish128();
        Identity {
            high: hash.h1,
            low: hash.h2,
        }
    }
}
