//! The limits by which the counts of a shard were last charged, by number.

use std::collections::HashMap;

use tollgate_core::Limit;

use super::table::MAX_LIMITS;

/// Limits, numbered so that an entry can name its own in 16 bits.
#[derive(Debug, Default)]
pub(super) struct Limits {
    limits: Vec<Limit>,
    numbers: HashMap<Limit, u16>,
}

impl Limits {
    /// The limit of a number.
    #[inline]
    pub(super) fn get(&self, number: u16) -> Option<&Limit> {
        self.limits.get(usize::from(number))
    }

    /// The number of a limit that has one.
    pub(super) fn number(&self, limit: &Limit) -> Option<u16> {
        // Few limits are in use at a time, most often one, and comparing some takes less than hashing.
        let mut first = (0..).zip(self.limits.iter().take(4));
        if let Some((number, _)) = first.find(|(_, known)| *known == limit) {
            return Some(number);
        }
        self.numbers.get(limit).copied()
    }

    /// True if there is no number left.
    pub(super) const fn is_full(&self) -> bool {
        self.limits.len() >= MAX_LIMITS
    }

    /// Numbers a limit that has no number. One is left: a shard holds far fewer counts than there
    /// are numbers, and forgets the limits that none of them uses before they run out.
    pub(super) fn add(&mut self, limit: &Limit) -> u16 {
        let number = u16::try_from(self.limits.len().min(MAX_LIMITS - 1)).unwrap_or(0);
        if !self.is_full() {
            self.limits.push(limit.clone());
            self.numbers.insert(limit.clone(), number);
        }
        number
    }
}
