//! What it costs to run a program to its end.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::stopwatch::wall;

/// What a run cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// Seconds, on the wall.
    pub(super) wall: f64,
    /// Seconds of all threads on all cores.
    pub(super) cpu: f64,
    /// The most memory that was resident.
    pub(super) peak_mebibytes: f64,
}

/// Runs a program that prints little, and fails if it does.
///
/// The system forgets what a process has cost when somebody has waited for it: so it is looked at
/// until it has ended, and then once more before anybody waits.
pub(super) fn run_to_end(mut command: Command) -> Result<Cost> {
    let name = command.get_program().display().to_string();
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let begin = wall();
    let mut child = command
        .spawn()
        .with_context(|| format!("starting {name}"))?;
    let mut peak = 0.0;
    while !has_ended(&child)? {
        peak = f64::max(peak, peak_of(&child).unwrap_or_default());
        pause();
    }
    let seconds = begin.elapsed().as_secs_f64();
    let cpu = cpu_seconds(&child)?;
    let status = child.wait()?;
    ensure!(status.success(), "{name} failed: {status}");
    Ok(Cost {
        wall: seconds,
        cpu,
        peak_mebibytes: peak / 1024.0,
    })
}

/// Between two looks.
#[expect(
    clippy::disallowed_methods,
    reason = "the peak is to be read while the program runs, which says nothing of itself"
)]
fn pause() {
    thread::sleep(Duration::from_millis(5));
}

/// Whether all of its threads have ended, and nobody has waited for it yet.
fn has_ended(child: &Child) -> Result<bool> {
    Ok(stat(child)?.first().is_some_and(|state| state == "Z"))
}

/// User and system time, of a process that may have ended.
fn cpu_seconds(child: &Child) -> Result<f64> {
    let fields = stat(child)?;
    // The 14th and the 15th field of the file; the state is the third.
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    let (user, system) = (ticks(11), ticks(12));
    let ticks = user.zip(system).context("/proc has no times")?;
    let a_second = rustix::param::clock_ticks_per_second();
    Ok((ticks.0 + ticks.1) / a_second as f64)
}

/// The fields of `/proc/…/stat` from the state on.
fn stat(child: &Child) -> Result<Vec<String>> {
    let path = format!("/proc/{}/stat", child.id());
    let text = fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
    // The name of the program before it is in parentheses, and may hold anything.
    let rest = text
        .rsplit_once(") ")
        .context("/proc holds something else")?
        .1;
    Ok(rest.split_whitespace().map(str::to_owned).collect())
}

/// The most memory that was resident so far, in KiB.
fn peak_of(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_costs() {
        let mut command = Command::new("sh");
        command.args(["-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"]);
        let cost = run_to_end(command).unwrap();
        assert!(cost.wall > 0.0 && cost.cpu > 0.0, "{cost:?}");
        assert!(cost.peak_mebibytes > 0.1, "{cost:?}");
    }

    #[test]
    fn a_run_that_fails_is_an_error() {
        let mut command = Command::new("sh");
        command.args(["-c", "exit 3"]);
        assert!(run_to_end(command).is_err());
    }
}
