//! Every admission of the last period.

use tollgate_core::Limit;

use super::{Rule, moves_back};

#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// When, and how much.
    admissions: Vec<(u64, u64)>,
    at: u64,
}

impl Rule for Log {
    fn advance(&mut self, limit: &Limit, now: u64) {
        let newest = self.admissions.last().map_or(0, |(at, _)| *at);
        if moves_back(limit, newest, now) {
            for (at, _) in &mut self.admissions {
                *at = at.saturating_sub(newest - now);
            }
            self.at = now;
        } else {
            self.at = now.max(newest);
        }
        let period = limit.period().as_micros();
        self.admissions.retain(|(at, _)| self.at - at < period);
    }

    fn fits(&self, limit: &Limit, cost: u64) -> bool {
        let used: u64 = self.admissions.iter().map(|(_, cost)| cost).sum();
        used + cost <= limit.units()
    }

    fn spend(&mut self, _limit: &Limit, cost: u64) {
        self.admissions.push((self.at, cost));
    }

    fn is_fresh(&self) -> bool {
        self.admissions.is_empty()
    }
}
