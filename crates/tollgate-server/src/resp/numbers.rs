//! Numbers as the protocol carries them.

use tollgate::Micros;

/// Units as an integer of the protocol.
pub(super) fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A span in whole seconds, rounded up, so that nobody comes too early.
pub(super) fn seconds(span: Micros) -> i64 {
    integer(span.as_secs_ceil())
}
