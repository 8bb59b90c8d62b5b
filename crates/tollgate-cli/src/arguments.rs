//! What can be said on the command line.

mod diff;
mod duration;
mod explain;
mod logs;
mod probe;
mod replay;
mod serve;
mod suggest;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use tollgate::Limit;

pub(crate) use diff::Diff;
pub(crate) use explain::{Attribute, Explain, ExplainFormat, PeerAddress};
pub(crate) use logs::{Logs, Privacy, ReportFormat};
pub(crate) use probe::Probe;
pub(crate) use replay::Replay;
pub(crate) use serve::{LogFormat, Logging, Serve};
pub(crate) use suggest::{Suggest, SuggestFormat};

/// Rate limits: derive them, try them, check them, explain them, serve them.
#[derive(Debug, Parser)]
#[command(name = "tollgate", version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Diff(Box<Diff>),
    Explain(Explain),
    Probe(Probe),
    Replay(Box<Replay>),
    // Boxed, since these can be told much more than the others.
    Serve(Box<Serve>),
    Suggest(Box<Suggest>),
    Try(Try),
    Completions(Completions),
    Man(Man),
}

/// Checks policy files, and says in plain words what they do.
///
/// All errors and warnings of each file are told, with line and column. Of a file without errors,
/// where counts live, who the client is, what responses say, and each policy.
///
/// `${NAME}` in a file takes its value from the environment of this command, as it does from that
/// of the program which uses the file: set the same variables.
///
/// Ends with 0 if every file can be used, with 1 if one cannot, and with 2 if `--deny-warnings` is
/// given and there are warnings.
#[derive(Debug, Args)]
#[command(name = "check")]
pub(crate) struct Check {
    /// A policy file; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Ends with 2 where there are warnings.
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// How to print what is found.
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
}

/// Who reads what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// People: words.
    Text,
    /// Programs: a JSON object a line, one for each file.
    Json,
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
// Of a comment that is taken as it stands, the summary would keep its full stop.
#[command(
    name = "try",
    about = "Shows what limits do with requests that come at given times",
    verbatim_doc_comment
)]
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

/// Prints what makes a shell complete this command.
///
/// For bash: `tollgate completions bash > /etc/bash_completion.d/tollgate`.
#[derive(Debug, Args)]
#[command(name = "completions")]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Prints the manual, or writes its pages.
///
/// To read it: `tollgate man | man -l -`.
#[derive(Debug, Args)]
#[command(name = "man")]
pub(crate) struct Man {
    /// A directory, for a page of each command. Without it, one page about all goes to standard
    /// output.
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}
