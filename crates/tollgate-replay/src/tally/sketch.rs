//! What is known of keys that are too many to be followed one by one.

use super::index::KeyHash;

/// About how often each key was seen: never less than it was, seldom more (a count-min sketch with
/// conservative updates).
#[derive(Debug)]
pub(super) struct Frequencies {
    rows: [Vec<u32>; 4],
}

impl Frequencies {
    /// For about so many keys that matter.
    pub(super) fn new(keys: usize) -> Self {
        let width = keys.max(512).saturating_mul(2).next_power_of_two();
        Self {
            rows: std::array::from_fn(|_| vec![0; width]),
        }
    }

    /// Counts a key so often, and says how often it was seen.
    pub(super) fn add(&mut self, hash: KeyHash, times: u32) -> u64 {
        let places = self.places(hash);
        let seen = self.least(places).saturating_add(times);
        for (row, place) in self.rows.iter_mut().zip(places) {
            if let Some(count) = row.get_mut(place) {
                *count = (*count).max(seen);
            }
        }
        u64::from(seen)
    }

    fn least(&self, places: [usize; 4]) -> u32 {
        let rows = self.rows.iter().zip(places);
        rows.filter_map(|(row, place)| row.get(place).copied())
            .min()
            .unwrap_or(0)
    }

    fn places(&self, hash: KeyHash) -> [usize; 4] {
        let mask = self.rows[0].len() - 1;
        let tag = u64::from(hash.tag) << 1 | 1;
        let mut at = hash.high;
        std::array::from_fn(|_| {
            at = at.wrapping_add(tag.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mixed = at ^ at >> 31;
            usize::try_from(mixed >> 8).unwrap_or(0) & mask
        })
    }
}

/// About how many different keys there were (HyperLogLog): within 1 % nearly always.
#[derive(Debug)]
pub(super) struct Distinct {
    ranks: Vec<u8>,
}

const BITS: u32 = 14;

impl Distinct {
    pub(super) fn new() -> Self {
        Self {
            ranks: vec![0; 1 << BITS],
        }
    }

    pub(super) fn add(&mut self, hash: KeyHash) {
        self.add_hash(hash.high);
    }

    pub(super) fn add_hash(&mut self, hash: u64) {
        let place = usize::try_from(hash >> (u64::BITS - BITS)).unwrap_or(0);
        let rest = (hash << BITS) | 1;
        let rank = u8::try_from(rest.leading_zeros() + 1).unwrap_or(u8::MAX);
        if let Some(known) = self.ranks.get_mut(place) {
            *known = (*known).max(rank);
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate, positive and far below 2^53"
    )]
    pub(super) fn estimate(&self) -> u64 {
        let places = self.ranks.len() as f64;
        let sum: f64 = self
            .ranks
            .iter()
            .map(|rank| (-f64::from(*rank)).exp2())
            .sum();
        let empty = self.ranks.iter().filter(|rank| **rank == 0).count();
        // Where enough places are empty, their number tells more, and without the bias that the sum has
        // below about five times as many as there are places.
        let by_empty = places * (places / empty as f64).ln();
        let estimate = if empty > 0 && by_empty <= 4.0 * places {
            by_empty
        } else {
            0.7213 / (1.0 + 1.079 / places) * places * places / sum
        };
        estimate.round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::KeyHasher;
    use super::*;

    #[test]
    fn counts_different_keys_within_a_few_per_cent() {
        let hasher = KeyHasher::random();
        for many in [100_u64, 20_000, 40_000, 50_000, 70_000, 300_000] {
            let mut distinct = Distinct::new();
            for key in 0..many {
                distinct.add(hasher.hash(&key.to_string()));
                distinct.add(hasher.hash(&key.to_string()));
            }
            let off = distinct.estimate().abs_diff(many);
            assert!(off * 25 < many, "{many}: off by {off}");
        }
    }

    #[test]
    fn never_says_less_than_what_was_seen() {
        let hasher = KeyHasher::random();
        let mut frequencies = Frequencies::new(1_000);
        for key in 0..5_000_u32 {
            frequencies.add(hasher.hash(&key.to_string()), key % 5 + 1);
        }
        for key in 0..5_000_u32 {
            let seen = frequencies.add(hasher.hash(&key.to_string()), 0);
            assert!(seen >= u64::from(key % 5 + 1), "{key}: {seen}");
        }
        assert_eq!(Frequencies::new(1_000).add(hasher.hash("new"), 1), 1);
    }
}
