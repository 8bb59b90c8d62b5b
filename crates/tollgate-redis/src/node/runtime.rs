//! The runtime that calls need.

use tokio::runtime::Handle;
use tollgate::StoreError;

use crate::error::unavailable;

/// The Tokio runtime in which this is polled. Asked for again after each wait: a future may be
/// polled inside one first, and outside later.
pub(crate) fn runtime() -> Result<Handle, StoreError> {
    Handle::try_current().map_err(|_| {
        unavailable(
            "the redis store was used outside a Tokio runtime, which it needs for its connections",
        )
    })
}
