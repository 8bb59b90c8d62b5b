//! Summaries of samples.

/// The middle sample, the upper one if there are two; NaN if there is none.
#[must_use]
pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The smallest and the greatest sample.
#[must_use]
pub fn range(samples: &[f64]) -> (f64, f64) {
    samples
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), sample| {
            (low.min(*sample), high.max(*sample))
        })
}

/// The greatest of `sorted` that all but one in `one_in` reach at most.
#[must_use]
pub fn all_but_one_in(sorted: &[u64], one_in: usize) -> u64 {
    let left_out = sorted.len() / one_in;
    let index = sorted.len().saturating_sub(1 + left_out);
    sorted.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_the_order_and_one_outlier() {
        assert_eq!(median(&[3.0, 900.0, 1.0]), 3.0);
    }

    #[test]
    fn a_percentile_leaves_out_the_share_above_it() {
        let sorted: Vec<u64> = (1..=10_000).collect();
        assert_eq!(all_but_one_in(&sorted, 10_000), 9_999);
        assert_eq!(all_but_one_in(&sorted, 100), 9_900);
    }
}
