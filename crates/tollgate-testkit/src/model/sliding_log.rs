//! Every admission of the last period. Those that have left are forgotten when something is
//! spent, so that looking changes nothing.

use tollgate_core::Limit;

use super::{Rule, moves_back};

#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// When, and how much.
    admissions: Vec<(u64, u64)>,
    at: u64,
    period: u64,
}

impl Rule for Log {
    fn advance(&mut self, limit: &Limit, now: u64) {
        self.period = limit.period().as_micros();
        let newest = self.admissions.last().map_or(0, |(at, _)| *at);
        if moves_back(limit, newest, now) {
            for (at, _) in &mut self.admissions {
                *at = at.saturating_sub(newest - now);
            }
            self.at = now;
        } else {
            self.at = now.max(newest);
        }
    }

    fn fits(&self, limit: &Limit, cost: u64) -> bool {
        let used: u64 = self
            .admissions
            .iter()
            .filter(|(at, _)| self.at - at < self.period)
            .map(|(_, cost)| cost)
            .sum();
        used + cost <= limit.units()
    }

    fn spend(&mut self, _limit: &Limit, cost: u64) {
        self.admissions.retain(|(at, _)| self.at - at < self.period);
        self.admissions.push((self.at, cost));
    }

    fn is_fresh(&self) -> bool {
        let counts = |(at, _): &(u64, u64)| self.at - at < self.period;
        !self.admissions.iter().any(counts)
    }
}
