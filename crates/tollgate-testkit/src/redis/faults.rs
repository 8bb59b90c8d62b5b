//! What can go wrong with a server while it runs.

use std::thread;

use super::server::RedisServer;
use super::wait::until;

/// A port of the loopback address at which nobody is.
const NOBODY: &str = "1";

impl RedisServer {
    /// Holds the server: connections stay open, and the system even accepts new ones, but nobody
    /// answers. Returns when it stands still.
    ///
    /// # Panics
    ///
    /// If it does not run.
    pub fn hang(&self) {
        self.process().hang();
    }

    /// Lets a server that hangs go on, with all that was sent to it meanwhile.
    ///
    /// # Panics
    ///
    /// If it does not run.
    pub fn resume(&self) {
        self.process().resume();
    }

    /// Makes it forget all scripts, as a restart does, but nothing else.
    pub fn flush_scripts(&self) {
        self.command(&["SCRIPT", "FLUSH"]);
    }

    /// Closes the connections of all clients; they may connect again.
    pub fn kill_clients(&self) {
        self.command(&["CLIENT", "KILL", "TYPE", "normal"]);
    }

    /// From now on the server holds at most so many bytes; with 1 it has no room for anything, and
    /// with 0 there is no bound.
    pub fn set_max_memory(&self, bytes: u64) {
        self.set_config("maxmemory", &bytes.to_string());
    }

    /// Changes a setting of its configuration.
    ///
    /// # Panics
    ///
    /// If it does not know the setting, or cannot change it while it runs.
    pub fn set_config(&self, name: &str, value: &str) {
        self.command(&["CONFIG", "SET", name, value]);
    }

    /// Keeps it busy with a script that does not end, until [`Self::end_script`]: it answers `BUSY`
    /// to everything. Returns when it does.
    pub fn run_endless_script(&self) {
        // From then on it answers, but nothing else than that it is busy.
        self.set_config("lua-time-limit", "1");
        let send = self.sender();
        // Ends with the script or with the server, and what it is answered then matters to nobody.
        thread::spawn(move || send(&["EVAL", "while true do end", "0"]));
        until("the server is busy", || self.is_busy());
    }

    /// Ends the script that does not end by itself.
    pub fn end_script(&self) {
        self.command(&["SCRIPT", "KILL"]);
        until("the server is free", || !self.is_busy());
    }

    fn is_busy(&self) -> bool {
        let answer = self.try_command(&["PING"]);
        answer.is_err_and(|error| error.starts_with("BUSY"))
    }

    /// Makes it the replica of a master that is not there: it answers what it knows, and refuses to
    /// write.
    pub fn make_read_only(&self) {
        self.command(&["REPLICAOF", "127.0.0.1", NOBODY]);
    }

    /// Makes it a master again.
    pub fn make_writable(&self) {
        self.command(&["REPLICAOF", "NO", "ONE"]);
    }
}
