//! Requests over time.

use crate::render::html::markup::Markup;
use crate::render::html::table::Table;
use crate::render::instant::at;
use crate::render::numbers::{float, grouped, short};
use crate::render::spans::{a_window, window};
use crate::render::steps::Steps;
use crate::report::{PolicyReport, Report};

use super::figure::{Chart, HEIGHT, Legend, WIDTH, y};
use super::scale::Scale;
use super::ticks::{Apart, ticks};
use super::time;

/// As many as an eye tells apart.
const MOST: usize = 300;

/// What was offered, and what of it was let through.
pub(in crate::render::html) fn timeline(page: &mut Markup, report: &Report) {
    let Some(steps) = Steps::new(&report.timeline, MOST) else {
        return;
    };
    let offered = steps.sums(&report.timeline.offered);
    let admitted = steps.sums(&report.timeline.admitted);
    let words = Words {
        title: "Requests offered and admitted over time".to_owned(),
        offered: "offered",
    };
    chart(&steps, "timeline", &words, &offered, &admitted).write(page);
}

/// What a policy matched, and what of it was let through, if both were counted.
pub(in crate::render::html) fn policy_timeline(
    page: &mut Markup,
    report: &Report,
    policy: &PolicyReport,
    id: &str,
) {
    let Some(steps) = Steps::new(&report.timeline, MOST) else {
        return;
    };
    if policy.denied == 0 || policy.denied_over_time.is_empty() {
        return;
    }
    let denied = steps.sums(&policy.denied_over_time);
    let matched = if policy.matched_over_time.is_empty() {
        denied.clone()
    } else {
        steps.sums(&policy.matched_over_time)
    };
    let pairs = matched.iter().zip(&denied);
    let admitted: Vec<u64> = pairs
        .map(|(all, denied)| all.saturating_sub(*denied))
        .collect();
    let words = Words {
        title: "Requests that it matched and denied over time".to_owned(),
        offered: "matched",
    };
    chart(&steps, &format!("{id}-time"), &words, &matched, &admitted).write(page);
}

struct Words {
    title: String,
    offered: &'static str,
}

fn chart(steps: &Steps, id: &str, words: &Words, offered: &[u64], admitted: &[u64]) -> Chart {
    let highest = offered.iter().copied().max().unwrap_or(0);
    let scale = Scale::linear(0.0, float(highest));
    let mut shapes = Markup::default();
    let all = Outline::new(offered, scale);
    let let_in = Outline::new(admitted, scale);
    shapes.put("<path class=\"admitted\" d=\"M0 200");
    let_in.forth(&mut shapes);
    shapes.put("V200Z\"/><path class=\"denied\" d=\"M0 200");
    all.forth(&mut shapes);
    let_in.back(&mut shapes);
    shapes.put("Z\"/><path class=\"line-offered\" d=\"M0 200");
    all.forth(&mut shapes);
    shapes.put("\"/>");
    Chart {
        id: id.to_owned(),
        title: words.title.clone(),
        description: description(steps, words, offered, admitted),
        up: format!("requests per {}", window(steps.step)),
        across: "time (UTC)".to_owned(),
        up_ticks: ticks(scale, Apart::UP, short),
        across_ticks: time::ticks(steps),
        legend: vec![
            Legend {
                class: "line-offered",
                meaning: words.offered,
            },
            Legend {
                class: "admitted",
                meaning: "admitted",
            },
            Legend {
                class: "denied",
                meaning: "denied",
            },
        ],
        shapes,
        marks: Markup::default(),
        table: table(steps, words, offered, admitted),
    }
}

/// The upper edge of a field, from left to right and back.
struct Outline(Vec<(f64, f64, f64)>);

impl Outline {
    fn new(values: &[u64], scale: Scale) -> Self {
        let width = WIDTH / count(values.len());
        let edges = values.iter().enumerate().map(|(index, value)| {
            let left = count(index) * width;
            (left, left + width, y(scale.at(float(*value))))
        });
        Self(edges.collect())
    }

    fn forth(&self, shape: &mut Markup) {
        let mut last = HEIGHT;
        for (_, right, top) in &self.0 {
            if (top - last).abs() > 1e-9 {
                shape.put("V").number(*top);
                last = *top;
            }
            shape.put("H").number(*right);
        }
    }

    fn back(&self, shape: &mut Markup) {
        for (left, _, top) in self.0.iter().rev() {
            shape.put("V").number(*top).put("H").number(*left);
        }
    }
}

fn description(steps: &Steps, words: &Words, offered: &[u64], admitted: &[u64]) -> String {
    let highest = offered.iter().enumerate().max_by_key(|(_, value)| **value);
    let (index, most) = highest.map_or((0, 0), |(index, value)| (index, *value));
    let let_in = admitted.get(index).copied().unwrap_or(0);
    format!(
        "At most {} requests were {} in {}, at {}; {} of them were admitted. The table below has all numbers.",
        grouped(most),
        words.offered,
        a_window(steps.step),
        at(steps.begin(index), steps.pattern()),
        grouped(let_in.min(most)),
    )
}

fn table(steps: &Steps, words: &Words, offered: &[u64], admitted: &[u64]) -> Table {
    let mut table = Table::new(&["from", words.offered, "admitted", "denied"]);
    for (index, (all, let_in)) in offered.iter().zip(admitted).enumerate() {
        table.row(
            Some((count(index) + 0.5) / count(steps.count)),
            vec![
                at(steps.begin(index), steps.pattern()),
                grouped(*all),
                grouped(*let_in),
                grouped(all.saturating_sub(*let_in)),
            ],
        );
    }
    table
}

fn count(number: usize) -> f64 {
    float(u64::try_from(number).unwrap_or(u64::MAX))
}
