//! A Redis or Valkey server of one's own.

use std::fs;
use std::path::PathBuf;
use std::thread;

use super::builder::RedisServerBuilder;
use super::certificates::Certificates;
use super::commands::{self, Reply};
use super::directory::Directory;
use super::engine::Engine;
use super::process::Process;

/// What it says when it is ready, in every version.
const READY: &str = "eady to accept connections";

/// The keys of counts that have no lifetime, in one call.
const COUNTS_THAT_STAY: &str = r"
local found = {}
for _, key in ipairs(redis.call('KEYS', '*:{*')) do
    if redis.call('PTTL', key) == -1 then
        table.insert(found, key)
    end
end
return found";

/// A server on a free port of the loopback address and on a Unix socket, with nothing in it, that
/// saves nothing and ends with this value.
///
/// If it still answers then, it is scanned: whatever looks like a count of the store, such as
/// `prefix:{policy:key}:limit`, must have a lifetime.
#[derive(Debug)]
pub struct RedisServer {
    // Ends before its directory is removed: fields are dropped in this order.
    running: Option<Process>,
    options: RedisServerBuilder,
    port: u16,
    directory: Directory,
}

impl RedisServer {
    /// Starts Debian's Redis, and waits until it accepts connections.
    ///
    /// # Panics
    ///
    /// If there is no `redis-server`, or it does not start.
    #[must_use]
    pub fn start() -> Self {
        Self::builder().start()
    }

    /// Starts a server of this engine.
    ///
    /// # Panics
    ///
    /// If there is no such program, or it does not start.
    #[must_use]
    pub fn start_engine(engine: Engine) -> Self {
        Self::builder().engine(engine).start()
    }

    /// A server with options.
    pub fn builder() -> RedisServerBuilder {
        RedisServerBuilder::new()
    }

    pub(super) const fn new(
        options: RedisServerBuilder,
        process: Process,
        port: u16,
        directory: Directory,
    ) -> Self {
        Self {
            running: Some(process),
            options,
            port,
            directory,
        }
    }

    /// The process on this port, or what it said before it ended.
    pub(super) fn run(
        options: &RedisServerBuilder,
        port: u16,
        directory: &Directory,
    ) -> Result<Process, String> {
        Self::run_until(READY, options, port, directory)
    }

    fn run_until(
        ready: &str,
        options: &RedisServerBuilder,
        port: u16,
        directory: &Directory,
    ) -> Result<Process, String> {
        let port = port.to_string();
        let mut command = options.engine.command();
        match options.certificates {
            Some(_) => command.args(["--port", "0", "--tls-port", &port]),
            None => command.args(["--port", &port]),
        };
        command
            .args(["--bind", "127.0.0.1"])
            .args(["--unixsocket", &directory.file("socket")])
            .args(["--dir", &directory.path().to_string_lossy()])
            .args(["--save", "", "--appendonly", "no", "--daemonize", "no"])
            .args(["--logfile", "", "--loglevel", "notice"])
            // A replica gets what its master holds at once, not after five seconds.
            .args(["--repl-diskless-sync-delay", "0"]);
        for (name, value) in &options.settings {
            command.args([&format!("--{name}"), value]);
        }
        Process::start(&command, ready, options.engine.install())
    }

