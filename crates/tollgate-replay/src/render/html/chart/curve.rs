//! What other numbers would have done.

use crate::render::html::markup::Markup;
use crate::render::html::table::Table;
use crate::render::numbers::{grouped, share, times};
use crate::render::shown::shown;
use crate::report::{Curve, CurvePoint, PolicyReport};

use super::figure::{Chart, Legend, WIDTH, upright, y};
use super::scale::{Scale, percent};
use super::ticks::{Apart, Tick, thinned};

/// The shares denied against the limit, with the present limit marked.
pub(in crate::render::html) fn curve(page: &mut Markup, policy: &PolicyReport, id: &str) {
    let Some(curve) = &policy.curve else { return };
    let points: Vec<&CurvePoint> = curve
        .points
        .iter()
        .filter(|point| point.factor > 0.0)
        .collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return;
    };
    let across = Scale::log(first.factor * 0.9, last.factor * 1.1);
    let up = up(&points);
    let requests: Vec<_> = points
        .iter()
        .map(|at| (across.at(at.factor), up.at(at.denied_share)))
        .collect();
    let keys: Vec<_> = points
        .iter()
        .map(|at| (across.at(at.factor), up.at(at.keys_denied_share)))
        .collect();
    let mut shapes = Markup::default();
    line(&mut shapes, "<path class=\"line-keys\" d=\"", &keys);
    line(&mut shapes, "<path class=\"line-denied\" d=\"", &requests);
    let mut marks = Markup::default();
    if points.iter().any(|point| is_now(point)) {
        upright(&mut marks, across.at(1.0), "now");
    }
    for (x, height) in &keys {
        marks.put("<rect class=\"point-keys\" width=\"8\" height=\"8\" transform=\"translate(-4 -4)\" x=\"");
        marks
            .number(x * 100.0)
            .put("%\" y=\"")
            .number(y(*height))
            .put("\"/>");
    }
    for (x, height) in &requests {
        marks
            .put("<circle class=\"point-denied\" r=\"4\" cx=\"")
            .number(x * 100.0);
        marks.put("%\" cy=\"").number(y(*height)).put("\"/>");
    }
    let factors = points
        .iter()
        .map(|point| (across.at(point.factor), times(point.factor)));
    let limits = Limits::of(policy);
    let chart = Chart {
        id: format!("{id}-curve"),
        title: limits.title().to_owned(),
        description: description(curve, &points, limits),
        up: format!(
            "share denied{}",
            if up.is_log() { " (log scale)" } else { "" }
        ),
        across: match limits {
            Limits::One => format!("limit, as a multiple of {} (log scale)", present(&points)),
            Limits::Several => {
                "all limits together, as a multiple of the present ones (log scale)".to_owned()
            }
        },
        up_ticks: up_ticks(up, &points),
        across_ticks: thinned(factors, Apart::ACROSS),
        legend: vec![
            Legend {
                class: "line-denied",
                meaning: "of the requests",
            },
            Legend {
                class: "line-keys",
                meaning: "of the keys",
            },
        ],
        shapes,
        marks,
        table: table(&points, across, limits),
    };
    chart.write(page);
}

/// What is multiplied. All limits of a policy are, at once: what one of several would do by itself is
/// not known.
#[derive(Clone, Copy, Debug)]
enum Limits {
    One,
    Several,
}

impl Limits {
    const fn of(policy: &PolicyReport) -> Self {
        if policy.limits.len() > 1 {
            Self::Several
        } else {
            Self::One
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::One => "What other limits would have denied",
            Self::Several => "What would have been denied with all of its limits multiplied",
        }
    }
}

fn is_now(point: &CurvePoint) -> bool {
    (point.factor - 1.0).abs() < 1e-9
}

/// The limit that is multiplied.
fn present(points: &[&CurvePoint]) -> String {
    let now = points.iter().find(|point| is_now(point));
    now.map_or_else(|| "the present one".to_owned(), |point| shown(&point.limit))
}

/// On a scale of factors where small shares would all look like nothing; what is nothing then lies on
/// the ground.
fn up(points: &[&CurvePoint]) -> Scale {
    let shares = points
        .iter()
        .flat_map(|point| [point.denied_share, point.keys_denied_share]);
    let shares = shares.filter(|share| share.is_finite() && *share > 0.0);
    let (mut least, mut most) = (1.0_f64, 0.0_f64);
    for share in shares {
        least = least.min(share);
        most = most.max(share);
    }
    if most > least * 50.0 {
        Scale::log(least.max(1e-5) / 2.0, (most * 1.1).min(1.0))
    } else {
        Scale::linear(
            0.0,
            if most > 0.0 {
                (most * 1.1).min(1.0)
            } else {
                0.01
            },
        )
    }
}

/// With nothing at the ground, where a scale of factors has no place for it.
fn up_ticks(up: Scale, points: &[&CurvePoint]) -> Vec<Tick> {
    let has_nothing = points
        .iter()
        .any(|point| point.denied_share <= 0.0 || point.keys_denied_share <= 0.0);
    let nothing = (up.is_log() && has_nothing).then(|| (0.0, percent(0.0)));
    let numbers = up.round_numbers().into_iter();
    let numbers = numbers.map(|number| (up.at(number), percent(number)));
    thinned(nothing.into_iter().chain(numbers), Apart::UP)
}

fn line(shapes: &mut Markup, begin: &'static str, points: &[(f64, f64)]) {
    shapes.put(begin);
    for (index, (x, height)) in points.iter().enumerate() {
        shapes.put(if index == 0 { "M" } else { "L" });
        shapes.number(x * WIDTH).put(" ").number(y(*height));
    }
    shapes.put("\"/>");
}

fn description(curve: &Curve, points: &[&CurvePoint], limits: Limits) -> String {
    let mut said = String::new();
    for point in points.iter().filter(|point| is_now(point)) {
        let present = match limits {
            Limits::One => format!("The present limit, {}, denies", shown(&point.limit)),
            Limits::Several => "The present limits together deny".to_owned(),
        };
        said.push_str(&format!(
            "{present} {} of the requests and {} of the keys. ",
            share(point.denied_share),
            share(point.keys_denied_share)
        ));
    }
    if let (Some(first), Some(last)) = (points.first(), points.last()) {
        let (from, to) = match limits {
            Limits::One => (shown(&first.limit), shown(&last.limit)),
            Limits::Several => (times(first.factor), times(last.factor)),
        };
        said.push_str(&format!(
            "From {from} to {to}, the denied share of requests goes from {} to {}.",
            share(first.denied_share),
            share(last.denied_share)
        ));
    }
    if curve.sampled < 1.0 {
        said.push_str(&format!(
            " Counted over {} of the keys.",
            share(curve.sampled)
        ));
    }
    said
}

fn table(points: &[&CurvePoint], across: Scale, limits: Limits) -> Table {
    let mut table = Table::new(&[
        match limits {
            Limits::One => "limit",
            Limits::Several => "the first limit; the others as much",
        },
        "times",
        "requests denied",
        "of requests",
        "keys denied",
        "of keys",
    ]);
    for point in points {
        let now = if is_now(point) { " (now)" } else { "" };
        table.row(
            Some(across.at(point.factor)),
            vec![
                format!("{}{now}", shown(&point.limit)),
                times(point.factor),
                grouped(point.denied),
                share(point.denied_share),
                grouped(point.keys_denied),
                share(point.keys_denied_share),
            ],
        );
    }
    table
}
