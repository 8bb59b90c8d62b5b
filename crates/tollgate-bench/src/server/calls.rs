//! gRPC in memory, beside a service that says yes to everything, and limitador's.

use anyhow::{Context, Result};

use super::daemon::{DOMAIN, Daemon, Shape};
use super::process::{Place, Process, address, free_port};
use super::rounds::{HEADER, Subject, rows, take_turns};
use super::{child_command, grpc, peers, tools};
use crate::report::{Bound, Report, Table};

/// Connections, and calls under way on each.
pub(super) const LOADS: [(u32, u32); 2] = [(1, 32), (8, 16)];
const SECONDS: u32 = 2;

/// Measures the daemon, the empty service, and limitador's server if it is there.
///
/// # Errors
///
/// If a program is missing or fails.
pub(super) fn run(report: &mut Report) -> Result<()> {
    let directory = tempfile::tempdir().context("making a directory")?;
    let message = directory.path().join("request");
    let request = grpc::Request::about(DOMAIN, ["user:000001"]);
    grpc::write(&message, &request)?;

    let port = free_port()?;
    let command = child_command(&["empty", "grpc", &port.to_string()])?;
    let empty = Process::start(Place::SecondCore, command, &[port])?;
    let daemon = Daemon::start(Shape::Command, Place::SecondCore, "memory:")?;
    let limitador = peers::limitador(directory.path(), None)?;
    let mut subjects = vec![
        Subject::new("empty tonic service", empty.id(), port),
        Subject::new("tollgate", daemon.process.id(), daemon.ports.grpc),
    ];
    if let Some(peer) = &limitador {
        let title = "limitador-server, memory";
        subjects.push(Subject::new(title, peer.process.id(), peer.port));
    }
    ensure_all_admit(&subjects, &request)?;
    for (connections, streams) in LOADS {
        let figures = take_turns(&subjects, |_, subject| {
            tools::h2load(subject.port, &message, connections, streams, SECONDS)
        })?;
        let load = format!("{connections} × {streams}");
        let title = format!("gRPC: h2load {load}, in memory, the server on a core of its own");
        let mut table = Table::new(&title, HEADER);
        for row in rows(&subjects, &figures) {
            table.row(row);
        }
        table.print()?;
        if let [empty, ours, ..] = figures[..] {
            let at_least = Bound::AtLeast(0.85);
            let rate = ours.rate / empty.rate;
            report.goal(
                format!("gRPC {load}: requests/s of an empty service"),
                at_least,
                rate,
            );
            let cpu = empty.cpu / ours.cpu;
            report.goal(format!("gRPC {load}: the same by CPU time"), at_least, cpu);
        }
        let ours_of_limitador = match figures[..] {
            [_, ours, limitador] => ours.rate / limitador.rate,
            _ => f64::NAN,
        };
        report.goal(
            format!("gRPC {load}: requests/s of limitador-server"),
            Bound::AtLeast(1.25),
            ours_of_limitador,
        );
    }
    Ok(())
}

/// `h2load` does not look at the status of gRPC.
pub(super) fn ensure_all_admit(subjects: &[Subject], request: &grpc::Request) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    for subject in subjects {
        runtime
            .block_on(async {
                let client = grpc::Client::connect(address(subject.port)).await?;
                client.ask(grpc::framed(request).into()).await
            })
            .with_context(|| format!("asking {}", subject.title))?;
    }
    Ok(())
}