    /// Asks the server to end, and waits until it has: what it had to answer is answered, then all
    /// connections are closed. What it held is lost.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.running.take() {
            process.terminate();
        }
    }

    /// Ends the server as a crash does, even one that hangs. What it held is lost.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Starts it again, empty, on the same port; kills it before if it runs.
    ///
    /// A node of a cluster remembers the cluster.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start_again(&mut self) {
        self.kill();
        // Replication may have left what it sent. If there is nothing, nothing is to be removed.
        let _ = fs::remove_file(self.directory.file("dump.rdb"));
        self.start_again_until(READY, &[]);
    }

    /// The same, with more settings, until it says `ready`.
    pub(super) fn start_again_until(&mut self, ready: &str, settings: &[(&str, &str)]) {
        self.kill();
        let options = settings
            .iter()
            .fold(self.options.clone(), |options, (name, value)| {
                options.config(name, value)
            });
        match Self::run_until(ready, &options, self.port, &self.directory) {
            Ok(process) => self.running = Some(process),
            Err(said) => panic!("the server does not start again on its port:\n{said}"),
        }
    }

    /// The port of the loopback address.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Where it is, with its password if it has one.
    #[must_use]
    pub fn url(&self) -> String {
        let password = match &self.options.password {
            Some(password) => format!(":{password}@"),
            None => String::new(),
        };
        let scheme = match self.options.certificates {
            Some(_) => "rediss",
            None => "redis",
        };
        format!("{scheme}://{password}127.0.0.1:{}", self.port)
    }

    /// The same server by its Unix socket, without its password.
    #[must_use]
    pub fn unix_url(&self) -> String {
        format!("redis+unix://{}", self.directory.file("socket"))
    }

    /// The password, if it was built with one.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        self.options.password.as_deref()
    }

    /// What it shows and trusts, if it speaks TLS.
    #[must_use]
    pub const fn certificates(&self) -> Option<&Certificates> {
        self.options.certificates.as_ref()
    }

    /// The engine that it runs.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.options.engine
    }

    /// The id of its process, while there is one.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(Process::id)
    }

    /// True unless it was stopped or killed; also while it hangs.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// True if it runs and does not hang.
    #[must_use]
    pub fn answers(&self) -> bool {
        self.running
            .as_ref()
            .is_some_and(|process| !process.is_held())
    }

    /// A prefix that nobody else uses, so that nothing must ever be flushed.
    #[must_use]
    pub fn fresh_prefix() -> String {
        format!("test-{:016x}", fastrand::u64(..))
    }

    /// What the server answers to a command, which goes by its Unix socket on a connection of its
    /// own. What harms its clients on the network does not harm this one.
    ///
    /// # Panics
    ///
    /// If the server cannot be reached, hangs, or answers an error.
    pub fn command<W: AsRef<[u8]>>(&self, words: &[W]) -> Reply {
        match self.try_command(words) {
            Ok(reply) => reply,
            Err(error) => {
                let words = words
                    .iter()
                    .map(|word| String::from_utf8_lossy(word.as_ref()));
                let words: Vec<_> = words.collect();
                panic!(
                    "{} answered {}: {error}",
                    self.options.engine.name(),
                    words.join(" ")
                );
            }
        }
    }

    /// The same, if an error is an answer to expect.
    ///
    /// # Errors
    ///
    /// What the server calls an error, and whatever kept it from answering.
    pub fn try_command<W: AsRef<[u8]>>(&self, words: &[W]) -> Result<Reply, String> {
        let socket = PathBuf::from(self.directory.file("socket"));
        commands::send(&socket, self.password(), words)
            .unwrap_or_else(|error| Err(format!("no answer: {error}")))
    }

    /// Sends a command on which nobody can wait here.
    pub(super) fn sender(&self) -> impl FnOnce(&[&str]) + Send + 'static {
        let socket = PathBuf::from(self.directory.file("socket"));
        let password = self.options.password.clone();
        move |words| {
            let _ = commands::send(&socket, password.as_deref(), words);
        }
    }

    /// A line of what the server says about itself, as `INFO` names it.
    #[must_use]
    pub fn info(&self, name: &str) -> Option<String> {
        let info = self.try_command(&["INFO"]).ok()?.text();
        info.lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
            .map(ToOwned::to_owned)
    }

    pub(super) fn process(&self) -> &Process {
        self.running.as_ref().expect("the server runs")
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        if thread::panicking() || !self.answers() {
            return;
        }
        // A server in a state of some fault does not say, and what a replica has, its master has.
        let role = self.try_command(&["ROLE"]);
        let is_master = |role: Reply| role.array().first() == Some(&Reply::Text("master".into()));
        if !role.is_ok_and(is_master) {
            return;
        }
        let for_ever = self.command(&["EVAL", COUNTS_THAT_STAY, "0"]).array();
        assert!(
            for_ever.is_empty(),
            "the test has left counts that stay for ever: {for_ever:?}"
        );
    }
}
