//! The lock that stores use.

use std::sync::PoisonError;

pub(crate) use std::sync::MutexGuard;

/// A lock that stays usable after a panic: what it guards is whole between any two statements
/// that could panic, because none can.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

impl<T> Mutex<T> {
    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
