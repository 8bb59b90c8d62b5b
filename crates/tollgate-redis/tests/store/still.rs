//! Time that does not depend on how quick a machine is.

use std::sync::mpsc::{self, Sender};

use crate::given::PATIENCE;

/// While there is one, Tokio's time stands still, although sockets are waited for.
pub(crate) struct StillTime {
    /// Tells its end.
    _end: Sender<()>,
}

impl StillTime {
    /// In a runtime of one thread.
    pub(crate) fn begin() -> Self {
        tokio::time::pause();
        let (end, ended) = mpsc::channel();
        // Paused time moves on by itself when every task waits, but not while such a task runs. A
        // test that waits in vain ends by its timeouts in the end.
        tokio::task::spawn_blocking(move || ended.recv_timeout(PATIENCE));
        Self { _end: end }
    }
}

impl Drop for StillTime {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}
