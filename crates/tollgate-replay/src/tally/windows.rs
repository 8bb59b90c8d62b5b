//! The most that a key asks for in a window.
//!
//! A window is as long as the policy's shortest period, and ends with a quarter of it: windows begin
//! at multiples of a quarter of the period since the epoch. So the peak is never more than the most
//! in any window of the period, and never less than the most in any span of three quarters of it.
//! Windows that begin anywhere would need every request of the period to be remembered; windows
//! that begin at multiples of the period only would cut a burst in two, and show a key that was
//! denied with a peak below its limit.

use tollgate::Micros;

/// Parts of a window.
const PARTS: usize = 4;

/// The windows of a policy's keys.
#[derive(Debug)]
pub(super) struct Windows {
    part: u64,
    /// The part that was looked at last, and an instant in it: nearly every request comes in the same
    /// one as the request before.
    last: (u64, u64),
}

/// The window of one key that ends with the present part, and its peak.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    units: [u64; PARTS],
    /// The number of the present part.
    now: u64,
    pub(super) peak: u64,
    /// The number of the part that the peak's window ended with.
    peak_in: u64,
}

impl Windows {
    pub(super) const fn new(window: Micros) -> Self {
        let part = window.as_micros() / 4;
        Self {
            part: if part == 0 { 1 } else { part },
            last: (0, 0),
        }
    }

    /// Takes note that a key asks for units.
    #[inline]
    pub(super) fn ask(&mut self, window: &mut Window, at: u64, cost: u64) {
        if at != self.last.0 {
            self.last = (at, at / self.part);
        }
        window.ask(self.last.1, cost);
    }

    /// When the window of the peak ended, in microseconds.
    pub(super) const fn peak_at(&self, window: &Window) -> u64 {
        window.peak_in.saturating_add(1).saturating_mul(self.part)
    }
}

impl Window {
    #[inline]
    fn ask(&mut self, part: u64, cost: u64) {
        let passed = part.saturating_sub(self.now);
        if passed > 0 {
            for gone in 1..=passed.min(4) {
                if let Some(units) = self.units.get_mut(place(self.now + gone)) {
                    *units = 0;
                }
            }
            self.now = part;
        }
        if let Some(units) = self.units.get_mut(place(self.now)) {
            *units = units.saturating_add(cost);
        }
        let sum = self
            .units
            .iter()
            .fold(0_u64, |sum, units| sum.saturating_add(*units));
        if sum > self.peak {
            self.peak = sum;
            self.peak_in = self.now;
        }
    }
}

const fn place(part: u64) -> usize {
    (part % 4) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    fn peak(asked: &[(u64, u64)]) -> (u64, u64) {
        let mut windows = Windows::new(Micros::from_secs(60));
        let mut window = Window::default();
        for (second, cost) in asked {
            windows.ask(&mut window, second * SECOND, *cost);
        }
        (window.peak, windows.peak_at(&window) / SECOND)
    }

    #[test]
    fn a_burst_is_not_cut_in_two_by_the_minute() {
        assert_eq!(peak(&[(50, 6), (70, 6), (200, 7)]), (12, 75));
    }

    #[test]
    fn is_within_the_most_of_three_quarters_and_of_the_whole_period() {
        let mut seed = 7_u64;
        for _ in 0..200 {
            let mut asked: Vec<(u64, u64)> = (0..40)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    ((seed >> 33) % 400, (seed >> 20) % 5)
                })
                .collect();
            asked.sort_unstable();
            let most = |span: u64| {
                let within = |start: u64| {
                    let inside = asked
                        .iter()
                        .filter(|(at, _)| (start..start + span).contains(at));
                    inside.map(|(_, cost)| cost).sum::<u64>()
                };
                (0..400).map(within).max().unwrap()
            };
            let (peak, _) = peak(&asked);
            assert!((most(45)..=most(60)).contains(&peak), "{asked:?}");
        }
    }
}
