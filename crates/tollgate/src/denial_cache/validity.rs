//! For how long an answer of the store holds by another clock, and which instant it is by then.

use tollgate_core::Micros;

use super::watch::NOTICED_STEP;

/// Two clocks may run apart by one in so many: twice the rate at which a system's clock is slewed
/// at most, and many times what an ordinary one is wrong by.
const APART: u64 = 1_000;

/// How the cache's clock relates to the store's, and how long an answer is relied on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Validity {
    /// True if both read one clock.
    pub(super) one_clock: bool,
    /// After so long the store is asked again, if it can answer.
    pub(super) ask_again_after: Micros,
}

impl Validity {
    /// For how long, by the cache's clock, it is certain that less than `wait` has passed by the
    /// store's.
    ///
    /// If the store's clock gains one in a thousand, less than `wait` passes there while
    /// `wait × 999 / 1000` passes here, since 0.999 × 1.001 < 1. A step back that is not noticed
    /// would lengthen what is left here, so it is taken off too.
    pub(super) const fn certainly_within(self, wait: Micros) -> Micros {
        if self.one_clock {
            return wait;
        }
        let margin = wait.as_micros().div_ceil(APART) + NOTICED_STEP.as_micros();
        Micros::new(wait.as_micros().saturating_sub(margin))
    }

    /// What has certainly passed by the store's clock while `here` has passed by the cache's. An
    /// instant that is told too early makes a wait too long, never too short.
    #[inline]
    pub(super) const fn certainly_passed(self, here: Micros) -> Micros {
        if self.one_clock {
            return here;
        }
        let here = here.as_micros();
        Micros::new(here - here.div_ceil(APART))
    }
}
