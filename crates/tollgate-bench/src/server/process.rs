//! Servers: started on cores of their own, watched, and ended.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use std::{fs, io};

use anyhow::{Context, Result, bail, ensure};

use crate::cores;
use crate::stopwatch::wall;

/// How long a server may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that ends when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
}

impl Process {
    /// Starts it on the second core alone, or wherever the system likes, and waits until it listens
    /// on all `ports`.
    pub(super) fn start(place: Place, mut command: Command, ports: &[u16]) -> Result<Self> {
        let name = command.get_program().display().to_string();
        command.stdin(Stdio::null());
        let child = match place {
            // A process begins on the cores of the thread that starts it.
            Place::SecondCore => cores::on_core(1, || Ok(command.spawn()?)),
            Place::Anywhere => command.spawn().map_err(Into::into),
        };
        let mut process = Self {
            child: child.with_context(|| format!("starting {name}"))?,
        };
        let begin = wall();
        for port in ports {
            while TcpStream::connect(address(*port)).is_err() {
                if let Some(status) = process.child.try_wait()? {
                    bail!("{name} has ended ({status}) instead of listening on port {port}");
                }
                ensure!(
                    begin.elapsed() < PATIENCE,
                    "{name} does not listen on port {port}"
                );
                pause();
            }
        }
        Ok(process)
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "another process is waited for, which tells nobody"
)]
fn pause() {
    thread::sleep(Duration::from_millis(10));
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where a server runs. Loads run on the first core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    SecondCore,
    Anywhere,
}

/// A port of the loopback address.
pub(super) fn address(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

/// A port on which nobody listens now.
pub(super) fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(address(0)).context("looking for a free port")?;
    Ok(listener.local_addr()?.port())
}

/// How long the threads of a process have run that it has now, in microseconds.
pub(super) fn cpu_time(process: u32) -> Result<f64> {
    let mut nanos: u64 = 0;
    for thread in threads(process)? {
        let path = format!("/proc/{process}/task/{thread}/schedstat");
        // It may have ended by now.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let first = text.split_whitespace().next();
        let first = first.and_then(|it| it.parse::<u64>().ok());
        nanos += first.with_context(|| format!("{path} holds {text:?}"))?;
    }
    Ok(nanos as f64 / 1e3)
}

/// Ties a process that runs already to the second core.
pub(super) fn pin(process: u32) -> Result<()> {
    for thread in threads(process)? {
        cores::pin_thread(thread, 1)?;
    }
    Ok(())
}

/// The resident set of a process, in KiB.
pub(super) fn resident(process: u32) -> Result<f64> {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
    status
        .lines()
        .filter_map(|line| line.strip_prefix("VmRSS:"))
        .find_map(|size| size.trim().strip_suffix(" kB")?.parse().ok())
        .with_context(|| format!("{path} has no VmRSS"))
}

fn threads(process: u32) -> Result<Vec<u32>> {
    let path = format!("/proc/{process}/task");
    let entries = fs::read_dir(&path).with_context(|| format!("reading {path}"))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().parse().ok()));
    let numbers: io::Result<Vec<Option<u32>>> = names.collect();
    Ok(numbers?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_at_a_process() {
        let this = std::process::id();
        assert!(cpu_time(this).unwrap() > 0.0);
        assert!(resident(this).unwrap() > 100.0);
        assert!(threads(this).unwrap().contains(&this));
    }
}
