//! One sentinel.

use std::fs;
use std::path::Path;

use super::super::commands::{self, Reply};
use super::super::directory::Directory;
use super::super::ports::{ATTEMPTS, free_port};
use super::super::process::Process;
use super::super::server::RedisServer;
use super::Sentinel;

/// What says how many milliseconds the master is silent until it is taken for gone.
const PATIENCE: &str = "down-after-milliseconds";

/// Longer than a machine with other things to do keeps a master silent.
pub(super) const CALM: &str = "120000";

/// Shorter than anybody wants to wait for a failover.
pub(super) const HASTE: &str = "500";

/// What it says when it has begun to watch.
const READY: &str = "+monitor";

/// A sentinel that watches one master.
#[derive(Debug)]
pub(super) struct Watcher {
    // Ends before its directory is removed: fields are dropped in this order.
    process: Option<Process>,
    port: u16,
    password: Option<String>,
    directory: Directory,
}

impl Watcher {
    /// How many there are.
    pub(super) const ALL: usize = 3;

    pub(super) fn start(master: &RedisServer, password: Option<&str>) -> Self {
        let directory = Directory::new();
        for _ in 0..ATTEMPTS {
            let port = free_port();
            // It writes into the file, so each attempt has a new one.
            let file = directory.file("sentinel.conf");
            fs::write(&file, configuration(port, &directory, master, password))
                .expect("the new directory takes a file");
            let mut command = master.engine().command();
            command.args([&file, "--sentinel"]);
            match Process::start(&command, READY, master.engine().install()) {
                Ok(process) => {
                    return Self {
                        process: Some(process),
                        port,
                        password: password.map(ToOwned::to_owned),
                        directory,
                    };
                }
                Err(said) if said.contains("Address already in use") => {}
                Err(said) => panic!("a sentinel does not start:\n{said}"),
            }
        }
        panic!("a sentinel found none of {ATTEMPTS} free ports free");
    }

    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn url(&self) -> String {
        let password = match &self.password {
            Some(password) => format!(":{password}@"),
            None => String::new(),
        };
        format!("redis://{password}127.0.0.1:{}", self.port)
    }

    pub(super) const fn is_running(&self) -> bool {
        self.process.is_some()
    }

    pub(super) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    pub(super) fn kill(&mut self) {
        self.process = None;
    }

    /// The port of whom it takes for the master, or 0 if it does not answer.
    pub(super) fn master_port(&self) -> u16 {
        let address = self.ask("GET-MASTER-ADDR-BY-NAME").map(Reply::array);
        let port = address.and_then(|address| address.get(1)?.text().parse().ok());
        port.unwrap_or(0)
    }

    /// True if it knows all other sentinels, and a replica that follows the master.
    pub(super) fn knows_all(&self) -> bool {
        let others = self
            .ask("SENTINELS")
            .map_or(0, |others| others.array().len());
        let replicas = self.ask("REPLICAS").map(Reply::array).unwrap_or_default();
        let follows = |replica: Reply| {
            let words: Vec<_> = replica.array().iter().map(Reply::text).collect();
            let pair = ["master-link-status".to_owned(), "ok".to_owned()];
            words.chunks(2).any(|chunk| *chunk == pair)
        };
        others == Self::ALL - 1 && replicas.into_iter().any(follows)
    }

    /// Sets how many milliseconds the master is silent until it is taken for gone.
    pub(super) fn set_patience(&self, patience: &str) {
        let words = ["SENTINEL", "SET", Sentinel::MASTER, PATIENCE, patience];
        self.send(&words).expect("the sentinel takes the setting");
    }

    fn ask(&self, what: &str) -> Option<Reply> {
        self.send(&["SENTINEL", what, Sentinel::MASTER])
    }

    fn send(&self, words: &[&str]) -> Option<Reply> {
        let socket = self.directory.file("socket");
        commands::send(Path::new(&socket), self.password.as_deref(), words)
            .ok()?
            .ok()
    }
}

fn configuration(
    port: u16,
    directory: &Directory,
    master: &RedisServer,
    password: Option<&str>,
) -> String {
    let name = Sentinel::MASTER;
    let mut lines = vec![
        format!("port {port}"),
        "bind 127.0.0.1".into(),
        format!("unixsocket {}", directory.file("socket")),
        format!("dir {}", directory.path().display()),
        "logfile \"\"".into(),
        format!("sentinel monitor {name} 127.0.0.1 {} 2", master.port()),
        format!("sentinel {PATIENCE} {name} {CALM}"),
        // Twice as long after a failover that failed, the next one begins.
        format!("sentinel failover-timeout {name} 2000"),
    ];
    if let Some(of_master) = master.password() {
        lines.push(format!("sentinel auth-pass {name} {of_master}"));
    }
    if let Some(own) = password {
        lines.push(format!("requirepass {own}"));
        lines.push(format!("sentinel sentinel-pass {own}"));
    }
    lines.join("\n") + "\n"
}
