//! Marks on an axis of time.

use crate::render::instant::at;
use crate::render::steps::Steps;

use super::ticks::{Apart, Tick, thinned};

/// Spans that people count time in, in seconds.
const SPANS: [i64; 21] = [
    1,
    5,
    10,
    15,
    30,
    60,
    300,
    600,
    900,
    1_800,
    3_600,
    7_200,
    10_800,
    21_600,
    43_200,
    86_400,
    172_800,
    604_800,
    2_592_000,
    31_536_000,
    315_360_000,
];
const DAY: i64 = 86_400;
/// So many marks at most.
const MOST: i64 = 9;

/// Marks at multiples of a span: a time within a day, and the day at its begin.
pub(super) fn ticks(steps: &Steps) -> Vec<Tick> {
    let length = steps.end.saturating_sub(steps.start).max(1);
    let fits = |span: &&i64| length / **span < MOST;
    let span = SPANS.iter().find(fits).copied();
    // Some years later than any log.
    let span = span.unwrap_or_else(|| length / MOST + 1);
    let mut marks = Vec::new();
    let mut next = steps
        .start
        .saturating_add(span - 1)
        .div_euclid(span)
        .saturating_mul(span);
    while next <= steps.end {
        let elapsed = fraction(next.saturating_sub(steps.start), length);
        marks.push((elapsed, label(next, span)));
        next = next.saturating_add(span);
    }
    if marks.is_empty() {
        marks.push((0.0, label(steps.start, 1)));
    }
    thinned(marks.into_iter(), Apart::ACROSS)
}

fn label(seconds: i64, span: i64) -> String {
    let pattern = if span > 30 * DAY {
        "%Y"
    } else if span >= DAY || seconds.rem_euclid(DAY) == 0 {
        "%-d %b"
    } else if span < 60 {
        "%H:%M:%S"
    } else {
        "%H:%M"
    };
    at(seconds, pattern)
}

#[expect(clippy::cast_precision_loss, reason = "a pixel is coarser")]
fn fraction(part: i64, whole: i64) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use crate::report::Timeline;

    use super::*;

    fn labels(start: &str, step: f64, count: usize) -> Vec<String> {
        let timeline = Timeline {
            start: Some(start.to_owned()),
            step,
            offered: vec![1; count],
            admitted: vec![1; count],
            denied_in_shadow: Vec::new(),
        };
        let ticks = ticks(&Steps::new(&timeline, 500).unwrap());
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn a_day_has_hours_and_its_ends_are_days() {
        assert_eq!(
            labels("2026-05-04T00:00:00Z", 300.0, 288),
            [
                "4 May", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "5 May"
            ]
        );
    }

    #[test]
    fn a_second_has_a_mark_too() {
        assert_eq!(
            labels("2026-05-04T10:00:07Z", 1.0, 1),
            ["10:00:07", "10:00:08"]
        );
        assert_eq!(labels("2026-05-04T10:00:07.5Z", 0.1, 2), ["10:00:07"]);
    }

    #[test]
    fn all_of_time_has_few() {
        let labels = labels("0001-01-01T00:00:00Z", 1e9, 300);
        assert!((1..10).contains(&labels.len()), "{labels:?}");
    }
}
