//! How long the cores stand still although they have work: what no server is quicker than.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use crate::cores;
use crate::report::Table;
use crate::stopwatch::wall;

/// How long to look.
const SPAN: Duration = Duration::from_secs(3);
/// What is longer than any interrupt takes, so that something else had the core.
const STALL: Duration = Duration::from_micros(200);

/// Has the two cores do nothing but look at the clock, as load and server leave them no rest either,
/// and prints for how long each could not.
///
/// # Errors
///
/// If there are not two cores, or standard output is closed.
pub(super) fn show() -> Result<()> {
    let seen = thread::scope(|scope| {
        let cores =
            [0, 1].map(|core| scope.spawn(move || cores::on_core(core, || Ok(watch(wall)))));
        cores.map(|core| {
            core.join()
                .map_err(|_| anyhow!("a measuring thread panicked"))
        })
    });
    let mut table = Table::new(
        "The machine itself: both cores busy with nothing, stalls of more than 0.2 ms",
        ["", "stalls", "% of the time", "longest ms"],
    );
    for (core, stalls) in seen.into_iter().enumerate() {
        let stalls = stalls??;
        table.row([
            format!("core {core}"),
            stalls.count.to_string(),
            format!(
                "{:.2}",
                100.0 * stalls.all.as_secs_f64() / SPAN.as_secs_f64()
            ),
            format!("{:.2}", 1e3 * stalls.longest.as_secs_f64()),
        ]);
    }
    table.print()
}

#[derive(Debug, Default, PartialEq)]
struct Stalls {
    count: u64,
    all: Duration,
    longest: Duration,
}

/// Looks at the clock until [`SPAN`] is over.
fn watch(mut now: impl FnMut() -> Instant) -> Stalls {
    let mut stalls = Stalls::default();
    let begin = now();
    let mut last = begin;
    while last - begin < SPAN {
        let time = now();
        let gap = time - last;
        if gap > STALL {
            stalls.count += 1;
            stalls.all += gap;
            stalls.longest = stalls.longest.max(gap);
        }
        last = time;
    }
    stalls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_in_which_the_clock_was_not_looked_at_is_a_stall() {
        let begin = wall();
        let looks = [0, 100, 5_100, 5_200, 8_200, 3_000_000].map(Duration::from_micros);
        let mut looks = looks.into_iter().map(|at| begin + at);
        let stalls = watch(|| looks.next().unwrap());
        assert_eq!(stalls.count, 3);
        assert_eq!(stalls.longest, Duration::from_micros(2_991_800));
        assert_eq!(stalls.all, Duration::from_micros(2_999_800));
    }
}
