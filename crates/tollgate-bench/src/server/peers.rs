//! Servers of others, if their programs are there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::daemon::DOMAIN;
use super::process::{Place, Process, free_port};

/// The directory of their programs.
const VARIABLE: &str = "TOLLGATE_PEERS";

/// A peer's server that runs.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) process: Process,
    pub(super) port: u16,
}

/// Says which programs are missing, so that a run without them shows it.
pub(super) fn missing() -> Vec<&'static str> {
    let all = ["throttlecrab-server", "limitador-server"];
    all.into_iter().filter(|it| program(it).is_none()).collect()
}

fn program(name: &str) -> Option<PathBuf> {
    let directory = PathBuf::from(env::var_os(VARIABLE)?);
    // What `cargo install --root` makes has its programs in `bin`.
    let places = [directory.join(name), directory.join("bin").join(name)];
    places.into_iter().find(|path| path.exists())
}

/// throttlecrab's server, which speaks the Redis protocol. Its metrics are as they are unless said.
pub(super) fn throttlecrab() -> Result<Option<Peer>> {
    let Some(program) = program("throttlecrab-server") else {
        return Ok(None);
    };
    let port = free_port()?;
    let mut command = Command::new(program);
    command.args(["--redis", "--redis-host", "127.0.0.1", "--redis-port"]);
    command.arg(port.to_string()).args(["--log-level", "error"]);
    start(command, port).map(Some)
}

/// limitador's server with one limit for each user, in memory or on a Redis server.
pub(super) fn limitador(directory: &Path, redis: Option<&str>) -> Result<Option<Peer>> {
    let Some(program) = program("limitador-server") else {
        return Ok(None);
    };
    let limits = directory.join("limitador.yaml");
    let text = format!(
        "- namespace: {DOMAIN}\n  max_value: 1000000000\n  seconds: 3600\n  conditions: []\n  \
         variables:\n    - descriptors[0]['user']\n"
    );
    fs::write(&limits, text).context("writing limits for limitador")?;
    let (port, http) = (free_port()?, free_port()?);
    let mut command = Command::new(program);
    command.args(["--rls-ip", "127.0.0.1", "--rls-port", &port.to_string()]);
    command.args(["--http-ip", "127.0.0.1", "--http-port", &http.to_string()]);
    command.arg(limits);
    match redis {
        None => command.arg("memory"),
        Some(url) => command.args(["redis", url]),
    };
    start(command, port).map(Some)
}

fn start(mut command: Command, port: u16) -> Result<Peer> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok(Peer {
        process: Process::start(Place::SecondCore, command, &[port])?,
        port,
    })
}
