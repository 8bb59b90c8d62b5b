//! What can be said to `tollgate replay`.

use std::path::PathBuf;

use clap::Args;

use super::logs::{self, Logs, Printing, Privacy};

/// Shows what policies would have done to the requests of access logs.
///
/// Each request is decided by the engine that serves, on the clock of the logs: who would have been
/// limited, when, by which policy, and what other numbers would have done.
///
/// The format of a log is found out. If it is not, name it with `--format`, give the `log_format`
/// of nginx with `--log-format`, or say with `--field` where things stand in JSON.
///
/// Ends with 0; with 1 if something cannot be read or written, or there are no requests; with 2 if more lines could not be
/// read than `--max-rejected` allows. Ctrl-C ends it early, with a report of what was read, and
/// 130; a second one ends it at once.
#[derive(Debug, Args)]
#[command(name = "replay")]
pub(crate) struct Replay {
    /// The policy file; `-` is standard input.
    #[arg(
        long,
        value_name = "FILE",
        default_value = "tollgate.toml",
        env = "TOLLGATE_POLICIES"
    )]
    pub(crate) policies: PathBuf,
    /// Also writes the report as one page with charts, which needs no other file and no network.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) html: Option<PathBuf>,
    /// How many keys of each policy to tell of, those that were denied most.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = logs::worst)]
    pub(crate) worst: usize,
    #[command(flatten)]
    pub(crate) privacy: Privacy,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) logs: Logs,
}
