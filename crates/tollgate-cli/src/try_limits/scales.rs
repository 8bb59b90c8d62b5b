//! Where numbers lie on a drawing.

/// From values to pixels, with round numbers to mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// From `low` at pixel `from` to `high` at pixel `to`.
    pub(super) fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        // Something that happened in no time is drawn as if it took a second.
        let high = if high > low { high } else { low + 1.0 };
        Self {
            low,
            high,
            from,
            to,
        }
    }

    pub(super) fn pixel(self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// About six round values; fewer where they would be closer than `least`.
    pub(super) fn marks(self, least: f64) -> Vec<f64> {
        let rough = (self.high - self.low) / 6.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= rough)
            .unwrap_or(power * 10.0)
            .max(least);
        let first = (self.low / step).ceil();
        (0..16)
            .map(|mark| (first + f64::from(mark)) * step)
            .take_while(|value| *value <= self.high + step * 1e-9)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_within() {
        let marks = |low, high| Scale::new((low, high), (0.0, 1.0)).marks(1e-6);
        assert_eq!(marks(0.0, 60.0), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
        assert_eq!(marks(0.0, 2.0), [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(marks(3.0, 3.0).len(), 6);
        assert_eq!(marks(59.5, 61.0), [59.5, 60.0, 60.5, 61.0]);
    }

    #[test]
    fn marks_are_no_closer_than_what_they_count() {
        let marks = |high, least| Scale::new((0.0, high), (0.0, 1.0)).marks(least);
        assert_eq!(marks(2.0, 1.0), [0.0, 1.0, 2.0]);
        assert_eq!(marks(1e-6, 1e-6), [0.0, 1e-6]);
        assert_eq!(marks(60.0, 1.0).len(), 7);
    }
}
