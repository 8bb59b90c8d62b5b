//! The table of commands.

use super::{Run, about, check, client, hello, throttle, transaction};

/// A command.
pub(super) struct Known {
    pub(super) name: &'static str,
    /// How many arguments it takes, its name among them: as many, or at least as many if negative.
    pub(super) arity: i8,
    /// What it may do, in Redis's words.
    pub(super) flags: &'static [&'static str],
    /// True if it has a key, as its first argument.
    pub(super) has_key: bool,
    /// True if it is run before the password was given.
    pub(super) is_open: bool,
    /// True if it is run between `MULTI` and `EXEC`, and not queued.
    pub(super) is_run_in_transaction: bool,
    pub(super) summary: &'static str,
    pub(super) run: Run,
}

impl Known {
    /// True if it takes so many arguments.
    pub(super) fn takes(&self, arguments: usize) -> bool {
        let least = usize::from(self.arity.unsigned_abs());
        if self.arity < 0 {
            arguments >= least
        } else {
            arguments == least
        }
    }

    /// Is run at once, whatever is queued.
    const fn run_in_transaction(mut self) -> Self {
        self.is_run_in_transaction = true;
        self
    }

    const fn with_key(mut self) -> Self {
        self.has_key = true;
        self.flags = &["write", "denyoom", "fast"];
        self
    }

    /// Runs also before the password was given.
    const fn open(mut self) -> Self {
        self.is_open = true;
        self.flags = &["noscript", "loading", "stale", "fast", "no_auth"];
        self
    }
}

const fn command(name: &'static str, arity: i8, run: Run, summary: &'static str) -> Known {
    Known {
        name,
        arity,
        flags: &["loading", "stale", "fast"],
        has_key: false,
        is_open: false,
        is_run_in_transaction: false,
        summary,
        run,
    }
}

/// The ones that are asked most come first.
pub(super) static COMMANDS: [Known; 19] = [
    // Too few or too many arguments get the error that redis-cell gives for them.
    command(
        "CL.THROTTLE",
        -1,
        throttle::run,
        "Counts a request against a limit that comes with it, as redis-cell does.",
    )
    .with_key(),
    command(
        "TG.CHECK",
        -3,
        check::check,
        "Decides a request, given by its attributes, by the policies of the file.",
    ),
    command(
        "TG.PEEK",
        -3,
        check::peek,
        "Tells what TG.CHECK would decide, and counts nothing.",
    ),
    command("PING", -1, about::ping, "Answers."),
    command("ECHO", 2, about::echo, "Answers what it is told."),
    command(
        "HELLO",
        -1,
        hello::hello,
        "Chooses the version of the protocol.",
    )
    .open(),
    command("AUTH", -2, hello::auth, "Gives the password.").open(),
    command(
        "CLIENT",
        -2,
        client::run,
        "Tells or asks of the connection.",
    ),
    command(
        "SELECT",
        2,
        about::select,
        "Chooses the database, of which there is one.",
    ),
    command(
        "MULTI",
        1,
        transaction::multi,
        "Queues the commands that follow, until EXEC.",
    )
    .run_in_transaction(),
    command(
        "EXEC",
        1,
        transaction::exec,
        "Runs what was queued, one after the other.",
    )
    .run_in_transaction(),
    command(
        "DISCARD",
        1,
        transaction::discard,
        "Forgets what was queued.",
    )
    .run_in_transaction(),
    command("QUIT", -1, about::quit, "Closes the connection.")
        .open()
        .run_in_transaction(),
    command(
        "RESET",
        1,
        about::reset,
        "Makes the connection as it began.",
    )
    .open()
    .run_in_transaction(),
    command(
        "COMMAND",
        -1,
        about::command,
        "Tells of the commands there are.",
    ),
    command("INFO", -1, about::info, "Tells of the server."),
    command(
        "CONFIG",
        -2,
        about::config,
        "Tells of settings, of which there are none.",
    ),
    command(
        "READONLY",
        1,
        about::accept,
        "Does nothing: there are no replicas.",
    ),
    command(
        "READWRITE",
        1,
        about::accept,
        "Does nothing: there are no replicas.",
    ),
];
