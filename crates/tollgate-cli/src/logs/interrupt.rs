//! Ctrl-C.

use std::process::exit;
use std::sync::Arc;
use std::thread;

use anyhow::Context;
use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tollgate_replay::Progress;

use super::INTERRUPTED;

/// Stops what reads logs at the first Ctrl-C, and the program at the second.
pub(super) fn listen(progress: &Arc<Progress>) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.context("cannot handle signals")?;
    // From now on, not only once the thread runs.
    let interrupt = runtime.block_on(async { signal(SignalKind::interrupt()) });
    let interrupt = interrupt.context("cannot handle signals")?;
    let progress = Arc::clone(progress);
    let listener = thread::Builder::new().name("signals".to_owned());
    let listener = listener.spawn(move || runtime.block_on(obey(interrupt, &progress)));
    listener.context("cannot handle signals")?;
    Ok(())
}

#[expect(
    clippy::exit,
    reason = "whoever presses Ctrl-C again wants no report, and nothing is left to be written"
)]
async fn obey(mut interrupt: Signal, progress: &Progress) {
    interrupt.recv().await;
    progress.stop();
    interrupt.recv().await;
    exit(i32::from(INTERRUPTED));
}
