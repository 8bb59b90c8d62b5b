//! What each key of a policy did.

use tollgate::Micros;

use super::denials::{Denial, Denials};
use super::index::{Index, KeyHash};
use super::sketch::{Distinct, Frequencies};
use super::windows::{Window, Windows};

/// How many keys are looked at to find the one that matters least.
const SAMPLE: usize = 16;

/// The keys of a policy, up to a number of them, and estimates of the rest.
#[derive(Debug)]
pub(crate) struct Keys {
    index: Index,
    records: Vec<Record>,
    denials: Denials,
    windows: Windows,
    rest: Option<Rest>,
}

/// A request that is counted by a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) hash: KeyHash,
    /// In microseconds.
    pub(crate) at: u64,
    /// The units that it asked for.
    pub(crate) cost: u64,
    /// If it was denied: how long to wait, if that helps.
    pub(crate) denied: Option<Option<Micros>>,
}

/// A key that is followed.
#[derive(Clone, Copy, Debug)]
struct Record {
    hash: KeyHash,
    requests: u64,
    window: Window,
    /// The number of its denials, plus one; 0 if it has none.
    denials: u32,
}

/// What is known of all keys once there are more than are followed.
#[derive(Debug)]
struct Rest {
    frequencies: Frequencies,
    keys: Distinct,
    denied: Distinct,
    /// Where the next search for a key that matters little begins.
    hand: usize,
}

/// What a key did, for a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst<'k> {
    pub(crate) denial: &'k Denial,
    pub(crate) requests: u64,
    pub(crate) peak: u64,
    /// When the window of the peak ended, in microseconds.
    pub(crate) peak_at: u64,
}

impl Keys {
    /// Keys whose peaks are looked for in windows of a length.
    pub(crate) fn new(window: Micros) -> Self {
        Self {
            index: Index::default(),
            records: Vec::new(),
            denials: Denials::default(),
            windows: Windows::new(window),
            rest: None,
        }
    }

    /// What stands where the search for a key begins, or where the key itself does: see
    /// [`Index::touch`].
    #[inline]
    pub(crate) fn touch(&self, hash: KeyHash, itself: bool) -> u64 {
        if itself {
            self.find(hash).map_or(0, u64::from)
        } else {
            self.index.touch(hash)
        }
    }

    #[inline]
    fn find(&self, hash: KeyHash) -> Option<u32> {
        let is = |number| {
            at_index(&self.records, number).is_some_and(|record| record.hash.high == hash.high)
        };
        self.index.find(hash, is)
    }

    /// Takes note of a request. May follow one more key only if there is `room`.
    pub(crate) fn see(&mut self, seen: &Seen, text: &str, room: impl FnOnce() -> bool) {
        let hash = seen.hash;
        let number = match self.find(hash) {
            Some(number) => Some(number),
            None if self.rest.is_none() && room() => self.follow(hash),
            None => self.follow_instead(hash, seen.denied.is_some()),
        };
        if let Some(rest) = &mut self.rest
            && seen.denied.is_some()
        {
            rest.denied.add(hash);
        }
        let place = number.and_then(|number| Some((number, usize::try_from(number).ok()?)));
        let Some((number, place)) = place else {
            return;
        };
        if let Some(record) = self.records.get_mut(place) {
            record.requests += 1;
            self.windows.ask(&mut record.window, seen.at, seen.cost);
            if let Some(retry_after) = seen.denied {
                if record.denials == 0 {
                    record.denials = self.denials.begin(number, text);
                }
                self.denials.deny(record.denials, seen.at, retry_after);
            }
        }
    }

    fn follow(&mut self, hash: KeyHash) -> Option<u32> {
        let number = u32::try_from(self.records.len()).ok()?;
        self.records.push(Record::new(hash, 0));
        self.index.insert(hash, number);
        Some(number)
    }

