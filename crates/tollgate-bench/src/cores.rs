//! Where threads run.

use std::thread;

use anyhow::{Context, Result, anyhow};
use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};

/// Ties this thread, and whatever it will spawn, to the `nth` of the cores it may use.
///
/// # Errors
///
/// If there are too few cores, or the system refuses.
pub fn pin(nth: usize) -> Result<()> {
    pin_to(None, nth)
}

/// Ties a thread, of whatever process, to the `nth` of the cores that this one may use.
///
/// # Errors
///
/// As [`pin`], and if there is no such thread.
pub fn pin_thread(thread: u32, nth: usize) -> Result<()> {
    let thread = Pid::from_raw(thread.try_into()?).context("no thread has the number 0")?;
    pin_to(Some(thread), nth)
}

fn pin_to(thread: Option<Pid>, nth: usize) -> Result<()> {
    let allowed = sched_getaffinity(None).context("reading the cores this thread may use")?;
    let core = (0..CpuSet::MAX_CPU)
        .filter(|core| allowed.is_set(*core))
        .nth(nth)
        .with_context(|| format!("core {nth} is asked for, but there are fewer: use more cores"))?;
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(thread, &only).with_context(|| format!("pinning a thread to core {core}"))
}

/// Runs `work` on a thread of its own that is tied to the `nth` core.
///
/// # Errors
///
/// As [`pin`], and if `work` fails.
pub fn on_core<T: Send>(nth: usize, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    thread::scope(|scope| {
        scope
            .spawn(|| {
                pin(nth)?;
                work()
            })
            .join()
            .map_err(|_| anyhow!("a measuring thread panicked"))?
    })
}
