//! The list of algorithms.

use core::fmt;

/// How a limit counts.
///
/// # When a clock steps back
///
/// Time moves a state forward only. An instant before the state's own counts as the state's own
/// (the key stands still until the clock catches up), if the step is at most a period. After a
/// larger step the state is moved to the new instant with its usage unchanged, so that nobody
/// gains and nobody waits for an instant that may be years away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Algorithm {
    /// Up to a burst at once, refilled continuously: [`crate::token_bucket`].
    #[default]
    TokenBucket,
    /// A count per window: [`crate::fixed_window`].
    FixedWindow(Anchor),
    /// Two counts, the older one weighted: [`crate::sliding_window`].
    SlidingWindow,
    /// An exact log of admissions: [`crate::sliding_log`].
    SlidingLog,
}

/// Where a fixed window begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Anchor {
    /// At multiples of the period since the Unix epoch: a minute's window starts at the minute.
    #[default]
    Epoch,
    /// At the first request after the last window ended, for each key by itself.
    FirstRequest,
}

impl Algorithm {
    /// The name in the text form of limits.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TokenBucket => "token-bucket",
            Self::FixedWindow(_) => "fixed-window",
            Self::SlidingWindow => "sliding-window",
            Self::SlidingLog => "sliding-log",
        }
    }

    /// A small number that stands for the algorithm in a [`LimitId`](crate::LimitId); never
    /// changes, because stores outlive programs.
    pub(crate) const fn tag(self) -> u8 {
        match self {
            Self::TokenBucket => 0,
            Self::FixedWindow(Anchor::Epoch) => 1,
            Self::FixedWindow(Anchor::FirstRequest) => 2,
            Self::SlidingWindow => 3,
            Self::SlidingLog => 4,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
