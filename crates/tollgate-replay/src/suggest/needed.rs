//! The third time through the log: the burst that each client would have needed at each rate.

use tollgate::{Limit, Micros, State, Timestamp};

use super::classify::Classifier;
use super::found::Found;
use super::numbers;
use super::windows::{HOUR, MINUTE, Peaks};
use crate::sample::Sample;
use crate::{Request, Requests, Share};

/// What stands for more than any burst that could be suggested.
pub(super) const TOO_MUCH: u32 = u32::MAX;
/// Rates an hour up to so many times what is surely enough by itself are tried, to go together with
/// the rate a minute.
const HOURLY_ROOM: u64 = 4;

/// The rates that come into question for a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Rates {
    /// Units in a minute.
    pub(super) minute: Vec<u64>,
    /// Units in an hour.
    pub(super) hour: Vec<u64>,
}

/// Clients with the burst that each would have needed to be never denied, at each rate: those a
/// minute first, in the order of [`Rates`].
pub(super) type Needs = Sample<Box<[u32]>>;

impl Rates {
    /// The rates among which the lowest one is that is enough, with a burst of as many units.
    ///
    /// A rate of the peak in a window of its period always is: the bucket never has to hold more than
    /// the requests of one period. A rate below half of the peak never is: a bucket admits twice its
    /// units in a period.
    pub(super) fn of(clients: &Sample<Peaks>, may_be_denied: usize) -> Self {
        let enough = |window: usize| {
            let mut peaks: Vec<u32> = clients
                .values()
                .filter_map(|peaks| peaks.most.get(window).copied())
                .collect();
            peaks.sort_unstable_by(|one, other| other.cmp(one));
            peaks.get(may_be_denied).map(|peak| u64::from(*peak))
        };
        let between = |window, period, most: u64| {
            let enough = enough(window);
            let mut rates = enough.map_or_else(Vec::new, |enough| {
                numbers::between(enough.div_ceil(2), enough.saturating_mul(most))
            });
            rates.retain(|units| bucket(*units, period).is_some());
            rates
        };
        Self {
            minute: between(MINUTE, Micros::MINUTE, 1),
            hour: between(HOUR, Micros::HOUR, HOURLY_ROOM),
        }
    }

    /// A bucket for each rate, in order: what the clients need at a rate stands in its place.
    fn buckets(&self) -> Vec<Limit> {
        let minute = self
            .minute
            .iter()
            .map(|units| bucket(*units, Micros::MINUTE));
        let hour = self.hour.iter().map(|units| bucket(*units, Micros::HOUR));
        minute.chain(hour).flatten().collect()
    }
}

/// A bucket of so many units in a period, which admits whatever could be suggested. A bucket of a low
/// rate may not be as large as that, for it would take more years to fill than limits may have.
fn bucket(units: u64, period: Micros) -> Option<Limit> {
    let smaller = |burst: &u64| Some(burst / 10).filter(|burst| *burst >= units);
    std::iter::successors(Some(numbers::HIGHEST), smaller).find_map(|burst| {
        let limit = Limit::builder(units, period.as_duration());
        limit.burst(burst).build().ok()
    })
}

/// A client's bucket at each rate, and the most that was in it.
struct Bucket {
    state: State,
    most: u32,
}

impl Bucket {
    fn add(&mut self, limit: &Limit, at: Timestamp) {
        let outcome = self.state.charge(limit, 1, at);
        let used = if outcome.verdict.is_allow() {
            let used = limit.quota().saturating_sub(outcome.remaining);
            u32::try_from(used).unwrap_or(TOO_MUCH)
        } else {
            TOO_MUCH
        };
        self.most = self.most.max(used);
    }
}

/// What each client of each group would have needed, at the rates that come into question.
pub(super) fn measure<R: Requests>(
    requests: &mut R,
    classifier: &Classifier,
    found: &[Found],
    rates: &[Rates],
) -> Result<Vec<Needs>, R::Error> {
    let limits: Vec<Vec<Limit>> = rates.iter().map(Rates::buckets).collect();
    let groups = found.iter().zip(&limits);
    let mut buckets: Vec<Sample<Box<[Bucket]>>> = groups
        .map(|(group, limits)| {
            group.observed.clients.map_ref(|_| {
                let fresh = limits.iter().map(|limit| Bucket {
                    state: State::fresh(limit),
                    most: 0,
                });
                fresh.collect()
            })
        })
        .collect();
    requests.for_each(&mut |request: &Request| {
        classifier.each(request, |group, key| {
            let client = key.and_then(|key| buckets.get_mut(group)?.get_mut(key));
            let (Some(client), Some(limits)) = (client, limits.get(group)) else {
                return;
            };
            for (bucket, limit) in client.iter_mut().zip(limits) {
                bucket.add(limit, request.at);
            }
        });
    })?;
    let needs = buckets
        .into_iter()
        .map(|clients| clients.map(|buckets| buckets.iter().map(|bucket| bucket.most).collect()));
    Ok(needs.collect())
}

/// How many clients a share allows to be denied.
pub(super) fn may_be_denied(clients: usize, share: Share) -> usize {
    let clients = u64::try_from(clients).unwrap_or(u64::MAX);
    usize::try_from(share.of(clients)).unwrap_or(usize::MAX)
}
