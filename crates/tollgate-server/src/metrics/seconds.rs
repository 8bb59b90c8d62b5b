//! How long something takes, in buckets.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the buckets: what they are called, and in nanoseconds. From what a decision
/// in memory takes to what nobody waits for.
const BUCKETS: [(&str, u64); 14] = [
    ("0.00001", 10_000),
    ("0.00005", 50_000),
    ("0.0001", 100_000),
    ("0.00025", 250_000),
    ("0.0005", 500_000),
    ("0.001", 1_000_000),
    ("0.0025", 2_500_000),
    ("0.005", 5_000_000),
    ("0.01", 10_000_000),
    ("0.025", 25_000_000),
    ("0.05", 50_000_000),
    ("0.1", 100_000_000),
    ("0.25", 250_000_000),
    ("1", 1_000_000_000),
];

/// A histogram of fixed size: it does not grow between two scrapes, as samples do that are kept.
#[derive(Debug, Default)]
pub(super) struct Seconds {
    /// How many fell into each bucket, and into no lower one. The last is what is above all.
    counts: [AtomicU64; BUCKETS.len() + 1],
    nanos: AtomicU64,
}

impl Seconds {
    pub(super) fn record(&self, took: Duration) {
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.partition_point(|(_, bound)| *bound < nanos);
        if let Some(count) = self.counts.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
    }

    /// Each bound with how many were not above it, ending in `+Inf`.
    pub(super) fn cumulative(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let bounds = BUCKETS.iter().map(|(name, _)| *name).chain(["+Inf"]);
        let mut total = 0;
        bounds.zip(&self.counts).map(move |(bound, count)| {
            total += count.load(Ordering::Relaxed);
            (bound, total)
        })
    }

    /// All together.
    pub(super) fn sum(&self) -> Duration {
        Duration::from_nanos(self.nanos.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_what_is_not_above_its_bound() {
        let seconds = Seconds::default();
        for nanos in [0, 10_000, 10_001, 1_000_000_000, 1_000_000_001] {
            seconds.record(Duration::from_nanos(nanos));
        }
        let counts: Vec<_> = seconds.cumulative().collect();
        assert_eq!(counts.first(), Some(&("0.00001", 2)));
        assert_eq!(counts.get(1), Some(&("0.00005", 3)));
        assert_eq!(counts.get(13), Some(&("1", 4)));
        assert_eq!(counts.get(14), Some(&("+Inf", 5)));
        assert_eq!(seconds.sum(), Duration::from_nanos(2_000_020_002));
    }
}
