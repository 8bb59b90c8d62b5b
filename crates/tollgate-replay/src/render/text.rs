//! A report for a terminal.

mod columns;
mod curve;
mod input;
mod keys;
mod paint;
mod paper;
mod policy;
mod spark;
mod timeline;

use crate::report::Report;

use super::instant::common_day;
use super::says;
use paint::Tone;
use paper::Paper;

/// How a text is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// How wide it may be, in columns; taken as 50 if less, as 120 if more.
    pub width: usize,
    /// True if it may have colours, as escape sequences of ANSI terminals.
    pub colour: bool,
}

/// A report for people at a terminal: the verdict, warnings, each policy, and what was read.
///
/// No line is wider than asked for. It ends in a line's end, and without colours has no escape
/// sequences.
#[must_use]
pub fn text(report: &Report, options: &TextOptions) -> String {
    let mut paper = Paper::new(options);
    for said in says::verdict(report) {
        paper.say(&said);
    }
    if let Some(interrupted) = says::interrupted(report) {
        paper.blank();
        paper.labelled("warning: ", Tone::Warning, interrupted);
    }
    if !report.warnings.is_empty() {
        paper.blank();
    }
    for warning in &report.warnings {
        paper.labelled("warning: ", Tone::Warning, &warning.message);
    }
    timeline::write(&mut paper, report);
    let day = common_day(report.from.as_deref(), report.to.as_deref());
    for policy in &report.policies {
        policy::write(&mut paper, report, policy, day.as_deref());
    }
    input::write(&mut paper, report);
    paper.into_text()
}
