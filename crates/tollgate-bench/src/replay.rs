//! Replays of access logs, beside `GoAccess`, which counts their lines.

mod log;
mod program;

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use tollgate_policy::file::PolicyFile;
use tollgate_replay::log::Input;
use tollgate_replay::{Progress, Replay};

use crate::child::CHILD;
use crate::report::{Bound, Report, Table};
use crate::statistics::median;
use log::AccessLog;
use program::{Cost, run_to_end};

/// What can be measured by itself.
pub const PARTS: [&str; 2] = ["goaccess", "linear"];

/// How often each subject runs. They take turns.
const ROUNDS: usize = 3;

/// Lines of the log of `goaccess`, and clients of all logs.
const LINES: u64 = 10_000_000;
const CLIENTS: u32 = 200_000;

/// One policy for all requests, one for some, one with two limits and another algorithm.
const POLICIES: &str = r#"
[[policy]]
name = "everything"
key = ["client.ip"]
limits = ["20/s burst 60"]

[[policy]]
name = "reads"
match = { method = ["GET", "HEAD"], path = ["/places/**", "/search", "/api/**"] }
key = ["client.ip"]
limits = ["60/min", "1000/h sliding-window"]

[[policy]]
name = "auth"
match = { path = "/auth/**" }
key = ["client.ip"]
limits = ["10/min fixed-window"]
"#;

/// Says what is missing, and how it is installed.
///
/// # Errors
///
/// If `GoAccess` is not there.
pub fn prepare() -> Result<()> {
    let version = Command::new("goaccess").arg("--version").output();
    let version = version.context("goaccess is missing: on Debian, `apt-get install goaccess`")?;
    let text = String::from_utf8_lossy(&version.stdout);
    let first = text.lines().next().unwrap_or_default();
    writeln!(io::stdout().lock(), "beside {first}")?;
    Ok(())
}

/// Measures one of the [`PARTS`].
///
/// # Errors
///
/// If there is no such part, or something fails in it.
pub fn run(part: &str, report: &mut Report) -> Result<()> {
    match part {
        "goaccess" => beside_goaccess(report),
        "linear" => linear(report),
        _ => bail!("no part is called {part:?}"),
    }
}

/// What reads a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// All that the command reports.
    Replay,
    /// Without what other numbers would have done.
    Decisions,
    GoAccess,
}

impl Subject {
    const ALL: [Self; 3] = [Self::Replay, Self::Decisions, Self::GoAccess];

    const fn name(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Decisions => "replay, decisions only",
            Self::GoAccess => "goaccess",
        }
    }

    /// Reads a log to its end.
    fn read(self, log: &AccessLog) -> Result<Cost> {
        match self {
            Self::Replay => run_to_end(child(log.path(), "curves")?),
            Self::Decisions => run_to_end(child(log.path(), "none")?),
            Self::GoAccess => run_to_end(goaccess(log.path())),
        }
    }
}

/// The same log by all subjects in turns.
fn beside_goaccess(report: &mut Report) -> Result<()> {
    let log = AccessLog::make(LINES, CLIENTS)?;
    let mut costs: [Vec<Cost>; 3] = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for turn in 0..Subject::ALL.len() {
            let at = (round + turn) % Subject::ALL.len();
            costs[at].push(Subject::ALL[at].read(&log)?);
        }
    }
    let title = format!("{LINES} combined lines, {CLIENTS} clients, three policies");
    let header = ["", "s", "M lines/s", "CPU s", "M lines/CPU s", "peak MiB"];
    let mut table = Table::new(&title, header);
    let medians = costs.map(|costs| Cost::median_of(&costs));
    for (subject, cost) in Subject::ALL.iter().zip(&medians) {
        let millions = LINES as f64 / 1e6;
        table.row([
            subject.name().to_owned(),
            format!("{:.2}", cost.wall),
            format!("{:.3}", millions / cost.wall),
            format!("{:.2}", cost.cpu),
            format!("{:.3}", millions / cost.cpu),
            format!("{:.0}", cost.peak_mebibytes),
        ]);
    }
    table.print()?;
    let [replay, decisions, goaccess] = medians;
    let rate = |cost: Cost| LINES as f64 / 1e6 / cost.wall;
    report.goal("replay: M lines/s", Bound::AtLeast(1.0), rate(replay));
    report.goal(
        "decisions only: M lines/s",
        Bound::AtLeast(1.0),
        rate(decisions),
    );
    report.goal(
        "replay: peak MB",
        Bound::AtMost(500.0),
        replay.peak_mebibytes * 1.048_576,
    );
    report.goal(
        "replay: times as fast as goaccess",
        Bound::AtLeast(3.0),
        goaccess.wall / replay.wall,
    );
    report.goal(
        "replay: times less CPU than goaccess",
        Bound::AtLeast(3.0),
        goaccess.cpu / replay.cpu,
    );
    Ok(())
}

