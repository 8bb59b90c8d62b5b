//! What is noticed of a map while lines are read by it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::log::Record;

/// Durations that are longer are probably in another unit, in microseconds: a day.
const LONG: u64 = 86_400_000_000;
/// Times before are probably in another unit: the year 2000, in microseconds.
const OLD: u64 = 946_684_800_000_000;

/// What all clones of a map have noticed together. It is no part of what the map says.
#[derive(Clone, Debug)]
pub(super) struct Noticed(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Whether a line ever had each field.
    found: Box<[AtomicBool]>,
    longest: AtomicU64,
    earliest: AtomicU64,
}

impl Noticed {
    pub(super) fn of(fields: usize) -> Self {
        Self(Arc::new(Inner {
            found: (0..fields).map(|_| AtomicBool::new(false)).collect(),
            longest: AtomicU64::new(0),
            earliest: AtomicU64::new(u64::MAX),
        }))
    }

    /// A line has this field.
    #[inline]
    pub(super) fn found(&self, field: usize) {
        // Looking is cheaper than writing what others look at.
        if let Some(found) = self.0.found.get(field).filter(|found| !found.load(Relaxed)) {
            found.store(true, Relaxed);
        }
    }

    /// A line is this request.
    #[inline]
    pub(super) fn request(&self, record: &Record<'_>) {
        let took = record.duration.map_or(0, |took| took.as_micros());
        if took > self.0.longest.load(Relaxed) {
            self.0.longest.fetch_max(took, Relaxed);
        }
        let at = record.at.as_micros();
        if at < self.0.earliest.load(Relaxed) {
            self.0.earliest.fetch_min(at, Relaxed);
        }
    }

    pub(super) fn was_found(&self, field: usize) -> bool {
        self.0
            .found
            .get(field)
            .is_some_and(|found| found.load(Relaxed))
    }

    pub(super) fn has_long_durations(&self) -> bool {
        self.0.longest.load(Relaxed) > LONG
    }

    pub(super) fn has_old_times(&self) -> bool {
        self.0.earliest.load(Relaxed) < OLD
    }
}

impl PartialEq for Noticed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Noticed {}
