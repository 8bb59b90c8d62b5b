//! The most requests of a client in windows of any alignment.

use std::collections::VecDeque;

use tollgate::{Micros, Timestamp};

/// The windows, the shortest first.
pub(super) const WINDOWS: [Micros; 4] = [
    Micros::SECOND,
    Micros::from_secs(10),
    Micros::MINUTE,
    Micros::HOUR,
];
/// The position of the window of a minute.
pub(super) const MINUTE: usize = 2;
/// The position of the window of an hour.
pub(super) const HOUR: usize = 3;
/// More requests in the longest window are counted as so many.
const MOST: usize = 1 << 20;

/// Counts a client's requests in each window.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    /// When it sent those of the last hour.
    times: VecDeque<u64>,
    /// How many of these lie before each of the shorter windows.
    before: [usize; HOUR],
    pub(super) peaks: Peaks,
}

/// What a client asked for at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Peaks {
    /// All its requests.
    pub(super) requests: u64,
    /// In each window.
    pub(super) most: [u32; WINDOWS.len()],
}

impl Windows {
    /// Counts a request, which comes no earlier than the one before. Says by how much the times that
    /// are held have become more or less.
    pub(super) fn add(&mut self, at: Timestamp) -> isize {
        let at = at.as_micros();
        let held = self.times.len();
        self.times.push_back(at);
        self.peaks.requests += 1;
        // A window is half-open, as that of a sliding log: what is one window old has left.
        let has_left = |time: u64, window: Micros| time.saturating_add(window.as_micros()) <= at;
        while self.times.len() > MOST
            || self
                .times
                .front()
                .is_some_and(|time| has_left(*time, WINDOWS[HOUR]))
        {
            self.times.pop_front();
            for before in &mut self.before {
                *before = before.saturating_sub(1);
            }
        }
        for (window, before) in self.before.iter_mut().enumerate() {
            let times = &self.times;
            while times
                .get(*before)
                .is_some_and(|time| has_left(*time, WINDOWS[window]))
            {
                *before += 1;
            }
        }
        let before = self.before.iter().copied().chain([0]);
        for (most, before) in self.peaks.most.iter_mut().zip(before) {
            let now = self.times.len().saturating_sub(before);
            *most = (*most).max(u32::try_from(now).unwrap_or(u32::MAX));
        }
        self.times.len().wrapping_sub(held).cast_signed()
    }

    /// How many times are held.
    pub(super) fn held(&self) -> usize {
        self.times.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peaks(times: &[u64]) -> Peaks {
        let mut windows = Windows::default();
        for time in times {
            windows.add(Timestamp::from_micros(*time));
        }
        windows.peaks
    }

    #[test]
    fn windows_are_half_open_and_of_any_alignment() {
        assert_eq!(
            peaks(&[0, 999_999, 1_000_000, 1_999_998]).most,
            [3, 4, 4, 4]
        );
        assert_eq!(peaks(&[0, 1_000_000, 10_000_000]).most, [1, 2, 3, 3]);
        assert_eq!(peaks(&[]).most, [0; 4]);
        let minutes: Vec<u64> = (0..120).map(|minute| minute * 60_000_000).collect();
        assert_eq!(peaks(&minutes).most, [1, 1, 1, 60]);
        assert_eq!(peaks(&minutes).requests, 120);
    }

    #[test]
    fn agrees_with_counting_each_window() {
        let mut seed = 3_u64;
        let mut at = 0;
        let times: Vec<u64> = (0..2_000)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                at += (seed >> 40)
                    % if seed >> 60 == 0 {
                        400_000_000
                    } else {
                        900_000
                    };
                at
            })
            .collect();
        let naive = WINDOWS.map(|window| {
            let ends = times.iter();
            let counts = ends.map(|end| {
                let starts = times
                    .iter()
                    .filter(|time| **time <= *end && **time + window.as_micros() > *end);
                starts.count()
            });
            u32::try_from(counts.max().unwrap()).unwrap()
        });
        // Of requests at the same time, the last sees them all.
        assert_eq!(peaks(&times).most, naive);
    }
}
