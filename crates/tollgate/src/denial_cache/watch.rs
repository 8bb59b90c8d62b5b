//! A clock that is watched for steps back.

use tollgate_core::{Micros, Timestamp};

use crate::Clock;
use crate::sync::atomic::{AtomicU64, Ordering};

/// The latest instant is kept in units of two to the power of so many microseconds: coarse, so that
/// what all threads read is written sixty times a second and not by every decision.
const COARSE_BITS: u32 = 14;

/// The least step back that is always noticed.
pub(super) const NOTICED_STEP: Micros = Micros::new(2 << COARSE_BITS);

#[derive(Debug)]
pub(super) struct Watch<C> {
    clock: C,
    /// The latest instant that was read, coarsely.
    latest: AtomicU64,
}

/// An instant, and whether the clock has stepped back to it.
pub(super) struct Reading {
    pub(super) now: Timestamp,
    pub(super) stepped_back: bool,
}

impl<C: Clock> Watch<C> {
    pub(super) fn new(clock: C) -> Self {
        Self {
            clock,
            latest: AtomicU64::new(0),
        }
    }

    #[inline]
    pub(super) fn read(&self) -> Reading {
        // Before the clock: a thread that is held up in between must not take what passes meanwhile
        // for a step back.
        let latest = self.latest.load(Ordering::Acquire);
        let now = self.clock.now();
        let coarse = now.as_micros() >> COARSE_BITS;
        // Two cores may see one clock a little apart.
        let stepped_back = coarse + 1 < latest;
        if stepped_back {
            // Unless another thread has noticed it too.
            let (set, failed) = (Ordering::AcqRel, Ordering::Relaxed);
            let _ = self.latest.compare_exchange(latest, coarse, set, failed);
        } else if coarse > latest {
            self.latest.fetch_max(coarse, Ordering::AcqRel);
        }
        Reading { now, stepped_back }
    }
}
