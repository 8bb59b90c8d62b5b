//! Counts over time, in steps that grow with the time they have to cover.

/// The most steps.
const MOST: usize = 1_000;

/// Several counts over time, in the same steps: a second long at first, and twice as long whenever
/// they would be more than 1,000. They begin at multiples of their length since the epoch.
#[derive(Debug)]
pub(crate) struct Steps {
    /// In microseconds.
    step: u64,
    /// The number of the first step since the epoch.
    first: Option<u64>,
    series: Vec<Vec<u64>>,
    /// The last instant, and its place among the steps.
    last: (u64, usize),
}

impl Steps {
    /// So many counts.
    pub(crate) fn new(series: usize) -> Self {
        Self {
            step: 1_000_000,
            first: None,
            series: vec![Vec::new(); series],
            last: (0, 0),
        }
    }

    /// Goes to an instant, which is not before the one before.
    #[inline]
    pub(crate) fn go_to(&mut self, at: u64) {
        if self.first.is_some() && at == self.last.0 {
            return;
        }
        self.find(at);
    }

    fn find(&mut self, at: u64) {
        let place = loop {
            let number = at / self.step;
            let first = *self.first.get_or_insert(number);
            match usize::try_from(number.saturating_sub(first)) {
                Ok(place) if place < MOST => break place,
                _ => self.coarsen(first),
            }
        };
        self.last = (at, place);
        for series in &mut self.series {
            if series.len() <= place {
                series.resize(place + 1, 0);
            }
        }
    }

    /// Makes steps of two each.
    fn coarsen(&mut self, first: u64) {
        self.step = self.step.saturating_mul(2);
        self.first = Some(first / 2);
        for series in &mut self.series {
            let mut coarse = vec![0; series.len().div_ceil(2) + 1];
            for (number, count) in (first..).zip(&*series) {
                let place = usize::try_from(number / 2 - first / 2).unwrap_or(usize::MAX);
                if let Some(sum) = coarse.get_mut(place) {
                    *sum += count;
                }
            }
            *series = coarse;
        }
    }

    /// Counts one more where [`go_to`](Self::go_to) went.
    #[inline]
    pub(crate) fn count(&mut self, series: usize) {
        let place = self.last.1;
        if let Some(count) = self
            .series
            .get_mut(series)
            .and_then(|steps| steps.get_mut(place))
        {
            *count += 1;
        }
    }

    /// Microseconds of a step.
    pub(crate) const fn step(&self) -> u64 {
        self.step
    }

    /// When the first step begins, in microseconds.
    pub(crate) fn start(&self) -> Option<u64> {
        Some(self.first?.saturating_mul(self.step))
    }

    /// A count in each step, up to that of the last instant.
    pub(crate) fn series(&self, series: usize) -> Vec<u64> {
        let mut counts = self.series.get(series).cloned().unwrap_or_default();
        if self.first.is_some() {
            counts.resize(self.last.1 + 1, 0);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    #[test]
    fn are_aligned_and_leave_no_step_out() {
        let mut steps = Steps::new(2);
        assert_eq!((steps.start(), steps.series(0)), (None, vec![]));
        for at in [10_700_000, 10_900_000, 13_000_000] {
            steps.go_to(at);
            steps.count(0);
        }
        steps.count(1);
        assert_eq!((steps.start(), steps.step()), (Some(10 * SECOND), SECOND));
        assert_eq!(steps.series(0), [2, 0, 0, 1]);
        assert_eq!(steps.series(1), [0, 0, 0, 1]);
    }

    #[test]
    fn grow_with_the_time_and_keep_the_sums() {
        let mut steps = Steps::new(1);
        let start = 1_800_000_007;
        let mut naive = std::collections::BTreeMap::new();
        for second in (0..10_000).step_by(3).chain([50_000, 10_000_000]) {
            steps.go_to((start + second) * SECOND);
            steps.count(0);
            *naive.entry((start + second) * SECOND).or_insert(0_u64) += 1;
            let counts = steps.series(0);
            assert!(counts.len() <= MOST);
            let first = steps.start().unwrap();
            assert_eq!(first % steps.step(), 0);
            if second % 999 == 0 || second >= 50_000 {
                for (place, count) in (0_u64..).zip(&counts) {
                    let from = first + place * steps.step();
                    let sum: u64 = naive
                        .range(from..from + steps.step())
                        .map(|(_, count)| count)
                        .sum();
                    assert_eq!(*count, sum, "{place} after {second}");
                }
            }
        }
    }
}
