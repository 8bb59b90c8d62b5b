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
    let shadow = steps.sums(&report.timeline.denied_in_shadow);
    let has_shadow = shadow.iter().any(|denied| *denied > 0);
    let words = Words {
        title: if has_shadow {
            "Requests offered, admitted, and denied in shadow only, over time"
        } else {
            "Requests offered and admitted over time"
        },
        offered: "offered",
    };
    let parts = Parts {
        offered: &offered,
        admitted: &admitted,
        shadow: has_shadow.then_some(&*shadow),
        has_denied: report.totals.denied > 0 || !has_shadow,
    };
    chart(&steps, "timeline", &words, &parts).write(page);
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
    let is_in_shadow = policy.mode == "shadow";
    let pairs = matched.iter().zip(&denied);
    let admitted: Vec<u64> = pairs
        .map(|(all, denied)| all.saturating_sub(if is_in_shadow { 0 } else { *denied }))
        .collect();
    let words = Words {
        title: if is_in_shadow {
            "Requests that it matched, and would deny, over time"
        } else {
            "Requests that it matched and denied over time"
        },
        offered: "matched",
    };
    let parts = Parts {
        offered: &matched,
        admitted: &admitted,
        shadow: is_in_shadow.then_some(&*denied),
        has_denied: !is_in_shadow,
    };
    chart(&steps, &format!("{id}-time"), &words, &parts).write(page);
}

struct Words {
    title: &'static str,
    offered: &'static str,
}

/// What is drawn, in each step.
struct Parts<'p> {
    offered: &'p [u64],
    /// Of the offered.
    admitted: &'p [u64],
    /// What would be denied of the admitted, if policies in shadow were enforced; `None` if that is
    /// nothing.
    shadow: Option<&'p [u64]>,
    /// False if nothing is enforced that could deny.
    has_denied: bool,
}

impl Parts<'_> {
    /// What would be left of the admitted.
    fn kept(&self) -> Vec<u64> {
        let shadow = self.shadow.unwrap_or_default();
        let shadow = shadow.iter().copied().chain(std::iter::repeat(0));
        let pairs = self.admitted.iter().zip(shadow);
        pairs
            .map(|(all, denied)| all.saturating_sub(denied))
            .collect()
    }
}

fn chart(steps: &Steps, id: &str, words: &Words, parts: &Parts<'_>) -> Chart {
    let (offered, admitted) = (parts.offered, parts.admitted);
    let kept = parts.kept();
    let highest = offered.iter().copied().max().unwrap_or(0);
    let scale = Scale::linear(0.0, float(highest));
    let mut shapes = Markup::default();
    let all = Outline::new(offered, scale);
    let let_in = Outline::new(admitted, scale);
    let left = Outline::new(&kept, scale);
    shapes.put("<path class=\"admitted\" d=\"M0 200");
    left.forth(&mut shapes);
    if parts.shadow.is_some() {
        shapes.put("V200Z\"/><path class=\"shadow\" d=\"M0 200");
        let_in.forth(&mut shapes);
        left.back(&mut shapes);
    }
    shapes.put("V200Z\"/><path class=\"denied\" d=\"M0 200");
    all.forth(&mut shapes);
    let_in.back(&mut shapes);
    shapes.put("Z\"/><path class=\"line-offered\" d=\"M0 200");
    all.forth(&mut shapes);
    shapes.put("\"/>");
    Chart {
        id: id.to_owned(),
        title: words.title.to_owned(),
        description: description(steps, words, parts),
        up: format!("requests per {}", window(steps.step)),
        across: "time (UTC)".to_owned(),
        up_ticks: ticks(scale, Apart::UP, short),
        across_ticks: time::ticks(steps),
        legend: legend(words, parts),
        shapes,
        marks: Markup::default(),
        table: table(steps, words, parts),
    }
}

fn legend(words: &Words, parts: &Parts<'_>) -> Vec<Legend> {
    let shadow = parts.shadow.is_some();
    let all = [
        (true, "line-offered", words.offered),
        (!shadow, "admitted", "admitted"),
        (shadow, "admitted", "admitted, and allowed in shadow too"),
        (
            shadow,
            "shadow",
            "admitted, but denied if shadow were enforced",
        ),
        (parts.has_denied, "denied", "denied"),
    ];
    all.into_iter()
        .filter(|(is_there, _, _)| *is_there)
        .map(|(_, class, meaning)| Legend { class, meaning })
        .collect()
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

fn description(steps: &Steps, words: &Words, parts: &Parts<'_>) -> String {
    let highest = parts
        .offered
        .iter()
        .enumerate()
        .max_by_key(|(_, value)| **value);
    let (index, most) = highest.map_or((0, 0), |(index, value)| (index, *value));
    let let_in = parts.admitted.get(index).copied().unwrap_or(0);
    let mut said = format!(
        "At most {} requests were {} in {}, at {}; {} of them were admitted.",
        grouped(most),
        words.offered,
        a_window(steps.step),
        at(steps.begin(index), steps.pattern()),
        grouped(let_in.min(most)),
    );
    if let Some(shadow) = parts.shadow {
        said.push_str(&format!(
            " Policies in shadow would have denied {} of those.",
            grouped(shadow.get(index).copied().unwrap_or(0))
        ));
    }
    said.push_str(" The table below has all numbers.");
    said
}

fn table(steps: &Steps, words: &Words, parts: &Parts<'_>) -> Table {
    let mut heads = vec!["from (UTC)", words.offered, "admitted"];
    heads.extend(parts.has_denied.then_some("denied"));
    heads.extend(parts.shadow.map(|_| "denied if shadow were enforced"));
    let mut table = Table::new(&heads);
    for (index, (all, let_in)) in parts.offered.iter().zip(parts.admitted).enumerate() {
        let mut cells = vec![
            at(steps.begin(index), steps.pattern()),
            grouped(*all),
            grouped(*let_in),
        ];
        let denied = all.saturating_sub(*let_in);
        cells.extend(parts.has_denied.then(|| grouped(denied)));
        cells.extend(parts.shadow.map(|shadow| {
            let more = shadow.get(index).copied().unwrap_or(0);
            grouped(denied.saturating_add(more))
        }));
        table.row(Some((count(index) + 0.5) / count(steps.count)), cells);
    }
    table
}

fn count(number: usize) -> f64 {
    float(u64::try_from(number).unwrap_or(u64::MAX))
}
