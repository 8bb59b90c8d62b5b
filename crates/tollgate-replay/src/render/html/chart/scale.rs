//! From numbers to places on an axis.

use crate::render::numbers::trimmed;

/// From numbers to places between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    is_log: bool,
}

impl Scale {
    /// Equal steps are equally long.
    pub(super) fn linear(from: f64, to: f64) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        Self {
            from,
            to,
            is_log: false,
        }
    }

    /// Equal factors are equally long. Both ends are above 0.
    pub(super) fn log(from: f64, to: f64) -> Self {
        let from = from.max(f64::MIN_POSITIVE);
        let to = if to > from { to } else { from * 10.0 };
        Self {
            from,
            to,
            is_log: true,
        }
    }

    pub(super) const fn is_log(self) -> bool {
        self.is_log
    }

    /// Where a number is: at an end, if it lies beyond.
    pub(super) fn at(self, number: f64) -> f64 {
        let number = if number.is_finite() {
            number
        } else {
            self.from
        };
        let number = number.clamp(self.from, self.to);
        if self.is_log {
            (number / self.from).ln() / (self.to / self.from).ln()
        } else {
            (number - self.from) / (self.to - self.from)
        }
    }

    /// Round numbers on it, a handful.
    pub(super) fn round_numbers(self) -> Vec<f64> {
        if self.is_log {
            self.powers()
        } else {
            self.multiples()
        }
    }

    /// 1, 2 and 5 times powers of ten; only the powers where there are many.
    fn powers(self) -> Vec<f64> {
        let (first, last) = (self.from.log10().floor(), self.to.log10().ceil());
        let digits: &[f64] = if last - first > 3.0 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        let mut numbers = Vec::new();
        let mut exponent = first;
        while exponent <= last {
            let power = 10_f64.powf(exponent);
            let candidates = digits.iter().map(|digit| digit * power);
            numbers.extend(candidates.filter(|number| self.has(*number)));
            exponent += 1.0;
        }
        numbers
    }

    fn multiples(self) -> Vec<f64> {
        let rough = (self.to - self.from) / 4.0;
        let power = 10_f64.powf(rough.log10().floor());
        let digits = [1.0, 2.0, 5.0, 10.0];
        let step = digits.iter().find(|digit| **digit * power >= rough);
        let step = step.unwrap_or(&10.0) * power;
        let mut numbers = Vec::new();
        let mut index = (self.from / step).ceil();
        while self.has(index * step) && numbers.len() < 20 {
            numbers.push(index * step);
            index += 1.0;
        }
        numbers
    }

    fn has(self, number: f64) -> bool {
        let slack = self.to * 1e-9;
        number >= self.from - slack && number <= self.to + slack
    }
}

/// A share on an axis: `0.1%`.
pub(super) fn percent(share: f64) -> String {
    format!("{}%", trimmed(share * 100.0, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_ends_and_what_lies_beyond_too() {
        for scale in [Scale::linear(0.0, 50.0), Scale::log(0.5, 5_000.0)] {
            for (number, place) in [(-1.0, 0.0), (f64::NAN, 0.0), (1e300, 1.0)] {
                assert!(
                    (scale.at(number) - place).abs() < 1e-9,
                    "{scale:?} {number}"
                );
            }
        }
        assert!((Scale::log(1.0, 10_000.0).at(100.0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn marks_are_round_and_few() {
        assert_eq!(Scale::linear(0.0, 47.0).round_numbers(), [0.0, 20.0, 40.0]);
        assert_eq!(
            Scale::log(0.5, 12.0).round_numbers(),
            [0.5, 1.0, 2.0, 5.0, 10.0]
        );
        assert_eq!(Scale::log(0.5, 99_999.0).round_numbers().len(), 5);
        for scale in [Scale::linear(0.0, f64::MAX), Scale::log(1e-300, 1e300)] {
            assert!(scale.round_numbers().len() < 1_000, "{scale:?}");
        }
    }
}
