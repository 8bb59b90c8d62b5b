//! Any `log_format` of nginx, given as text.

mod error;
mod parse;
mod read;
mod variable;

pub use error::LogFormatError;
pub(crate) use read::read;

use self::variable::Variable;

/// A `log_format` of nginx: `$remote_addr - $remote_user [$time_local] "$request" …`.
///
/// The whole directive may be given, `log_format main escape=json '…' '…';`, or what is between its
/// quotes, with `escape=…` before it if it has that. It may have the shape of JSON.
///
/// It must have a time (`$time_local`, `$time_iso8601` or `$msec`) and a client (`$remote_addr`,
/// `$realip_remote_addr`, `$http_x_forwarded_for`, …), and something between any two variables.
///
/// ```
/// use tollgate_replay::log::LogFormat;
///
/// let format = r#"$remote_addr [$time_local] "$request" $status $request_time"#;
/// assert!(format.parse::<LogFormat>().is_ok());
///
/// let error = "$remote_addr $request".parse::<LogFormat>().unwrap_err();
/// assert!(error.to_string().contains("add `$time_local`"));
/// ```
///
/// `$request_time` is taken off the time, which is that of the end. `$http_NAME` is the attribute
/// `header.NAME`, `$arg_NAME` is `query.NAME`. Variables that say nothing about a request are passed
/// over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFormat {
    escape: Escape,
    /// What stands before the first variable.
    begin: Vec<u8>,
    /// The variables, each with what stands behind it.
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    variable: Variable,
    then: Vec<u8>,
}

/// How values are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    /// `\xHH`.
    Default,
    Json,
    None,
}

#[cfg(test)]
mod tests;
