//! How high the peaks of keys were.

use crate::render::html::markup::Markup;
use crate::render::html::table::Table;
use crate::render::numbers::{float, grouped, short};
use crate::render::spans::{a_window, counted_windows, window};
use crate::report::{PeakBucket, Peaks, PolicyReport};

use super::figure::{Chart, HEIGHT, Legend, WIDTH, upright, y};
use super::scale::Scale;
use super::ticks::{Apart, ticks};

/// Above this, equal factors are equally long, and not equal steps.
const FEW: u64 = 30;
/// A bar is at least so wide, as a part of the axis, where several can be put together.
const NARROWEST: f64 = 0.02;

/// Keys by their peak, with a line at the limit.
pub(in crate::render::html) fn peaks(page: &mut Markup, policy: &PolicyReport, id: &str) {
    let peaks = &policy.peaks;
    let counted = peaks.buckets.iter().any(|bucket| bucket.keys > 0);
    if !counted || peaks.highest == 0 {
        return;
    }
    let across = across(peaks);
    let bars = bars(peaks, across);
    let up = up(&bars);
    let mut shapes = Markup::default();
    for bar in &bars {
        let (left, right) = (across.at(bar.above + 0.5), across.at(bar.to + 0.5));
        let is_over = peaks.limit > 0 && bar.above >= float(peaks.limit);
        let top = y(up.at(float(bar.keys)));
        shapes.put(if is_over {
            "<rect class=\"denied"
        } else {
            "<rect class=\"admitted"
        });
        shapes
            .put("\" x=\"")
            .number(left * WIDTH)
            .put("\" y=\"")
            .number(top);
        shapes.put("\" width=\"").number((right - left) * WIDTH);
        shapes.put("\" height=\"").number(HEIGHT - top).put("\"/>");
    }
    let mut marks = Markup::default();
    if peaks.limit > 0 {
        let name = format!("the limit admits {}", short(float(peaks.limit)));
        upright(&mut marks, across.at(float(peaks.limit) + 0.5), &name);
    }
    let chart = Chart {
        id: format!("{id}-peaks"),
        title: format!(
            "How much keys asked for in their busiest {}",
            window(peaks.window)
        ),
        description: description(peaks),
        up: format!("keys{}", if up.is_log() { " (log scale)" } else { "" }),
        across: format!(
            "most units asked for in {}, counted in {}{}",
            a_window(peaks.window),
            counted_windows(peaks.window),
            if across.is_log() { " (log scale)" } else { "" }
        ),
        up_ticks: ticks(up, Apart::UP, short),
        across_ticks: ticks(across, Apart::ACROSS, short),
        legend: vec![
            Legend {
                class: "admitted",
                meaning: "within the limit",
            },
            Legend {
                class: "denied",
                meaning: "above it",
            },
        ],
        shapes,
        marks,
        table: table(&bars, across),
    };
    chart.write(page);
}

/// Keys whose peak is above one number and at most another.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    above: f64,
    to: f64,
    least: u64,
    most: u64,
    keys: u64,
}

/// A whole number stands in the middle between the edges of its bar.
fn across(peaks: &Peaks) -> Scale {
    let highest = peaks.highest.max(peaks.limit).max(1);
    if highest <= FEW {
        Scale::linear(0.5, float(highest) + 1.0)
    } else {
        Scale::log(0.5, float(highest) * 1.2)
    }
}

/// From half a key on where a few keys would not be seen beside many.
fn up(bars: &[Bar]) -> Scale {
    let keys = bars.iter().map(|bar| bar.keys).filter(|keys| *keys > 0);
    let (least, most) = (keys.clone().min().unwrap_or(1), keys.max().unwrap_or(1));
    if most / least > 50 {
        Scale::log(0.5, float(most) * 1.2)
    } else {
        Scale::linear(0.0, float(most))
    }
}

/// Buckets, neighbours put together where they are too narrow to be seen, but not over the limit.
fn bars(peaks: &Peaks, across: Scale) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    let mut above = 0;
    for PeakBucket { at_most, keys } in &peaks.buckets {
        let at_most = *at_most;
        let next = Bar {
            above: float(above),
            to: float(at_most),
            least: above.saturating_add(1).min(at_most),
            most: at_most,
            keys: *keys,
        };
        above = at_most;
        if let Some(last) = bars.last_mut() {
            let width = across.at(next.to + 0.5) - across.at(last.above + 0.5);
            let is_edge = peaks.limit > 0 && last.most <= peaks.limit && at_most > peaks.limit;
            if width < NARROWEST && !is_edge {
                last.to = next.to;
                last.most = at_most;
                last.keys = last.keys.saturating_add(*keys);
                continue;
            }
        }
        bars.push(next);
    }
    bars
}

fn description(peaks: &Peaks) -> String {
    let mut said = format!(
        "Half of the keys asked for at most {} in {}, 99% for at most {}, and the busiest for {}.",
        grouped(peaks.p50),
        a_window(peaks.window),
        grouped(peaks.p99),
        grouped(peaks.highest)
    );
    if peaks.limit > 0 {
        said.push_str(&format!(" The limit admits {}.", grouped(peaks.limit)));
    }
    said.push_str(&format!(
        " Counted in {}: the most in any {} may be more.",
        counted_windows(peaks.window),
        window(peaks.window)
    ));
    said
}

fn table(bars: &[Bar], across: Scale) -> Table {
    let mut table = Table::new(&["most units", "keys"]);
    for bar in bars.iter().filter(|bar| bar.keys > 0) {
        let middle = f64::midpoint(across.at(bar.above + 0.5), across.at(bar.to + 0.5));
        let range = if bar.least == bar.most {
            grouped(bar.most)
        } else {
            format!("{} to {}", grouped(bar.least), grouped(bar.most))
        };
        table.row(Some(middle), vec![range, grouped(bar.keys)]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(limit: u64, buckets: &[(u64, u64)]) -> Peaks {
        let buckets = buckets.iter().map(|(at_most, keys)| PeakBucket {
            at_most: *at_most,
            keys: *keys,
        });
        let buckets: Vec<_> = buckets.collect();
        Peaks {
            window: 60.0,
            limit,
            highest: buckets.last().unwrap().at_most,
            buckets,
            ..Peaks::default()
        }
    }

    #[test]
    fn no_bar_stands_on_both_sides_of_the_limit() {
        let all: Vec<_> = (1..=400).map(|n| (n, 1)).collect();
        let peaks = of(100, &all);
        let bars = bars(&peaks, across(&peaks));
        assert!(bars.len() < 60, "{}", bars.len());
        assert_eq!(bars.iter().map(|bar| bar.keys).sum::<u64>(), 400);
        assert!(bars.iter().any(|bar| bar.most == 100), "{bars:?}");
    }

    #[test]
    fn one_key_is_seen_beside_many() {
        let peaks = of(10, &[(1, 200_000), (900, 1)]);
        let bars = bars(&peaks, across(&peaks));
        let up = up(&bars);
        assert!(up.is_log());
        assert!(up.at(1.0) * HEIGHT > 5.0, "{}", up.at(1.0));
    }
}
