//! A hello-world behind each middleware, under load.

mod load;
mod server;

use anyhow::{Context, Result, ensure};

pub(crate) use self::load::Load;
use self::server::Server;
pub use self::server::serve;
use crate::report::{Bound, Report, Table};
use crate::{cores, statistics};

const REPETITIONS: usize = 7;
const SECONDS: u32 = 3;

/// A server under load.
#[derive(Clone, Copy, Debug)]
struct Variant {
    /// What the child is called with.
    name: &'static str,
    title: &'static str,
    denies: bool,
    /// The share of the bare server's requests that was asked for.
    asked: Option<f64>,
}

const BARE: Variant = Variant {
    name: "bare",
    title: "bare",
    denies: false,
    asked: None,
};

const VARIANTS: [Variant; 7] = [
    BARE,
    Variant {
        name: "tollgate",
        title: "tollgate, allowed, no headers",
        denies: false,
        asked: Some(0.97),
    },
    Variant {
        name: "tollgate-headers",
        title: "tollgate, allowed, headers",
        denies: false,
        asked: Some(0.94),
    },
    Variant {
        name: "tollgate-denied",
        title: "tollgate, denied",
        denies: true,
        asked: Some(0.85),
    },
    Variant {
        name: "tower-governor",
        title: "tower_governor, allowed, no headers",
        denies: false,
        asked: None,
    },
    Variant {
        name: "tower-governor-headers",
        title: "tower_governor, allowed, headers",
        denies: false,
        asked: None,
    },
    Variant {
        name: "tower-governor-denied",
        title: "tower_governor, denied",
        denies: true,
        asked: None,
    },
];

/// Starts every server on one core, and loads each in turn from the other, several times.
///
/// # Errors
///
/// If `wrk` is not installed, a server fails, or one answers with another status than it should.
pub fn run(report: &mut Report) -> Result<()> {
    load::require_wrk()?;
    let servers: Vec<(Variant, Server)> = VARIANTS
        .into_iter()
        .map(|variant| {
            let server = Server::start(variant.name)
                .with_context(|| format!("starting the server {}", variant.name))?;
            Ok((variant, server))
        })
        .collect::<Result<_>>()?;
    let samples = cores::on_core(0, || measure(&servers))?;

    let mut table = Table::new(
        "Middleware: axum hello-world on one core, wrk with 32 connections on the other",
        ["", "requests/s", "of bare", "CPU µs a request", "of bare"],
    );
    let medians: Vec<[f64; 2]> = samples.iter().map(Samples::medians).collect();
    let bare = medians.first().copied().unwrap_or([f64::NAN; 2]);
    for ((variant, _), [rate, cpu]) in servers.iter().zip(medians) {
        table.row([
            variant.title.to_owned(),
            format!("{rate:.0}"),
            format!("{:.3}", rate / bare[0]),
            format!("{cpu:.2}"),
            format!("{:.3}", cpu / bare[1]),
        ]);
        if let Some(asked) = variant.asked {
            report.goal(
                format!("requests/s of bare: {}", variant.title),
                Bound::AtLeast(asked),
                rate / bare[0],
            );
            report.goal(
                format!("the same by CPU time: {}", variant.title),
                Bound::AtLeast(asked),
                bare[1] / cpu,
            );
        }
    }
    table.print()
}

/// One server's rate and CPU time a request, one sample a repetition.
#[derive(Default)]
struct Samples {
    rates: Vec<f64>,
    cpu: Vec<f64>,
}

impl Samples {
    fn medians(&self) -> [f64; 2] {
        [&self.rates, &self.cpu].map(|samples| statistics::median(samples))
    }
}

fn measure(servers: &[(Variant, Server)]) -> Result<Vec<Samples>> {
    let mut samples: Vec<Samples> = servers.iter().map(|_| Samples::default()).collect();
    for (_, server) in servers {
        // Not kept: the first requests warm the server up, and use a denying limit up.
        Load::put_on(server.address(), 1)?;
    }
    for repetition in 0..REPETITIONS {
        for turn in 0..servers.len() {
            let index = (repetition + turn) % servers.len();
            let (variant, server) = &servers[index];
            let before = server.cpu_time()?;
            let load = Load::put_on(server.address(), SECONDS)?;
            let cpu = server.cpu_time()?.saturating_sub(before);
            let expected = if variant.denies { load.requests } else { 0 };
            ensure!(
                load.errors == expected,
                "{} answered {} of {} requests with an error, not {expected}",
                variant.name,
                load.errors,
                load.requests,
            );
            samples[index].rates.push(load.rate);
            samples[index]
                .cpu
                .push(cpu.as_secs_f64() * 1e6 / load.requests as f64);
        }
    }
    Ok(samples)
}
