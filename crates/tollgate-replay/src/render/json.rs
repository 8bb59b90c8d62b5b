//! A report for programs.

use crate::report::Report;

/// A report as JSON: one object, indented, ending in a line's end.
#[must_use]
pub fn json(report: &Report) -> String {
    let mut json = serde_json::to_string_pretty(report).unwrap_or_default();
    json.push('\n');
    json
}