    /// Follows a key in the place of one that matters less, if there is such a one.
    #[cold]
    fn follow_instead(&mut self, hash: KeyHash, denied: bool) -> Option<u32> {
        if self.rest.is_none() {
            self.rest = Some(Rest::of(&self.records));
        }
        let rest = self.rest.as_mut()?;
        rest.keys.add(hash);
        let seen = rest.frequencies.add(hash, 1);
        let count = self.records.len();
        let mut least: Option<(bool, u64, usize)> = None;
        for _ in 0..SAMPLE.min(count) {
            rest.hand = (rest.hand + 1) % count;
            if let Some(record) = self.records.get(rest.hand) {
                let worth = (record.denials > 0, record.requests, rest.hand);
                least = Some(least.map_or(worth, |least| least.min(worth)));
            }
        }
        let (victim_denied, victim_requests, place) = least?;
        if (denied, seen) <= (victim_denied, victim_requests) {
            return None;
        }
        let record = self.records.get_mut(place)?;
        let number = u32::try_from(place).ok()?;
        let left = std::mem::replace(record, Record::new(hash, seen.saturating_sub(1)));
        let times = u32::try_from(left.requests).unwrap_or(u32::MAX);
        // What it was seen before it was followed is known already.
        let known = rest.frequencies.add(left.hash, 0);
        let times = times.saturating_sub(u32::try_from(known).unwrap_or(u32::MAX));
        rest.frequencies.add(left.hash, times);
        self.denials.forget(left.denials);
        self.index.remove(left.hash, number);
        self.index.insert(hash, number);
        Some(number)
    }

    /// True if there were more keys than are followed.
    pub(crate) const fn are_estimated(&self) -> bool {
        self.rest.is_some()
    }

    /// How many keys there were.
    pub(crate) fn count(&self) -> u64 {
        let followed = u64::try_from(self.records.len()).unwrap_or(u64::MAX);
        let rest = self.rest.as_ref();
        rest.map_or(followed, |rest| rest.keys.estimate().max(followed))
    }

    /// How many of them were denied.
    pub(crate) fn count_denied(&self) -> u64 {
        let followed = self.denials.count();
        let rest = self.rest.as_ref();
        rest.map_or(followed, |rest| rest.denied.estimate().max(followed))
    }

    /// The most requests that one key has.
    pub(crate) fn most_requests(&self) -> u64 {
        let requests = self.records.iter().map(|record| record.requests);
        requests.max().unwrap_or(0)
    }

    /// The peak of each key that is followed, in order.
    pub(crate) fn peaks(&self) -> Vec<u64> {
        let mut peaks: Vec<u64> = self.records.iter().map(|key| key.window.peak).collect();
        peaks.sort_unstable();
        peaks
    }

    /// So many of the keys that were denied most, the worst first; of equals the one with more
    /// requests, then the one whose name comes first in the alphabet: what stands in a key for a
    /// host's name is another one in each replay.
    pub(crate) fn worst(&self, count: usize, name: impl Fn(&str) -> String) -> Vec<Worst<'_>> {
        let mut worst: Vec<Worst<'_>> = self
            .denials
            .iter()
            .filter_map(|denial| {
                let record = at_index(&self.records, denial.key)?;
                Some(Worst {
                    denial,
                    requests: record.requests,
                    peak: record.window.peak,
                    peak_at: self.windows.peak_at(&record.window),
                })
            })
            .collect();
        worst.sort_unstable_by(|one, other| {
            let by_count =
                (other.denial.denied, other.requests).cmp(&(one.denial.denied, one.requests));
            by_count.then_with(|| name(&one.denial.text).cmp(&name(&other.denial.text)))
        });
        worst.truncate(count);
        worst
    }

    /// What all denied keys would have seen.
    pub(crate) const fn denials(&self) -> &Denials {
        &self.denials
    }
}

impl Record {
    fn new(hash: KeyHash, requests: u64) -> Self {
        Self {
            hash,
            requests,
            window: Window::default(),
            denials: 0,
        }
    }
}

impl Rest {
    #[cold]
    fn of(records: &[Record]) -> Self {
        let mut rest = Self {
            frequencies: Frequencies::new(records.len()),
            keys: Distinct::new(),
            denied: Distinct::new(),
            hand: 0,
        };
        for record in records {
            rest.keys.add(record.hash);
            if record.denials > 0 {
                rest.denied.add(record.hash);
            }
        }
        rest
    }
}

fn at_index(records: &[Record], number: u32) -> Option<&Record> {
    records.get(usize::try_from(number).ok()?)
}

#[cfg(test)]
mod tests;
