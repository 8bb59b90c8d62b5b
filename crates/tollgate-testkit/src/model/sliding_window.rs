//! Two counts, the older one weighted by the share of its window that is still in sight.

use num_rational::Ratio;
use tollgate_core::Limit;

use super::{Rule, moves_back};

#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// The start of the current window.
    start: u64,
    previous: u64,
    current: u64,
    /// The share of the previous window that still counts, from 1 down to 0.
    share: Ratio<i128>,
}

impl Rule for Counts {
    fn advance(&mut self, limit: &Limit, now: u64) {
        let period = limit.period().as_micros();
        let start = now / period * period;
        if self.is_fresh() {
            self.start = start;
        } else if moves_back(limit, self.start, now) {
            // As if the clock stood just before the next window: nothing fades through the step.
            self.start = start + period;
        }
        // A window at a time, but not through a year of empty ones.
        while self.start < start && !self.is_fresh() {
            self.previous = self.current;
            self.current = 0;
            self.start += period;
        }
        self.start = self.start.max(start);
        let tick = limit.tick().as_micros();
        let elapsed = now.saturating_sub(self.start) / tick * tick;
        self.share = Ratio::new(i128::from(period - elapsed), i128::from(period));
    }

    fn fits(&self, limit: &Limit, cost: u64) -> bool {
        let whole = |number: u64| Ratio::from_integer(i128::from(number));
        let estimate = whole(self.previous) * self.share + whole(self.current);
        estimate + whole(cost) <= whole(limit.units())
    }

    fn spend(&mut self, _limit: &Limit, cost: u64) {
        self.current += cost;
    }

    fn is_fresh(&self) -> bool {
        self.previous == 0 && self.current == 0
    }
}
