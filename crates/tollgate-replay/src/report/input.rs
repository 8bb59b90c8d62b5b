//! What was read.

use serde::Serialize;

/// What was read of all logs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InputReport {
    /// Each log, in the order in which they were named.
    pub files: Vec<FileReport>,
    /// Lines of all of them.
    pub lines: u64,
    /// Lines that are requests.
    pub requests: u64,
    /// Lines that are neither requests nor anything else that was expected.
    pub rejected: u64,
    /// Why, with the first of each kind; the most frequent reason first.
    pub rejects: Vec<RejectCount>,
    /// Lines that are rightly no requests, by kind.
    pub skipped: Vec<SkippedCount>,
    /// Requests that came later than the buffer could put in order: they were decided as if they had
    /// begun when the request did that was decided last.
    pub late: u64,
    /// The most that such a request lay behind, in seconds.
    pub latest_by: f64,
    /// The coarsest unit of the logs' times, in seconds: 1 for the usual text logs.
    pub resolution: f64,
    /// Requests whose time is that of their begin.
    pub timed_by_start: u64,
    /// Requests whose time is that of their end, less their duration.
    pub timed_by_end_less_duration: u64,
    /// Requests whose time is that of their end, because their log has no durations.
    pub timed_by_end: u64,
    /// Requests whose client is known only by the name of a host.
    pub named_clients: u64,
    /// Requests that have no client address, by reason: a word of `NoAddress`.
    pub no_client: Vec<(String, u64)>,
}

/// What was read of one log.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FileReport {
    /// Its name as it was given, or `standard input`.
    pub name: String,
    /// `gzip`, `zstd` or nothing.
    pub compression: Option<String>,
    /// Its forms and wrappers, the most frequent first: more than one means that lines are mixed.
    pub formats: Vec<FormatCount>,
    /// Its lines.
    pub lines: u64,
    /// Its size, in bytes, as it is stored.
    pub bytes: u64,
    /// Lines that are requests.
    pub requests: u64,
    /// Lines that were rejected.
    pub rejected: u64,
    /// Why reading ended before its end, if it did: the file is damaged, say.
    pub error: Option<String>,
}

/// How many lines have a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FormatCount {
    /// The name of the form, with that of its wrapper: `combined`, `cri combined`.
    pub format: String,
    /// Lines that are requests in this form.
    pub lines: u64,
}

/// Lines that were rejected for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RejectCount {
    /// The name of the reason: [`Reject::as_str`](crate::log::Reject::as_str).
    pub reason: &'static str,
    /// The reason in words.
    pub meaning: String,
    /// Lines.
    pub count: u64,
    /// The first of them.
    pub examples: Vec<Example>,
}

/// A line that was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The log.
    pub file: String,
    /// The number of the line, from 1.
    pub line: u64,
    /// Its begin, with what is invisible escaped; `None` where addresses are to be hidden.
    pub text: Option<String>,
}

/// Lines that are rightly no requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedCount {
    /// What they are: `blank`, `comment`, `other_message`, `zeros`, `repeated`,
    /// `partial`.
    pub kind: &'static str,
    /// Lines.
    pub count: u64,
}
