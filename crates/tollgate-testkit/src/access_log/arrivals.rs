//! When requests come: a day has its nights.

use tollgate::{Micros, Timestamp};

/// Steps of the table.
const STEPS: u64 = 288;

/// How many requests come in each hour of a day (UTC), beside each other.
const HOURS: [u64; 24] = [
    12, 8, 6, 5, 5, 7, 14, 28, 45, 58, 64, 66, 68, 66, 63, 62, 64, 70, 80, 88, 84, 66, 42, 22,
];

/// The curve of a span: from a share of the requests to the instant until which they have come.
#[derive(Clone, Debug)]
pub(super) struct Arrivals {
    from: Timestamp,
    step: u64,
    /// The weight of all steps up to each, and at the end of all.
    weights: Vec<u64>,
}

impl Arrivals {
    pub(super) fn new(from: Timestamp, span: Micros) -> Self {
        let step = (span.as_micros() / STEPS).max(1);
        let hour = |number: u64| {
            let at = from.as_micros() + number * step;
            let hour = at / Micros::HOUR.as_micros() % 24;
            usize::try_from(hour).expect("below 24")
        };
        let mut all = 0;
        let mut weights = vec![0];
        for number in 0..STEPS {
            all += HOURS[hour(number)];
            weights.push(all);
        }
        Self {
            from,
            step,
            weights,
        }
    }

    /// The instant at which `part` of `whole` have come; never decreases with `part`.
    pub(super) fn instant(&self, part: u64, whole: u64) -> Timestamp {
        let all = self.weights.last().copied().unwrap_or(1);
        // In 2^20ths of the unit of weight.
        let weight = ((u128::from(part) * u128::from(all)) << 20) / u128::from(whole.max(1));
        let weight = u64::try_from(weight)
            .expect("part is below whole")
            .min((all << 20) - 1);
        let step = self.weights.partition_point(|until| until << 20 <= weight) - 1;
        let (low, high) = (self.weights[step], self.weights[step + 1]);
        let inside = (weight - (low << 20)) / (high - low);
        let steps = u64::try_from(step).expect("there are few steps");
        let micros = steps * self.step
            + u64::try_from((u128::from(inside) * u128::from(self.step)) >> 20)
                .expect("inside is below 2^20");
        self.from.saturating_add(Micros::new(micros))
    }
}