/// Logs of more and more lines of as many clients: what a line costs.
fn linear(report: &mut Report) -> Result<()> {
    let mut table = Table::new(
        "Linear in lines: a line's share",
        [
            "lines",
            "s",
            "CPU s",
            "wall ns/line",
            "CPU ns/line",
            "peak MiB",
        ],
    );
    let mut per_line = Vec::new();
    for lines in [1_000_000, 3_000_000, LINES] {
        let log = AccessLog::make(lines, CLIENTS)?;
        let runs: Result<Vec<Cost>> = (0..ROUNDS).map(|_| Subject::Replay.read(&log)).collect();
        let cost = Cost::median_of(&runs?);
        let nanos = |seconds: f64| seconds * 1e9 / lines as f64;
        table.row([
            lines.to_string(),
            format!("{:.2}", cost.wall),
            format!("{:.2}", cost.cpu),
            format!("{:.0}", nanos(cost.wall)),
            format!("{:.0}", nanos(cost.cpu)),
            format!("{:.0}", cost.peak_mebibytes),
        ]);
        per_line.push(nanos(cost.cpu));
    }
    table.print()?;
    let (Some(first), Some(last)) = (per_line.first(), per_line.last()) else {
        return Ok(());
    };
    // Ten times the lines of as many clients: what is done once for each client weighs less.
    report.goal(
        "CPU of a line among 10 M, beside one among 1 M",
        Bound::AtMost(1.2),
        last / first,
    );
    Ok(())
}

/// This program again, which replays a log.
fn child(log: &Path, curves: &str) -> Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.args([CHILD, "replay"]).arg(log).arg(curves);
    Ok(command)
}

/// It writes its report to where nobody reads it, as the replay does.
fn goaccess(log: &Path) -> Command {
    let mut command = Command::new("goaccess");
    command.arg(log);
    command.args([
        "--log-format=COMBINED",
        "--no-global-config",
        "--no-progress",
    ]);
    command.args(["-o", "json"]);
    command
}

/// Replays a log through three policies, and says how many requests were read and denied.
///
/// # Errors
///
/// If it cannot be read, or nothing is denied.
pub fn replay_child(log: &str, curves: &str) -> Result<[f64; 2]> {
    let nothing = |_: &str| None;
    let file = PolicyFile::parse("bench.toml", POLICIES, &nothing)?;
    let replay = Replay::new(file.policies)
        .identity(file.client)
        .what_if(curves == "curves")
        .inputs(vec![Input::File(log.into())]);
    let report = replay.run(&Progress::new())?;
    let written = serde_json::to_string(&report)?;
    ensure!(
        !written.is_empty() && report.input.rejected == 0,
        "some lines were rejected"
    );
    ensure!(report.totals.denied > 0, "nothing was denied");
    Ok([report.totals.requests as f64, report.totals.denied as f64])
}

impl Cost {
    /// The median of each figure.
    fn median_of(costs: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| {
            let figures: Vec<f64> = costs.iter().map(figure).collect();
            median(&figures)
        };
        Self {
            wall: of(|cost| cost.wall),
            cpu: of(|cost| cost.cpu),
            peak_mebibytes: of(|cost| cost.peak_mebibytes),
        }
    }
}
