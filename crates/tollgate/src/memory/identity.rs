//! What tells one count from another: 128 bits of a keyed hash of policy, key and limit id.
//!
//! # The hash
//!
//! A short input, as nearly all are, is hashed by *multilinear* hashing (D. Lemire and O. Kaser,
//! "Strongly universal string hashing is fast", 2014): with words `w` of 64 bits and random
//! numbers `m` of 128 bits, drawn for each store,
//!
//! ```text
//! h = (m[0] + m[1]·w[1] + m[2]·w[2] + …) mod 2^128, of which the upper 64 bits are kept,
//! ```
//!
//! twice, with independent numbers. The family is strongly universal: for any two different inputs
//! that were chosen without knowing the numbers, all pairs of hashes are equally likely, so they
//! meet with a probability of 2^-128, and among `n` inputs any two meet with less than n² / 2^129.
//! No weaker inputs exist, and it takes a few multiplications. What the theorem needs, inputs of
//! equal length in words, is had by counting missing words as zero; the first word holds the limit
//! id and the lengths in bytes, so that different inputs never make the same words.
//!
//! Hashes never leave the store. Inputs above [`SHORT`] bytes go through SipHash-1-3 instead, with
//! 128 bits of output.

use std::hash::{BuildHasher, Hasher, RandomState};

use siphasher::sip128::{Hasher128, SipHasher13};
use tollgate_core::LimitId;

/// The identity of one count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The bits that a table sorts and compares by.
    pub(crate) high: u64,
    /// The bits that a table compares besides (the lower 48) and that choose the shard (the upper
    /// 16).
    pub(crate) low: u64,
}

/// The lower bits of [`Identity::low`], which are kept beside the state.
pub(super) const KEPT_BITS: u32 = 48;
pub(super) const KEPT_MASK: u64 = (1 << KEPT_BITS) - 1;

impl Identity {
    /// The number of the shard, of `count` of them (a power of two, at most 2^16).
    #[inline]
    pub(super) fn shard(self, count: usize) -> usize {
        let bits = usize::try_from(self.low >> KEPT_BITS).unwrap_or(0);
        bits & (count - 1)
    }
}

/// The longest policy, and the longest key, in bytes, that is hashed by multilinear hashing.
const SHORT: usize = 255;
const WORD: usize = size_of::<u64>();
/// Words of the longest short input: the first, the policy's, the key's.
const WORDS: usize = 1 + 2 * (SHORT + 1) / WORD;

/// The random numbers of one word: one for each half of the hash.
type Factors = [u128; 2];

/// Computes identities with the random numbers of one store.
#[derive(Clone)]
pub(crate) struct Identifier {
    /// Those that are added, and those of the words.
    factors: Box<[Factors; 1 + WORDS]>,
    long: SipHasher13,
}

impl std::fmt::Debug for Identifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The numbers are what keeps identities unpredictable.
        f.write_str("Identifier")
    }
}

impl Identifier {
    /// An identifier with numbers that nobody knows.
    pub(crate) fn random() -> Self {
        // The standard library seeds this from the system's source of randomness; SipHash, keyed
        // so, makes as many numbers of it as needed.
        let random = RandomState::new();
        let mut count = 0_u64;
        let mut next = || {
            count += 1;
            random.hash_one(count)
        };
        let mut number = || u128::from(next()) << 64 | u128::from(next());
        let factors = std::array::from_fn(|_| [number(), number()]);
        Self {
            factors: Box::new(factors),
            long: SipHasher13::new_with_keys(next(), next()),
        }
    }

    /// The identity of a count.
    #[inline(always)]
    pub(crate) fn identity(&self, limit: LimitId, policy: &str, key: &str) -> Identity {
        if policy.len() > SHORT || key.len() > SHORT {
            return self.long(limit, policy, key);
        }
        let [added, first, rest @ ..] = &*self.factors;
        // Limit ids leave the upper 16 bits free.
        let lengths = word(policy.len()) << 8 | word(key.len());
        let mut sum = Sum(*added);
        sum.add(limit.as_u64() | lengths << 48, first);
        let rest = sum.add_bytes(policy.as_bytes(), rest);
        sum.add_bytes(key.as_bytes(), rest);
        sum.identity()
    }

    #[cold]
    fn long(&self, limit: LimitId, policy: &str, key: &str) -> Identity {
        let mut hasher = self.long;
        hasher.write_u64(limit.as_u64());
        hasher.write_u64(word(policy.len()));
        hasher.write(policy.as_bytes());
        hasher.write(key.as_bytes());
        let hash = hasher.finish128();
        Identity {
            high: hash.h1,
            low: hash.h2,
        }
    }
}

/// The two sums, modulo 2^128.
struct Sum(Factors);

impl Sum {
    #[inline]
    fn add(&mut self, word: u64, factors: &Factors) {
        let word = u128::from(word);
        self.0[0] = self.0[0].wrapping_add(factors[0].wrapping_mul(word));
        self.0[1] = self.0[1].wrapping_add(factors[1].wrapping_mul(word));
    }

    /// Adds the words of `bytes`, and returns the factors that are left. Where the bytes do not
    /// fill their last word, the word is the last eight of them: some count twice, but with the
    /// length known they still tell all bytes.
    #[inline]
    fn add_bytes<'f>(&mut self, bytes: &[u8], factors: &'f [Factors]) -> &'f [Factors] {
        if bytes.is_empty() {
            return factors;
        }
        // Two words are enough for an IPv4 address and for most names, and need no loop.
        if bytes.len() <= 2 * WORD
            && let Some(first) = bytes.first_chunk::<WORD>()
            && let Some(last) = bytes.last_chunk::<WORD>()
            && let [one, two, left @ ..] = factors
        {
            self.add(u64::from_le_bytes(*first), one);
            self.add(u64::from_le_bytes(*last), two);
            return left;
        }
        let (words, tail) = bytes.as_chunks::<WORD>();
        let mut factors = factors.iter();
        for (bytes, factors) in words.iter().zip(&mut factors) {
            self.add(u64::from_le_bytes(*bytes), factors);
        }
        if !tail.is_empty()
            && let Some(factors) = factors.next()
        {
            let last = bytes
                .last_chunk::<WORD>()
                .map_or_else(|| tail_word(tail), |bytes| u64::from_le_bytes(*bytes));
            self.add(last, factors);
        }
        factors.as_slice()
    }

    /// The upper halves.
    #[inline]
    const fn identity(&self) -> Identity {
        Identity {
            high: (self.0[0] >> 64) as u64,
            low: (self.0[1] >> 64) as u64,
        }
    }
}

/// Fewer than eight bytes as a word, filled up with zeros.
#[inline]
fn tail_word(tail: &[u8]) -> u64 {
    // Two reads of fixed length that may overlap, instead of a copy of varying length.
    let half = |half: &[u8]| {
        half.first_chunk::<4>()
            .map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)))
    };
    let length = tail.len();
    if length >= 4 {
        let upper = tail.get(length - 4..).map_or(0, half);
        return half(tail) | upper << (8 * (length - 4));
    }
    let byte = |at: usize| tail.get(at).map_or(0, |byte| u64::from(*byte) << (8 * at));
    byte(0) | byte(1) | byte(2)
}

#[inline]
fn word(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
