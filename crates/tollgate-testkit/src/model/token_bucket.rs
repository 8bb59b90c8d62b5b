//! A level of used tokens that drains continuously.

use num_rational::Ratio;
use tollgate_core::Limit;

use super::{Rule, moves_back};

/// Exact: the numbers stay below 10^30, far from the end of `i128`.
type Tokens = Ratio<i128>;

#[derive(Clone, Debug, Default)]
pub(super) struct Bucket {
    /// Used tokens at `at`.
    level: Tokens,
    at: u64,
    /// The tick of the limit that the bucket was last asked about.
    tick: u64,
}

impl Bucket {
    /// Makes a bucket that another limit has filled fit this one. A lowered burst leaves nothing,
    /// but no debt. A changed tick gives nothing away: the level is rounded up to a whole share of
    /// the new tick, and it drains from the next whole new tick.
    fn adopt(&mut self, limit: &Limit) {
        let tick = limit.tick().as_micros();
        if self.tick != tick {
            let shares = whole(limit.period().as_micros() / tick);
            self.level = (self.level * shares).ceil() / shares;
            self.at = (self.at - self.at % self.tick.max(1)).next_multiple_of(tick);
            self.tick = tick;
        }
        self.level = self.level.min(whole(limit.quota()));
    }
}

impl Rule for Bucket {
    fn advance(&mut self, limit: &Limit, now: u64) {
        self.adopt(limit);
        if now >= self.at {
            let tick = limit.tick().as_micros();
            let elapsed = (now / tick - self.at / tick) * tick;
            let rate = whole(limit.units()) / whole(limit.period().as_micros());
            self.level = (self.level - rate * whole(elapsed)).max(whole(0));
            self.at = now;
        } else if self.is_fresh() || moves_back(limit, self.at, now) {
            self.at = now;
        }
    }

    fn fits(&self, limit: &Limit, cost: u64) -> bool {
        self.level + whole(cost) <= whole(limit.quota())
    }

    fn spend(&mut self, _limit: &Limit, cost: u64) {
        self.level += whole(cost);
    }

    fn is_fresh(&self) -> bool {
        self.level == whole(0)
    }
}

fn whole(number: u64) -> Tokens {
    Tokens::from_integer(i128::from(number))
}
