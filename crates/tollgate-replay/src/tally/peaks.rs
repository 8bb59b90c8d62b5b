//! The distribution of the peaks of keys.

use tollgate::{Algorithm, Limit};

use crate::instant::seconds;
use crate::report::{PeakBucket, Peaks};

/// The distribution of some peaks, in order, in windows of the period of a limit.
pub(crate) fn peaks(limit: &Limit, peaks: &[u64]) -> Peaks {
    let at_most = match limit.algorithm() {
        // It may be full when the window begins, and is filled again while it lasts.
        Algorithm::TokenBucket => limit.quota().saturating_add(limit.units()),
        _ => limit.units(),
    };
    Peaks {
        window: seconds(limit.period().as_micros()),
        limit: at_most,
        buckets: buckets(peaks, at_most),
        p50: percentile(peaks, 500),
        p90: percentile(peaks, 900),
        p99: percentile(peaks, 990),
        p999: percentile(peaks, 999),
        highest: peaks.last().copied().unwrap_or(0),
    }
}

/// The least peak that so many of a thousand keys do not exceed.
fn percentile(peaks: &[u64], of_thousand: usize) -> u64 {
    let rank = peaks.len().saturating_mul(of_thousand).div_ceil(1_000);
    peaks.get(rank.saturating_sub(1)).copied().unwrap_or(0)
}

/// Bounds of 1, 2, 5, 10 and so on up to the highest peak, and one at the limit, so that no bucket
/// lies on both sides of it.
fn buckets(peaks: &[u64], limit: u64) -> Vec<PeakBucket> {
    let Some(highest) = peaks.last() else {
        return Vec::new();
    };
    let mut bounds = Vec::new();
    let mut ten = 1_u64;
    'all: loop {
        for step in [1, 2, 5] {
            let bound = ten.saturating_mul(step);
            bounds.push(bound);
            if bound >= *highest {
                break 'all;
            }
        }
        ten = ten.saturating_mul(10);
    }
    if limit < *highest {
        bounds.push(limit);
        bounds.sort_unstable();
        bounds.dedup();
    }
    let mut before = 0;
    let bucket = |at_most: u64| {
        let here = peaks.partition_point(|peak| *peak <= at_most);
        let keys = u64::try_from(here - before).unwrap_or(u64::MAX);
        before = here;
        PeakBucket { at_most, keys }
    };
    bounds.into_iter().map(bucket).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_is_in_the_first_bucket_that_holds_its_peak() {
        let limit: Limit = "7/min fixed-window".parse().unwrap();
        let peaks = peaks(&limit, &[0, 1, 1, 2, 6, 7, 8, 30]);
        let buckets: Vec<(u64, u64)> = peaks
            .buckets
            .iter()
            .map(|bucket| (bucket.at_most, bucket.keys))
            .collect();
        assert_eq!(
            buckets,
            [(1, 3), (2, 1), (5, 0), (7, 2), (10, 1), (20, 0), (50, 1)]
        );
        assert_eq!((peaks.limit, peaks.window, peaks.highest), (7, 60.0, 30));
        assert_eq!(
            (peaks.p50, peaks.p90, peaks.p99, peaks.p999),
            (2, 30, 30, 30)
        );
    }

    #[test]
    fn percentiles_are_peaks_that_so_many_keys_do_not_exceed() {
        let limit: Limit = "20/s burst 60".parse().unwrap();
        let peaks = peaks(&limit, &(1..=1_000).collect::<Vec<_>>());
        assert_eq!(
            (peaks.p50, peaks.p90, peaks.p99, peaks.p999),
            (500, 900, 990, 999)
        );
        assert_eq!(peaks.limit, 80);
        assert_eq!(
            super::peaks(&limit, &[]),
            Peaks {
                window: 1.0,
                limit: 80,
                ..Peaks::default()
            }
        );
    }
}
