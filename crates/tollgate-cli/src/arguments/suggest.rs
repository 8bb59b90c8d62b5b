//! What can be said to `tollgate suggest`.

use clap::{Args, ValueEnum};
use tollgate_policy::IpNetwork;
use tollgate_replay::Share;

use super::logs::{Logs, Privacy};

/// Derives limits from access logs, and prints them as a policy file.
///
/// Of each group of paths, it prints the lowest numbers with which no more clients would have been
/// denied than `--deny-at-most` allows, and what the next ones cost. They are replayed before they
/// are printed. All policies are in shadow: they count and report, and deny nothing.
///
///     tollgate suggest access.log* > tollgate.toml
///
/// Ends with 0; with 1 if something cannot be read, or has no requests; with 2 if more lines could
/// not be read than `--max-rejected` allows; with 130 after Ctrl-C.
#[derive(Debug, Args)]
// Of a comment that is taken as it stands, the summary would keep its full stop.
#[command(
    name = "suggest",
    about = "Derives limits from access logs, and prints them as a policy file",
    verbatim_doc_comment
)]
pub(crate) struct Suggest {
    /// A part of the key that requests are counted by, as policies have it: `client.ip`, `user`,
    /// `user or client.ip`. Given several times, all parts together.
    #[arg(long, value_name = "PART", default_value = "client.ip")]
    pub(crate) key: Vec<String>,
    /// Paths that are limited together: `/auth/**`. Given several times, several groups. Without it,
    /// groups are found by their traffic.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) group: Vec<String>,
    /// The share of clients that each policy may deny.
    #[arg(long, value_name = "P%", default_value = "0.1%")]
    pub(crate) deny_at_most: Share,
    /// A proxy, or a network of them, whose list of addresses is believed. The file that is printed
    /// has it, too.
    #[arg(long, value_name = "NETWORK")]
    pub(crate) trusted_proxy: Vec<IpNetwork>,
    /// How many clients to look at, counted once for each group; of more, a part that is chosen by
    /// chance. One takes up to a kilobyte.
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u32).range(1_000..=100_000_000))]
    pub(crate) max_clients: u32,
    /// How to print what is suggested.
    #[arg(long, value_enum, default_value_t = SuggestFormat::Toml)]
    output_format: SuggestFormat,
    /// The same as `--output-format json`.
    #[arg(long, conflicts_with = "output_format")]
    json: bool,
    #[command(flatten)]
    pub(crate) privacy: Privacy,
    #[command(flatten)]
    pub(crate) logs: Logs,
}

/// Who reads what is suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuggestFormat {
    /// Tollgate: a policy file.
    Toml,
    /// Programs: a JSON object.
    Json,
    /// People: tables of what each number costs.
    Text,
}

impl Suggest {
    pub(crate) const fn format(&self) -> SuggestFormat {
        if self.json {
            SuggestFormat::Json
        } else {
            self.output_format
        }
    }
}
