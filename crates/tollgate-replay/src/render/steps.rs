//! Steps of time, as few as there is room for.

use crate::report::Timeline;

use super::instant;

/// Steps of a timeline, several of them put together where there are too many to be shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// When the first begins, in seconds since the epoch.
    pub(super) start: i64,
    /// How long each is, in seconds.
    pub(super) step: f64,
    /// How many there are.
    pub(super) count: usize,
    /// How many of the timeline's make one; the last may be of fewer.
    together: usize,
    /// When the last one ends, in seconds since the epoch.
    pub(super) end: i64,
}

impl Steps {
    /// At most `most` of them; nothing if the timeline is empty.
    pub(super) fn new(timeline: &Timeline, most: usize) -> Option<Self> {
        let start = instant::seconds(timeline.start.as_deref()?)?;
        let all = timeline.offered.len();
        let usable = timeline.step.is_finite() && timeline.step > 0.0;
        if all == 0 || !usable {
            return None;
        }
        let together = all.div_ceil(most.max(1));
        let factor = u32::try_from(together).ok()?;
        let length = timeline.step * f64::from(u32::try_from(all).ok()?);
        Some(Self {
            start,
            end: start.saturating_add(whole(length)),
            step: timeline.step * f64::from(factor),
            count: all.div_ceil(together),
            together,
        })
    }

    /// The sums of each step; zeros where a list is too short.
    pub(super) fn sums(&self, values: &[u64]) -> Vec<u64> {
        let sum = |values: &[u64]| values.iter().fold(0, |sum: u64, v| sum.saturating_add(*v));
        let mut sums: Vec<u64> = values.chunks(self.together).map(sum).collect();
        sums.resize(self.count, 0);
        sums
    }

    /// When a step begins, in seconds since the epoch.
    pub(super) fn begin(&self, index: usize) -> i64 {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        whole(f64::from(index) * self.step).saturating_add(self.start)
    }

    /// How a time on them is written, as a pattern of `strftime`.
    pub(super) fn pattern(&self) -> &'static str {
        if self.end.saturating_sub(self.start) > 86_400 {
            "%-d %b %H:%M"
        } else if self.step < 30.0 {
            "%H:%M:%S"
        } else {
            "%H:%M"
        }
    }
}

/// Whole seconds; a float beyond what is counted is as far as it goes.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a float as an integer stops at the last one"
)]
fn whole(seconds: f64) -> i64 {
    seconds.floor() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(steps: u64) -> Timeline {
        Timeline {
            start: Some("2026-05-04T00:00:00Z".to_owned()),
            step: 60.0,
            offered: (1..=steps).collect(),
            admitted: vec![1; 3],
            denied_in_shadow: Vec::new(),
        }
    }

    #[test]
    fn few_steps_stay_as_they_are() {
        let timeline = timeline(5);
        let steps = Steps::new(&timeline, 10).unwrap();
        assert_eq!(steps.sums(&timeline.offered), [1, 2, 3, 4, 5]);
        assert_eq!(steps.sums(&timeline.admitted), [1, 1, 1, 0, 0]);
        assert_eq!(steps.begin(2) - steps.begin(0), 120);
    }

    #[test]
    fn many_are_put_together_and_nothing_is_lost() {
        let timeline = timeline(25);
        let steps = Steps::new(&timeline, 10).unwrap();
        let sums = steps.sums(&timeline.offered);
        assert_eq!((sums.len(), sums.iter().sum::<u64>()), (9, 325));
        assert!((steps.step - 180.0).abs() < 1e-9);
    }

    #[test]
    fn without_requests_there_are_none() {
        assert!(Steps::new(&Timeline::default(), 10).is_none());
        let endless = Timeline {
            step: f64::NAN,
            ..timeline(5)
        };
        assert!(Steps::new(&endless, 10).is_none());
    }
}
