//! A server that has been restarted and is not ready yet.

use super::server::RedisServer;
use super::wait::until;

/// What it says when it begins to load.
const LOADING: &str = "Loading RDB produced by";

/// Loads so slowly that it ends only when told to: 20 ms for each key, with a look at its clients
/// after each.
const SLOWLY: [(&str, &str); 2] = [
    ("key-load-delay", "20000"),
    ("loading-process-events-interval-bytes", "1024"),
];

/// Makes the load long, 100 s, by keys in a database that nobody looks at.
const FILL: &str = "redis.call('SELECT', 15)
local value = string.rep('x', 1024)
for key = 1, 5000 do redis.call('SET', key, value) end";

impl RedisServer {
    /// Starts it again, on the same port and with all that it holds, and returns while it loads
    /// that: it accepts connections, and answers `LOADING` until [`Self::finish_loading`].
    ///
    /// Redis 6.2 cannot be slowed down like this. A node of a cluster has one database only, so it
    /// cannot either.
    ///
    /// # Panics
    ///
    /// If it does not run, or does not start.
    pub fn start_again_loading(&mut self) {
        self.command(&["EVAL", FILL, "0"]);
        // Or the values would be too short for a look after each.
        self.set_config("rdbcompression", "no");
        self.command(&["SAVE"]);
        self.start_again_until(LOADING, &SLOWLY);
        until("the server loads", || self.is_loading());
    }

    /// Lets it load the rest at once, and waits until it has.
    pub fn finish_loading(&self) {
        self.set_config("key-load-delay", "0");
        until("the server has loaded", || {
            !self.is_loading() && self.try_command(&["PING"]).is_ok()
        });
    }

    fn is_loading(&self) -> bool {
        let answer = self.try_command(&["DBSIZE"]);
        answer.is_err_and(|error| error.starts_with("LOADING"))
    }
}
