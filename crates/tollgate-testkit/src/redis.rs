//! A Redis server of one's own.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

/// How often a port that looked free may be taken by another before the server has it.
const PORTS: usize = 8;

/// A server on a free port of the loopback address and on a Unix socket, with nothing in it, that
/// saves nothing and ends with this value.
///
/// It is Debian's `redis-server`; the service of that name, which Debian starts when the package is
/// installed, is left alone.
#[derive(Debug)]
pub struct RedisServer {
    running: Option<Child>,
    port: u16,
    directory: PathBuf,
}

impl RedisServer {
    /// Starts a server and waits until it accepts connections.
    ///
    /// # Panics
    ///
    /// If there is no `redis-server`, or it does not start.
    #[must_use]
    pub fn start() -> Self {
        let name = format!("tollgate-redis-{:016x}", fastrand::u64(..));
        let directory = std::env::temp_dir().join(name);
        fs::create_dir(&directory).expect("a new directory in the temporary one");
        for _ in 0..PORTS {
            let port = free_port();
            if let Some(child) = run(port, &directory) {
                return Self {
                    running: Some(child),
                    port,
                    directory,
                };
            }
        }
        panic!("redis-server found none of {PORTS} free ports free");
    }

    /// Ends the server, as if it had crashed. What it held is lost.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.running.take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts it again, empty, on the same port.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start_again(&mut self) {
        self.stop();
        let child = run(self.port, &self.directory);
        self.running = Some(child.expect("the server starts again on its port"));
    }

    /// The port of the loopback address.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The same server by its Unix socket.
    #[must_use]
    pub fn unix_url(&self) -> String {
        format!("redis+unix://{}", socket(&self.directory).display())
    }

    /// A prefix that nobody else uses, so that nothing must ever be flushed.
    #[must_use]
    pub fn fresh_prefix() -> String {
        format!("test-{:016x}", fastrand::u64(..))
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.stop();
        // What is left of it is in the temporary directory.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// The server on this port, or `None` if it could not have it.
fn run(port: u16, directory: &Path) -> Option<Child> {
    let mut child = Command::new("redis-server")
        .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
        .args(["--unixsocket", &socket(directory).to_string_lossy()])
        .args(["--dir", &directory.to_string_lossy()])
        .args(["--save", "", "--appendonly", "no", "--daemonize", "no"])
        .args(["--logfile", "", "--loglevel", "notice"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| {
            panic!(
                "cannot run redis-server ({error}); install it with: apt-get install redis-server"
            )
        });
    let output = child.stdout.take().expect("its output is piped");
    let mut lines = BufReader::new(output).lines();
    let is_ready = lines
        .by_ref()
        .map_while(Result::ok)
        .any(|line| line.contains("eady to accept connections"));
    if !is_ready {
        // Its output ended without that line, so it has.
        let _ = child.wait();
        return None;
    }
    // A full pipe would stop it. The thread ends with the server.
    thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    Some(child)
}

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .expect("a free port of the loopback address")
        .port()
}

fn socket(directory: &Path) -> PathBuf {
    directory.join("socket")
}
