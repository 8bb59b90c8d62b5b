//! From serving to having ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// What of its end a daemon has come to. Clones are the same.
///
/// First it is *leaving*: it goes on as before, but tells whoever asks that they should go elsewhere.
/// Then its doors are *closing*, and at last it *drains*: what has been asked is answered, and that
/// was it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lifecycle {
    /// Shared as a whole: every request has a clone, and a token takes a lock to be cloned.
    ends: Arc<Ends>,
}

#[derive(Debug, Default)]
struct Ends {
    /// What `leaving` says, without the lock that a token takes: each answer over HTTP asks.
    is_leaving: AtomicBool,
    leaving: CancellationToken,
    closing: CancellationToken,
    drain: CancellationToken,
}

impl Lifecycle {
    pub(crate) fn leave(&self) {
        self.ends.is_leaving.store(true, Ordering::Release);
        self.ends.leaving.cancel();
    }

    /// Ready as soon as the daemon was told to stop.
    pub(crate) fn leaving(&self) -> WaitForCancellationFutureOwned {
        self.ends.leaving.clone().cancelled_owned()
    }

    /// True as soon as the daemon was told to stop.
    pub(crate) fn is_leaving(&self) -> bool {
        self.ends.is_leaving.load(Ordering::Acquire)
    }

    /// Cancelled when no more connections are to be accepted.
    pub(crate) fn closing(&self) -> &CancellationToken {
        &self.ends.closing
    }

    /// Cancelled when nothing more is to be read.
    pub(crate) fn drain(&self) -> &CancellationToken {
        &self.ends.drain
    }
}
