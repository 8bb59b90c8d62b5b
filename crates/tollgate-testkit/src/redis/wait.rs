//! Waiting for what another process does.

use std::thread;
use std::time::{Duration, Instant};

/// Long enough for anything here on a busy machine, also for sentinels, which do nothing for half a
/// minute after the machine has stood still; and it only ends what would never end.
const PATIENCE: Duration = Duration::from_secs(120);

/// So short that it adds nothing, so long that the processes that are waited for can work.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until `condition` holds. For what happens in a server, which calls nobody back; what
/// happens in this process should be awaited.
///
/// # Panics
///
/// After two minutes, naming `what` was waited for.
pub fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        pause();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "another process is waited for, whose time cannot be held still"
)]
fn now() -> Instant {
    Instant::now()
}

#[expect(
    clippy::disallowed_methods,
    reason = "another process is waited for, which tells nobody"
)]
fn pause() {
    thread::sleep(PAUSE);
}
