//! The second time through the log: what clients asked for.

use tollgate::Timestamp;

use super::classify::Classifier;
use super::group::Group;
use super::suggestion::WindowPeaks;
use super::windows::{Peaks, WINDOWS, Windows};
use crate::sample::Sample;
use crate::{Request, Requests};

/// As many times of requests are held, for all clients together: 8 bytes each.
const MOST_TIMES: usize = 8 << 20;

/// What the clients of a group asked for.
#[derive(Debug)]
pub(super) struct Observed<T> {
    /// Requests that have a key.
    pub(super) requests: u64,
    /// Requests that have none.
    pub(super) without_key: u64,
    /// The clients.
    pub(super) clients: Sample<T>,
}

/// All groups, while they are looked at.
struct Observing {
    groups: Vec<Observed<Windows>>,
    clients: usize,
    most_clients: usize,
    times: usize,
}

/// Looks at all requests: the peaks of each client of each group.
pub(super) fn observe<R: Requests>(
    requests: &mut R,
    classifier: &Classifier,
    groups: &[Group],
    most_clients: usize,
) -> Result<Vec<Observed<Peaks>>, R::Error> {
    let empty = || Observed {
        requests: 0,
        without_key: 0,
        clients: Sample::with_room(usize::MAX),
    };
    let mut observing = Observing {
        groups: groups.iter().map(|_| empty()).collect(),
        clients: 0,
        most_clients,
        times: 0,
    };
    requests.for_each(&mut |request: &Request| {
        classifier.each(request, |group, key| observing.add(request.at, group, key));
    })?;
    let observed = observing.groups.into_iter().map(|group| Observed {
        requests: group.requests,
        without_key: group.without_key,
        clients: group.clients.map(|windows| windows.peaks),
    });
    Ok(observed.collect())
}

impl Observing {
    fn add(&mut self, at: Timestamp, group: usize, key: Option<u64>) {
        let Some(group) = self.groups.get_mut(group) else {
            return;
        };
        let Some(key) = key else {
            group.without_key += 1;
            return;
        };
        group.requests += 1;
        let before = group.clients.len();
        if let Some(windows) = group.clients.entry(key, Windows::default) {
            self.times = self.times.saturating_add_signed(windows.add(at));
        }
        self.clients += group.clients.len() - before;
        while (self.clients > self.most_clients || self.times > MOST_TIMES) && self.forget() {}
    }

    /// Forgets half of the clients of the group that has the most; false if that is no help.
    fn forget(&mut self) -> bool {
        let largest = self
            .groups
            .iter_mut()
            .max_by_key(|group| group.clients.len());
        let Some(largest) = largest.filter(|group| group.clients.len() > 1) else {
            return false;
        };
        largest.clients.halve();
        let groups = self.groups.iter();
        self.clients = groups.map(|group| group.clients.len()).sum();
        let windows = self.groups.iter().flat_map(|group| group.clients.values());
        self.times = windows.map(Windows::held).sum();
        true
    }
}

/// How high the peaks of a group's clients are.
pub(super) fn window_peaks(observed: &Observed<Peaks>) -> Vec<WindowPeaks> {
    let windows = WINDOWS.iter().enumerate();
    windows
        .map(|(position, window)| {
            let clients = observed.clients.values();
            let peaks = clients.filter_map(|peaks| peaks.most.get(position).copied());
            let mut peaks: Vec<u32> = peaks.collect();
            peaks.sort_unstable();
            // The least that so many in a thousand do not exceed.
            let not_exceeded = |by: usize| {
                let rank = peaks.len().saturating_mul(by).div_ceil(1000);
                let peak = peaks.get(rank.saturating_sub(1));
                peak.copied().map_or(0, u64::from)
            };
            WindowPeaks {
                window: window.as_duration().as_secs(),
                p50: not_exceeded(500),
                p90: not_exceeded(900),
                p99: not_exceeded(990),
                p999: not_exceeded(999),
                highest: not_exceeded(1000),
            }
        })
        .collect()
}
