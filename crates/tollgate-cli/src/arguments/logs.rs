//! What can be said about access logs, to each command that reads them.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use tollgate_replay::Bound;
use tollgate_replay::log::{Field, Form, LogFormat, TimeZone};

/// The logs, and how they are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Logs")]
pub(crate) struct Logs {
    /// Access logs, plain or compressed with gzip or zstd, in any order; a pattern such as
    /// `access.log*`; `-` is standard input. Without any, what is piped in.
    #[arg(value_name = "LOG")]
    pub(crate) files: Vec<OsString>,
    /// The format of the logs: `combined`, `caddy`, `alb` and so on. Without it, it is found out,
    /// file by file.
    #[arg(long, value_name = "NAME", value_parser = form)]
    pub(crate) format: Option<Form>,
    /// The `log_format` of nginx that lines have, as it stands in its configuration.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["format", "fields"])]
    pub(crate) log_format: Option<LogFormat>,
    /// Where something stands in lines that are JSON: `time=.ts`, `client.ip=.request.ip`,
    /// `path=.uri`, `duration=.latency:ms`, `header.x-plan=.headers["X-Plan"][0]`. There are `time`
    /// (the end of the request), `start`, `duration`, `client.ip`, `peer.ip`, `method`, `path`, `query`,
    /// `request`, `host`, `user`, `route`, `status`, headers and attributes. Times and durations may
    /// end with a unit: `:s`, `:ms`, `:us` or `:ns`.
    #[arg(long = "field", value_name = "NAME=.PATH")]
    pub(crate) fields: Vec<Field>,
    /// The time zone of times that do not say theirs: `Europe/Berlin`, `-05:00`, `UTC`.
    // West of Greenwich they begin with a hyphen.
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    pub(crate) timezone: Option<TimeZone>,
    /// How many requests are held to be put in order of time. One takes about 100 bytes and more.
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = requests)]
    pub(crate) reorder: usize,
    /// Ends with 2 if more lines than that, a number or a share of all, could not be read.
    #[arg(long, value_name = "N|P%", default_value = "1%")]
    pub(crate) max_rejected: Bound,
}

/// Whether addresses are told.
#[derive(Debug, Args)]
pub(crate) struct Privacy {
    /// Tells hashes in place of addresses, users and other keys. They are made under a key that
    /// nobody knows, or under what the environment variable VARIABLE holds: 16 bytes or more, by
    /// which the same address has the same hash each time.
    #[arg(
        long,
        value_name = "VARIABLE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ""
    )]
    pub(crate) anonymize: Option<String>,
}

/// Who reads what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// People: words and numbers.
    Text,
    /// Programs: a JSON object.
    Json,
}

/// How a report is printed.
#[derive(Debug, Args)]
pub(crate) struct Printing {
    /// How to print what is found.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    output_format: ReportFormat,
    /// The same as `--output-format json`.
    #[arg(long, conflicts_with = "output_format")]
    json: bool,
}

impl Printing {
    pub(crate) const fn format(&self) -> ReportFormat {
        if self.json {
            ReportFormat::Json
        } else {
            self.output_format
        }
    }
}

fn form(text: &str) -> Result<Form, String> {
    if matches!(text, "text" | "toml") {
        return Err(format!(
            "this is the format of the logs; write `--output-format {text}` for what is printed"
        ));
    }
    text.parse().map_err(|error| format!("{error}"))
}

/// As many requests as fit into the memory of a large machine.
fn requests(text: &str) -> Result<usize, String> {
    const MOST: usize = 100_000_000;
    let number = text.parse().ok().filter(|number| *number <= MOST);
    number.ok_or_else(|| format!("write a number from 0 to {MOST}"))
}

/// A number of clients or keys to tell of.
pub(super) fn worst(text: &str) -> Result<usize, String> {
    const MOST: usize = 10_000;
    let number = text.parse().ok().filter(|number| *number <= MOST);
    number.ok_or_else(|| format!("write a number from 0 to {MOST}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::arguments::Arguments;

    #[test]
    fn a_time_zone_may_lie_west_of_greenwich() {
        for zone in ["-05:00", "+05:30", "America/New_York"] {
            let words = ["tollgate", "replay", "--timezone", zone, "access.log"];
            assert!(Arguments::try_parse_from(words).is_ok(), "{zone}");
        }
    }
}
