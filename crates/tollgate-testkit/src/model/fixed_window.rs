//! A count for each window.

use std::collections::BTreeMap;

use tollgate_core::{Anchor, Limit};

use super::{Rule, moves_back};

#[derive(Clone, Debug)]
pub(super) struct Windows {
    anchor: Anchor,
    /// Units used in the windows that start at these instants.
    used: BTreeMap<u64, u64>,
    /// The start of the window that counts.
    start: u64,
}

impl Windows {
    pub(super) fn new(anchor: Anchor) -> Self {
        Self {
            anchor,
            used: BTreeMap::new(),
            start: 0,
        }
    }

    fn used(&self) -> u64 {
        self.used.get(&self.start).copied().unwrap_or(0)
    }
}

impl Rule for Windows {
    fn advance(&mut self, limit: &Limit, now: u64) {
        let period = limit.period().as_micros();
        let start = match self.anchor {
            Anchor::Epoch => now / period * period,
            Anchor::FirstRequest => now,
        };
        let is_over = now >= self.start + period;
        if is_over || self.is_fresh() {
            self.used.clear();
            self.start = start;
        } else if moves_back(limit, self.start, now) {
            let used = self.used();
            self.used = BTreeMap::from([(start, used)]);
            self.start = start;
        }
    }

    fn fits(&self, limit: &Limit, cost: u64) -> bool {
        self.used() + cost <= limit.units()
    }

    fn spend(&mut self, _limit: &Limit, cost: u64) {
        *self.used.entry(self.start).or_default() += cost;
    }

    fn is_fresh(&self) -> bool {
        self.used() == 0
    }
}
