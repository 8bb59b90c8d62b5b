//! The daemon's own metrics, as Prometheus reads them.

use std::fmt::{Error, Write};
use std::sync::Arc;

use super::Surface;

/// Writes what is counted here. `draining` once the daemon was told to stop.
pub(crate) fn write(
    text: &mut impl Write,
    surfaces: &[Arc<Surface>],
    draining: bool,
) -> Result<(), Error> {
    family(
        text,
        "build_info",
        "gauge",
        "The version that runs: always 1.",
    )?;
    let version = env!("CARGO_PKG_VERSION");
    writeln!(text, "tollgate_build_info{{version=\"{version}\"}} 1")?;
    family(
        text,
        "server_draining",
        "gauge",
        "1 once the daemon was told to stop.",
    )?;
    writeln!(text, "tollgate_server_draining {}", u8::from(draining))?;

    for (name, kind, help, value) in PLAIN {
        family(text, name, kind, help)?;
        for surface in surfaces {
            let label = surface.name();
            let value = value(surface);
            writeln!(text, "tollgate_{name}{{surface=\"{label}\"}} {value}")?;
        }
    }
    let name = "server_connections_refused_total";
    family(text, name, "counter", "Connections that were not served.")?;
    for surface in surfaces {
        let label = surface.name();
        for (reason, count) in surface.refusals() {
            writeln!(
                text,
                "tollgate_{name}{{surface=\"{label}\",reason=\"{reason}\"}} {count}"
            )?;
        }
    }
    let name = "server_requests_total";
    family(text, name, "counter", "Requests, by how they ended.")?;
    for surface in surfaces {
        let label = surface.name();
        for (outcome, count) in surface.outcomes() {
            writeln!(
                text,
                "tollgate_{name}{{surface=\"{label}\",outcome=\"{outcome}\"}} {count}"
            )?;
        }
    }
    request_seconds(text, surfaces)
}

/// A name, a kind, what it is, and how a surface knows it.
type Plain = (
    &'static str,
    &'static str,
    &'static str,
    fn(&Surface) -> u64,
);

const PLAIN: [Plain; 4] = [
    (
        "server_connections",
        "gauge",
        "Connections that are open.",
        |surface| wide(surface.connections()),
    ),
    (
        "server_connections_accepted_total",
        "counter",
        "Connections that were accepted and have been served.",
        Surface::accepted,
    ),
    (
        "server_accept_errors_total",
        "counter",
        "Connections that the system did not give.",
        Surface::accept_errors,
    ),
    (
        "server_requests_in_flight",
        "gauge",
        "Requests that have no answer yet.",
        |surface| wide(surface.in_flight()),
    ),
];

fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

fn request_seconds(text: &mut impl Write, surfaces: &[Arc<Surface>]) -> Result<(), Error> {
    let name = "server_request_seconds";
    family(
        text,
        name,
        "histogram",
        "How long requests took in the daemon.",
    )?;
    for surface in surfaces {
        let label = surface.name();
        let mut all = 0;
        for (bound, count) in surface.seconds.cumulative() {
            all = count;
            writeln!(
                text,
                "tollgate_{name}_bucket{{surface=\"{label}\",le=\"{bound}\"}} {count}"
            )?;
        }
        let sum = surface.seconds.sum().as_secs_f64();
        writeln!(text, "tollgate_{name}_sum{{surface=\"{label}\"}} {sum}")?;
        writeln!(text, "tollgate_{name}_count{{surface=\"{label}\"}} {all}")?;
    }
    Ok(())
}

fn family(text: &mut impl Write, name: &str, kind: &str, help: &str) -> Result<(), Error> {
    writeln!(text, "# HELP tollgate_{name} {help}")?;
    writeln!(text, "# TYPE tollgate_{name} {kind}")
}
