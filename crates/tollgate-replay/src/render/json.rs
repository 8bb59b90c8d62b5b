//! A report for programs.

use serde::Serialize;

use crate::report::Report;

/// Fields are added under the same number; whatever else changes has another.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Versioned<'r> {
    version: u32,
    #[serde(flatten)]
    report: &'r Report,
}

/// A report as JSON: one object, indented, ending in a line's end.
///
/// The same report gives the same bytes. `docs/replay-json.md` has each field and its meaning.
/// Texts are as they are, with what JSON wants escaped: a program that shows them must make them
/// safe itself.
#[must_use]
pub fn json(report: &Report) -> String {
    let version = VERSION;
    // Nothing of a report can fail to be JSON: keys are texts, and a float that is no number is null.
    let json = serde_json::to_string_pretty(&Versioned { version, report });
    let mut json = json.unwrap_or_default();
    json.push('\n');
    json
}
