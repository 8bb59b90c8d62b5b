//! The daemon: in this process, with a clock that stands still, or as a process of its own that can be
//! held and killed.

use std::fs;
use std::process::Command;
use std::{env, path::Path};

use tempfile::TempDir;
use tollgate::{ManualClock, Timestamp};
use tollgate_engine::Engine;
use tollgate_server::{ListenAddress, Server, ServerSettings};
use tollgate_testkit::redis::{Process, free_port};

/// The proxy is believed, and a load balancer before it; nobody else.
const TRUST: &str = "[client]\ntrusted_proxies = ['127.0.0.1', '127.0.9.9']\n";

/// By which a process knows that it is a daemon, of the policy file in this folder, on this port.
const FOLDER: &str = "TOLLGATE_TEST_DAEMON_FOLDER";
const PORT: &str = "TOLLGATE_TEST_DAEMON_PORT";

/// What such a process says when it listens.
const READY: &str = "the daemon of a test listens";

/// A daemon in this process.
pub(crate) struct Daemon {
    pub(crate) clock: ManualClock,
    pub(crate) port: u16,
    _folder: TempDir,
}

impl Daemon {
    /// Serves by these policies until the test ends, from the begin of a minute.
    pub(crate) async fn start(policies: &str) -> Self {
        let folder = write(policies);
        let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
        let builder = Engine::builder(folder.path().join("tollgate.toml"));
        let server = bind(builder.clock(clock.clone()).open(), 0).await;
        let port = match server.addresses().http {
            Some(ListenAddress::Tcp(address)) => address.port(),
            other => panic!("{other:?}"),
        };
        tokio::spawn(server.run(std::future::pending()));
        Self {
            clock,
            port,
            _folder: folder,
        }
    }
}

/// How often a port that looked free may be taken by another before the daemon has it.
const ATTEMPTS: usize = 8;

/// A daemon in a process of its own.
pub(crate) struct DaemonProcess {
    pub(crate) port: u16,
    folder: TempDir,
    process: Process,
}

impl DaemonProcess {
    pub(crate) fn start(policies: &str) -> Self {
        let folder = write(policies);
        for _ in 0..ATTEMPTS {
            let port = free_port();
            match run(folder.path(), port) {
                Ok(process) => {
                    return Self {
                        port,
                        folder,
                        process,
                    };
                }
                Err(said) => assert!(said.contains("already in use"), "{said}"),
            }
        }
        panic!("the daemon found no free port")
    }

    /// Holds it: connections stay open, and nobody answers.
    pub(crate) fn hang(&self) {
        self.process.hang();
    }

    pub(crate) fn resume(&self) {
        self.process.resume();
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Starts it again after it was killed, on the same port.
    pub(crate) fn start_again(&mut self) {
        let started = run(self.folder.path(), self.port);
        self.process = started.unwrap_or_else(|said| panic!("the daemon has ended: {said}"));
    }
}

/// Runs this very program, and of its tests only the one below; what it said if it has ended.
fn run(folder: &Path, port: u16) -> Result<Process, String> {
    let mut command = Command::new("env");
    command
        .arg(format!("{FOLDER}={}", folder.display()))
        .arg(format!("{PORT}={port}"))
        .arg(env::current_exe().unwrap())
        .args(["--exact", "support::daemon::process", "--ignored"])
        .arg("--nocapture");
    Process::start(&command, READY, "it is this test")
}

#[tokio::test]
#[ignore = "this is the daemon of other tests, which run it"]
async fn process() {
    let Some(folder) = env::var_os(FOLDER) else {
        return;
    };
    let port = env::var(PORT).unwrap().parse().unwrap();
    let file = Path::new(&folder).join("tollgate.toml");
    let server = bind(Engine::builder(&file).open(), port).await;
    // On a line of its own, after what the test harness says.
    println!("\n{READY}");
    server.run(std::future::pending()).await.unwrap();
}

async fn bind<E: std::fmt::Display>(engine: Result<Engine, E>, port: u16) -> Server {
    let engine = engine.unwrap_or_else(|error| panic!("{error}"));
    let mut settings = ServerSettings::default();
    settings.http = Some(format!("127.0.0.1:{port}").parse().unwrap());
    settings.workers = 1;
    Server::bind(engine, settings).await.unwrap()
}

fn write(policies: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{TRUST}{policies}");
    fs::write(folder.path().join("tollgate.toml"), text).unwrap();
    folder
}
