//! What an outage costs this process: memory and sockets, looked at again and again.

use std::collections::HashSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::fault::pause;
use crate::memory::kibibytes;

/// How long between two looks.
const INTERVAL: Duration = Duration::from_millis(20);

/// What was seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Watched {
    /// To how many servers there might be connections.
    pub(super) servers: usize,
    /// The resident set in KiB, at first, at most and at last.
    pub(super) resident: [f64; 3],
    /// Connections that were open at first and at most.
    pub(super) open: [usize; 2],
    /// All that were seen; those that were shorter than the time between two looks may be missing.
    pub(super) seen: usize,
}

/// Looks until it is told to end.
pub(super) struct Watch {
    should_end: Arc<AtomicBool>,
    thread: JoinHandle<Result<Watched>>,
}

impl Watch {
    /// Looks once, and goes on looking. Connections are those from this process to `ports`.
    pub(super) fn start(ports: Vec<u16>) -> Result<Self> {
        let should_end = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&should_end);
        // What begins next must find this look done.
        let first = kibibytes("VmRSS")?;
        let mut seen = connections(&ports)?;
        let mut watched = Watched {
            servers: ports.len(),
            resident: [first; 3],
            open: [seen.len(); 2],
            seen: 0,
        };
        let thread = thread::spawn(move || {
            while !end.load(Ordering::Relaxed) {
                pause(INTERVAL);
                let resident = kibibytes("VmRSS")?;
                watched.resident[1] = watched.resident[1].max(resident);
                watched.resident[2] = resident;
                let open = connections(&ports)?;
                watched.open[1] = watched.open[1].max(open.len());
                seen.extend(open);
            }
            watched.seen = seen.len();
            Ok(watched)
        });
        Ok(Self { should_end, thread })
    }

    pub(super) fn finish(self) -> Result<Watched> {
        self.should_end.store(true, Ordering::Relaxed);
        let watched = self.thread.join();
        watched.map_err(|_| anyhow!("the watch panicked"))?
    }
}

/// The sockets of this process that lead to these ports, by the system's numbers.
fn connections(ports: &[u16]) -> Result<HashSet<String>> {
    let table = fs::read_to_string("/proc/self/net/tcp").context("reading /proc/self/net/tcp")?;
    let mut own = HashSet::new();
    for file in fs::read_dir("/proc/self/fd").context("reading /proc/self/fd")? {
        // It may be closed by now.
        let Ok(target) = fs::read_link(file?.path()) else {
            continue;
        };
        let target = target.to_string_lossy();
        let number = target
            .strip_prefix("socket:[")
            .and_then(|rest| rest.strip_suffix(']'));
        own.extend(number.map(ToOwned::to_owned));
    }
    let to_ports = table.lines().filter_map(|line| to(line, ports));
    Ok(to_ports.filter(|number| own.contains(number)).collect())
}

/// The number of the socket of a line, if it leads to one of these ports.
fn to(line: &str, ports: &[u16]) -> Option<String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let (_, port) = fields.get(2)?.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    ports
        .contains(&port)
        .then(|| fields.get(9).map(|number| (*number).to_owned()))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_socket_that_leads_to_a_port() {
        let line = "   1: 0100007F:B5C6 0100007F:18EB 01 00000000:00000000 00:00000000 00000000     \
                    0        0 4711 1 0000000000000000 20 4 30 10 -1";
        assert_eq!(to(line, &[0x18EB]).as_deref(), Some("4711"));
        assert_eq!(to(line, &[0xB5C6]), None);
    }
}
