//! Choosing numbers.

use tollgate::{Limit, Micros};

use super::needed::{Needs, Rates};
use super::numbers;

/// An hour's limit is worth having if it is below this part of what the minute's admits in an hour.
const WORTH: u64 = 4;

/// The limits that are chosen for a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) minute: Limit,
    /// The lowest one that denies nobody else than may be denied.
    pub(super) hour: Option<Limit>,
    /// True if it is much below what the other one admits in an hour.
    pub(super) is_hour_worth: bool,
}

impl Choice {
    pub(super) fn limits(&self) -> impl Iterator<Item = &Limit> {
        let hour = self.hour.as_ref().filter(|_| self.is_hour_worth);
        [&self.minute].into_iter().chain(hour)
    }
}

/// A limit of units in a period, which admits so many at once.
pub(super) fn limit(units: u64, period: Micros, burst: u64) -> Option<Limit> {
    let limit = Limit::builder(units, period.as_duration());
    limit.burst(burst).build().ok()
}

/// The lowest rate a minute that is enough with a burst of no more units, with the smallest burst
/// that is enough then; and the lowest rate an hour that denies nobody else than may be, if it is
/// worth having. `None` if there are no clients.
pub(super) fn choose(needs: &Needs, rates: &Rates, may_be_denied: usize) -> Option<Choice> {
    let needed_at = |position: usize| {
        needs
            .values()
            .map(move |needed| needed.get(position).copied().map_or(0, u64::from))
    };
    let minute = rates.minute.iter().enumerate();
    let mut enough = minute.filter_map(|(position, units)| {
        let mut needed: Vec<u64> = needed_at(position).collect();
        needed.sort_unstable_by(|one, other| other.cmp(one));
        let burst = numbers::round_up(*needed.get(may_be_denied)?);
        (burst <= *units).then_some((position, *units, burst))
    });
    // There is one, unless clients ask for more than is ever suggested.
    let highest = || {
        let position = rates.minute.len().checked_sub(1)?;
        let units = *rates.minute.get(position)?;
        Some((position, units, units))
    };
    let (position, units, burst) = enough.next().or_else(highest)?;
    let minute = limit(units, Micros::MINUTE, burst)?;
    let is_denied_before = |needed: &[u32]| {
        let needed = needed.get(position).copied().map_or(0, u64::from);
        needed > burst
    };
    let hour = rates.hour.iter().enumerate().find(|(hour, units)| {
        // Several limits together deny a client exactly if one of them by itself does: up to the
        // first denial they have all counted the same.
        let position = rates.minute.len() + hour;
        let denied = needs.values().filter(|needed| {
            let by_hour = needed.get(position).copied().map_or(0, u64::from) > **units;
            by_hour || is_denied_before(needed)
        });
        denied.count() <= may_be_denied
    });
    let hour = hour.map(|(_, units)| *units);
    Some(Choice {
        minute,
        hour: hour.and_then(|units| limit(units, Micros::HOUR, units)),
        is_hour_worth: hour
            .is_some_and(|hour| hour.saturating_mul(WORTH) <= units.saturating_mul(60)),
    })
}
