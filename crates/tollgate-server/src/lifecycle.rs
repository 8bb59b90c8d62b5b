//! From serving to having ended.

use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// What of its end a daemon has come to. Clones are the same.
///
/// First it is *leaving*: it goes on as before, but tells whoever asks that they should go elsewhere.
/// Then its doors are *closing*, and at last it *drains*: what has been asked is answered, and that
/// was it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifecycle {
    leaving: CancellationToken,
    pub(crate) closing: CancellationToken,
    pub(crate) drain: CancellationToken,
}

impl Lifecycle {
    pub(crate) fn leave(&self) {
        self.leaving.cancel();
    }

    /// Ready as soon as the daemon was told to stop.
    pub(crate) fn leaving(&self) -> WaitForCancellationFutureOwned {
        self.leaving.clone().cancelled_owned()
    }

    /// True as soon as the daemon was told to stop.
    pub(crate) fn is_leaving(&self) -> bool {
        self.leaving.is_cancelled()
    }
}
