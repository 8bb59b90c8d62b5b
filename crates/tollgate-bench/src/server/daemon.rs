//! The daemon itself: the command, compiled anew, with a policy file.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use super::process::{Place, Process, free_port, resident};

/// What every request is counted by: its user, and more than a run can use.
pub(super) const DOMAIN: &str = "bench";

/// A running daemon.
#[derive(Debug)]
pub(super) struct Daemon {
    pub(super) process: Process,
    pub(super) ports: Ports,
    _directory: TempDir,
}

/// Where it listens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ports {
    pub(super) http: u16,
    pub(super) grpc: u16,
    pub(super) resp: u16,
}

/// What serves the connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The command as it is.
    Command,
    /// The library in this program, with a current-thread runtime for each core.
    RuntimeEach,
    /// The library in this program, with one runtime of many threads.
    OneRuntime,
}

impl Daemon {
    /// Starts it with a store: `memory:`, or the URL of a Redis server.
    pub(super) fn start(shape: Shape, place: Place, store: &str) -> Result<Self> {
        let directory = tempfile::tempdir().context("making a directory for a policy file")?;
        let policies = directory.path().join("tollgate.toml");
        let text = format!(
            "[store]\nurl = \"{store}\"\n\n[[policy]]\nname = \"all\"\nkey = [\"user\"]\n\
             limits = [\"1000000000/h\"]\non_store_failure = \"deny\"\n"
        );
        fs::write(&policies, text).context("writing a policy file")?;
        let ports = Ports {
            http: free_port()?,
            grpc: free_port()?,
            resp: free_port()?,
        };
        let Ports { http, grpc, resp } = ports;
        let mut command = match shape {
            Shape::Command => {
                let mut command = Command::new(program()?);
                command.args(["serve", "--log", "error", "--policies"]);
                command.arg(&policies);
                command.args(["--http", &format!("127.0.0.1:{http}")]);
                command.args(["--grpc", &format!("127.0.0.1:{grpc}")]);
                command.args(["--redis", &format!("127.0.0.1:{resp}")]);
                command
            }
            Shape::RuntimeEach | Shape::OneRuntime => {
                let mut command = Command::new(env::current_exe()?);
                command.args([crate::child::CHILD, "daemon"]);
                command.arg(if shape == Shape::OneRuntime {
                    "one"
                } else {
                    "each"
                });
                command.arg(&policies);
                command.args([http, grpc, resp].map(|port| port.to_string()));
                command
            }
        };
        // Nothing of the caller's environment changes what is measured.
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("TOLLGATE_") {
                command.env_remove(name);
            }
        }
        Ok(Self {
            process: Process::start(place, command, &[http, grpc, resp])?,
            ports,
            _directory: directory,
        })
    }

    pub(super) fn resident(&self) -> Result<f64> {
        resident(self.process.id())
    }
}

/// Compiles the command with the options of a release, so that what is measured is what is there.
///
/// # Errors
///
/// If cargo fails.
pub(super) fn compile() -> Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args([
        "build",
        "--quiet",
        "--release",
        "--locked",
        "-p",
        "tollgate-cli",
    ]);
    // What this cargo says of this package would make that one compile other packages anew.
    for (name, _) in env::vars_os() {
        let of_package = [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_BIN_",
            "CARGO_CRATE_",
        ];
        if of_package
            .iter()
            .any(|it| name.to_string_lossy().starts_with(it))
        {
            command.env_remove(name);
        }
    }
    let status = command.status().context("starting cargo")?;
    ensure!(status.success(), "the command could not be compiled");
    program().map(drop)
}

/// Beside this program's own directory, as cargo puts it.
fn program() -> Result<PathBuf> {
    let this = env::current_exe().context("finding this program's own file")?;
    let release = this.parent().and_then(|deps| deps.parent());
    let program = release
        .context("this program lies in no directory")?
        .join("tollgate");
    ensure!(program.exists(), "there is no {}", program.display());
    Ok(program)
}
