//! The answers to requests that were decided together.

use std::ops::Deref;
use std::slice;
use std::sync::Arc;

use smallvec::SmallVec;

use super::Decision;

/// The decisions of one call, in the order of its questions.
///
/// Each says what its own question gets by itself. But nothing was spent for any of them unless
/// [all are allowed](Self::are_allowed).
#[derive(Clone, Debug)]
pub struct Decisions(Few);

/// One is kept without allocating anything beside itself.
type Few = SmallVec<[Arc<Decision>; 1]>;

impl Decisions {
    pub(crate) const fn new(decisions: Few) -> Self {
        Self(decisions)
    }

    /// True if every one is allowed, and what they cost was spent; also if there is none.
    #[must_use]
    pub fn are_allowed(&self) -> bool {
        self.iter().all(|decision| decision.is_allowed())
    }
}

impl Deref for Decisions {
    type Target = [Arc<Decision>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl IntoIterator for Decisions {
    type Item = Arc<Decision>;
    type IntoIter = smallvec::IntoIter<[Arc<Decision>; 1]>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'d> IntoIterator for &'d Decisions {
    type Item = &'d Arc<Decision>;
    type IntoIter = slice::Iter<'d, Arc<Decision>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Requests matched against policies whose store has yet to be asked: see
/// [`PolicyLimiter::decide_together_at_once`](crate::PolicyLimiter::decide_together_at_once). It does
/// not hold on to the requests, and dropping it charges nothing.
#[derive(Debug)]
#[must_use = "nothing is decided until `decide_together_later` is called"]
pub struct UndecidedTogether(Few);

impl UndecidedTogether {
    pub(crate) const fn new(begun: Few) -> Self {
        Self(begun)
    }

    pub(crate) fn into_begun(self) -> Few {
        self.0
    }
}
