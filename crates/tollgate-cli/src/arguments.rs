//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tollgate::Limit;

/// Rate limits: try them, check them, serve them.
#[derive(Debug, Parser)]
#[command(name = "tollgate", version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Try(Try),
}

/// Shows what limits do with requests that come at given times.
///
/// A trace has one request a line: seconds, then if need be a cost and a key.
///
///     # a burst of three, and one more later
///     0
///     0
///     0    2        # two units
///     6.5  1  ann   # another key
///
/// Seconds count from the Unix epoch, at which windows begin. They are exact to a microsecond, and
/// may step back, as clocks do. A cost is 1 unless said, and 0 only looks. Several limits are
/// decided together: what one denies is not spent in the others.
#[derive(Debug, Args)]
#[command(name = "try", verbatim_doc_comment)]
pub(crate) struct Try {
    /// A limit, as in a policy: `10/min`, `20/s burst 60`, `1000/h sliding-window`.
    #[arg(required = true, value_name = "LIMIT")]
    pub(crate) limits: Vec<Limit>,
    /// The file with the requests; `-` is standard input. Without it, what is piped
    /// in.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// How to print the answers.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    /// Also draws offered and admitted units over time.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// Who reads the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// People: columns.
    Table,
    /// Programs: a JSON object a line.
    Json,
}
