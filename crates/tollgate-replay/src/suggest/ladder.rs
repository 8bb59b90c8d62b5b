//! Numbers around those that are chosen, to show what each costs.

use tollgate::{Limit, Micros, State, Timestamp};

use super::choice::{Choice, limit};
use super::numbers;
use super::suggestion::LimitCurve;
use super::windows::{HOUR, MINUTE, Peaks};
use crate::instant::share;
use crate::report::CurvePoint;

/// How far away the others are, in numbers that people write.
const STEPS: [i32; 13] = [-8, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8];

/// Limits of one period, the lowest first, and what each denies by itself.
#[derive(Debug)]
pub(super) struct Ladder {
    period: Micros,
    window: usize,
    suggested: Option<Limit>,
    /// The number that the factors of the others are of.
    middle: u64,
    rungs: Vec<Rung>,
}

#[derive(Debug)]
struct Rung {
    limit: Limit,
    requests: u64,
    clients: u64,
}

/// What a client has used of each limit that may deny it.
#[derive(Debug)]
pub(super) struct Climber {
    rungs: Vec<(State, bool)>,
}

impl Ladder {
    /// The ladders of a group: limits a minute and limits an hour.
    pub(super) fn of(choice: &Choice) -> Vec<Self> {
        let minute = Self::around(&choice.minute, MINUTE, true);
        let hour = choice.hour.as_ref();
        let hour = hour.map(|hour| Self::around(hour, HOUR, choice.is_hour_worth));
        [minute].into_iter().chain(hour).collect()
    }

    fn around(middle: &Limit, window: usize, is_suggested: bool) -> Self {
        let units = middle.units();
        let rungs = STEPS.into_iter().filter_map(|steps| {
            let other = numbers::step(units, steps)?;
            let burst = if steps == 0 {
                middle.quota()
            } else {
                // In the same proportion, in numbers that people write.
                let burst = middle.quota().saturating_mul(other).div_ceil(units.max(1));
                numbers::round_up(burst).min(other)
            };
            Some(Rung {
                limit: limit(other, middle.period(), burst)?,
                requests: 0,
                clients: 0,
            })
        });
        Self {
            period: middle.period(),
            window,
            suggested: is_suggested.then(|| middle.clone()),
            middle: units,
            rungs: rungs.collect(),
        }
    }

    /// A client with these peaks. What never asks for more than a limit's burst in any window of its
    /// period is never denied, so that nothing is counted of it there.
    pub(super) fn climber(&self, peaks: &Peaks) -> Climber {
        let peak = peaks.most.get(self.window).copied().map_or(0, u64::from);
        let low = self.rungs.iter().map(|rung| &rung.limit);
        let low = low.take_while(|limit| limit.quota().min(limit.units()) < peak);
        Climber {
            rungs: low.map(|limit| (State::fresh(limit), false)).collect(),
        }
    }

    /// Decides a client's request by each limit.
    pub(super) fn add(&mut self, climber: &mut Climber, at: Timestamp) {
        for (rung, (state, was_denied)) in self.rungs.iter_mut().zip(&mut climber.rungs) {
            if state.charge(&rung.limit, 1, at).verdict.is_allow() {
                continue;
            }
            rung.requests += 1;
            rung.clients += u64::from(!*was_denied);
            *was_denied = true;
        }
    }

    /// What was found, of so many requests and clients.
    pub(super) fn curve(self, requests: u64, clients: u64) -> LimitCurve {
        let middle = self.middle;
        let points = self.rungs.into_iter().map(|rung| CurvePoint {
            factor: share(rung.limit.units(), middle),
            limit: rung.limit.to_string(),
            denied: rung.requests,
            denied_share: share(rung.requests, requests),
            keys_denied: rung.clients,
            keys_denied_share: share(rung.clients, clients),
        });
        LimitCurve {
            period: self.period.as_duration().as_secs(),
            suggested: self.suggested.map(|limit| limit.to_string()),
            points: points.collect(),
        }
    }
}
