//! What can be said to `tollgate diff`.

use std::path::PathBuf;

use clap::Args;
use tollgate_replay::Bound;

use super::logs::{self, Logs, Printing, Privacy};

/// Compares two policy files on the requests of access logs: who changes fate.
///
/// Both decide the same requests, each over counts of its own. Policies are compared by name.
///
///     tollgate diff tollgate.toml new.toml --max-newly-denied 0.1% access.log
///
/// Ends with 0; with 1 if something cannot be read or there are no requests; with 2 above one of its bounds, so that a
/// pipeline can refuse a typo. Ctrl-C ends it early, with what was found until then, and 130; a
/// second one ends it at once.
#[derive(Debug, Args)]
#[command(
    name = "diff",
    about = "Compares two policy files on the requests of access logs: who changes fate",
    verbatim_doc_comment
)]
pub(crate) struct Diff {
    /// The policy file that is in force.
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The policy file that is to be.
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// Ends with 2 if NEW denies more than that of the requests that OLD allows.
    #[arg(long, value_name = "N|P%")]
    pub(crate) max_newly_denied: Option<Bound>,
    /// Ends with 2 if NEW denies more than that of the clients that OLD never denies.
    #[arg(long, value_name = "N|P%")]
    pub(crate) max_newly_denied_clients: Option<Bound>,
    /// Holds the bounds also to what would be denied if policies in shadow were enforced, in both
    /// files: a typo is refused before it is.
    #[arg(long)]
    pub(crate) as_enforced: bool,
    /// Judges by logs in which one address, or a handful of private ones, sent nearly all requests:
    /// without it, that ends with 1 where there is a bound, for they are probably proxies.
    #[arg(long)]
    pub(crate) allow_few_clients: bool,
    /// How many clients to tell of, those for which most changes.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = logs::worst)]
    pub(crate) worst: usize,
    #[command(flatten)]
    pub(crate) privacy: Privacy,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) logs: Logs,
}
