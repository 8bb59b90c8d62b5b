//! Requests over time.

use textwrap::core::display_width;

use super::paint::Tone;
use super::paper::Paper;
use super::spark::spark;
use crate::render::instant::at;
use crate::render::numbers::grouped;
use crate::render::spans::span;
use crate::render::steps::Steps;
use crate::report::Report;

/// The labels of the lines, which stand left of them.
pub(super) const LABELS: usize = 10;

/// Three lines on one scale, with what only policies in shadow deny as a fourth if that is any, and when they begin and end.
pub(super) fn write(paper: &mut Paper, report: &Report) {
    let Some(steps) = Steps::new(&report.timeline, room(paper)) else {
        return;
    };
    let offered = steps.sums(&report.timeline.offered);
    let admitted = steps.sums(&report.timeline.admitted);
    let pairs = offered.iter().zip(&admitted);
    let denied: Vec<u64> = pairs
        .map(|(all, let_in)| all.saturating_sub(*let_in))
        .collect();
    let highest = offered.iter().copied().max().unwrap_or(0);
    paper.heading(
        "Requests over time",
        &format!("{} at most in {}", grouped(highest), span(steps.step)),
    );
    line(paper, "offered", Tone::Plain, &spark(&offered, highest));
    line(
        paper,
        "admitted",
        Tone::Admitted,
        &spark(&admitted, highest),
    );
    line(paper, "denied", Tone::Denied, &spark(&denied, highest));
    let shadow = steps.sums(&report.timeline.denied_in_shadow);
    if shadow.iter().any(|denied| *denied > 0) {
        line(paper, "in shadow", Tone::Denied, &spark(&shadow, highest));
    }
    ends(paper, &steps);
}

/// A label and its line.
pub(super) fn line(paper: &mut Paper, label: &str, tone: Tone, line: &str) {
    let gap = " ".repeat(LABELS.saturating_sub(display_width(label)));
    let label = paper.paint(Tone::Faint, label);
    let line = paper.paint(tone, line.trim_end());
    paper.line(&format!("  {label}{gap}{line}"));
}

/// How many blocks there is room for.
pub(super) fn room(paper: &Paper) -> usize {
    paper.width.saturating_sub(LABELS + 2).max(1)
}

fn ends(paper: &mut Paper, steps: &Steps) {
    let (first, last) = (
        at(steps.start, steps.pattern()),
        at(steps.end, steps.pattern()),
    );
    let gap = steps
        .count
        .saturating_sub(display_width(&first) + display_width(&last));
    if gap > 0 {
        let ends = format!("{first}{}{last}", " ".repeat(gap));
        line(paper, "UTC", Tone::Faint, &ends);
    }
}
