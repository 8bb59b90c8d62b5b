//! The program, in a directory of its own.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use tempfile::TempDir;
use tollgate_testkit::RedisServer;

pub(crate) const POLICY: &str =
    "[[policy]]\nname = 'all'\nkey = ['client.ip']\nlimits = ['10/min']\n";

/// A directory with a policy file in it.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tollgate.toml"), POLICY).unwrap();
    folder
}

/// A policy file that counts in Redis, for longer than any test.
pub(crate) fn policies_in(server: &RedisServer, limit: u64) -> String {
    let store = format!("[store]\nurl = '{}'\ntimeout = '30s'\n", server.url());
    store + &POLICY.replace("10/min", &format!("{limit}/365d fixed-window"))
}

/// `tollgate serve` in a directory, HTTP at any port and nothing else.
pub(crate) fn serve(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tollgate"));
    command
        .env_clear()
        .current_dir(folder)
        .env("TOLLGATE_HTTP", "127.0.0.1:0")
        .env("TOLLGATE_GRPC", "off")
        .env("TOLLGATE_REDIS", "off")
        .args(["serve", "--workers", "1"]);
    command
}

/// A shell in the directory that ends by becoming the daemon, whose path is `$0`.
pub(crate) fn shell(folder: &Path, script: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .current_dir(folder)
        .args(["-c", script, env!("CARGO_BIN_EXE_tollgate")]);
    command
}

/// A daemon that serves. It is killed with this value.
pub(crate) struct Daemon {
    child: Child,
    pub(crate) http: String,
    pub(crate) grpc: String,
    pub(crate) redis: String,
    /// The line that says where it listens.
    pub(crate) listening: String,
    /// What it said until it listened.
    beginning: Vec<String>,
    lines: Receiver<String>,
}

impl Daemon {
    /// Starts it, and waits until it listens.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = lines(child.stderr.take().unwrap());
        let mut daemon = Self {
            child,
            http: String::new(),
            grpc: String::new(),
            redis: String::new(),
            listening: String::new(),
            beginning: Vec::new(),
            lines,
        };
        while let Ok(line) = daemon.lines.recv() {
            if line.contains("listening http=\"") {
                let mut addresses = line.split('"').skip(1).step_by(2).map(str::to_owned);
                daemon.http = addresses.next().unwrap();
                daemon.grpc = addresses.next().unwrap();
                daemon.redis = addresses.next().unwrap();
                daemon.listening = line;
                return daemon;
            }
            daemon.beginning.push(line);
        }
        panic!("it does not listen:\n{}", daemon.beginning.join("\n"));
    }

    pub(crate) fn port(&self) -> SocketAddr {
        self.http.parse().unwrap()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(status.success());
    }

    /// The line with these words that it logged before it listened.
    pub(crate) fn said(&self, words: &str) -> &str {
        let line = self.beginning.iter().find(|line| line.contains(words));
        line.unwrap_or_else(|| panic!("no {words:?} in {:?}", self.beginning))
    }

    /// Whether it logged such a line before it listened.
    #[cfg(feature = "opentelemetry")]
    pub(crate) fn has_said(&self, words: &str) -> bool {
        self.beginning.iter().any(|line| line.contains(words))
    }

    /// Waits for the next line that it logs.
    #[cfg(feature = "opentelemetry")]
    pub(crate) fn next_line(&self) -> String {
        self.lines.recv().unwrap()
    }

    /// All lines up to one with these words, which is waited for.
    #[cfg(feature = "opentelemetry")]
    pub(crate) fn lines_until(&self, words: &str) -> Vec<String> {
        let mut lines = self.beginning.clone();
        while !lines.last().is_some_and(|line| line.contains(words)) {
            lines.push(self.next_line());
        }
        lines
    }

    /// All lines that follow, until it has ended.
    #[cfg(feature = "opentelemetry")]
    pub(crate) fn rest(&self) -> Vec<String> {
        self.lines.iter().collect()
    }

    /// Waits until it logs a line with these words.
    pub(crate) fn await_line(&self, words: &str) -> String {
        loop {
            let line = self.lines.recv();
            let line = line.unwrap_or_else(|_| panic!("it ended, and did not say {words:?}"));
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Waits until it has ended by itself.
    pub(crate) fn end(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What it logs, line by line; read on, so that it never waits for a reader.
fn lines(stderr: ChildStderr) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            // Nobody may be interested any more.
            let _ = sender.send(line);
        }
    });
    lines
}

/// A path in the directory.
pub(crate) fn path(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}
