//! What other numbers would have done.

use super::columns::{Align, Cell, Columns};
use super::paint::Tone;
use super::paper::Paper;
use crate::render::numbers::{grouped, share, times};
use crate::render::prose::Prose;
use crate::render::shown::shown;
use crate::report::PolicyReport;

pub(super) fn write(paper: &mut Paper, policy: &PolicyReport) {
    let curve = policy.curve.as_ref();
    let Some(curve) = curve.filter(|curve| !curve.points.is_empty()) else {
        return;
    };
    let has_several = policy.limits.len() > 1;
    let mut columns = Columns::default()
        .yielding(if has_several {
            "with all limits"
        } else {
            "with the limit"
        })
        .optional("times", Align::Right)
        .needed("denied", Align::Right)
        .needed("", Align::Right)
        .needed("keys denied", Align::Right)
        .needed("", Align::Right)
        .needed("", Align::Left);
    for point in &curve.points {
        let is_now = (point.factor - 1.0).abs() < 1e-9;
        let tone = if is_now { Tone::Strong } else { Tone::Plain };
        columns.row(vec![
            Cell::new(tone, shown(&point.limit)),
            Cell::new(tone, times(point.factor)),
            Cell::new(tone, grouped(point.denied)),
            Cell::new(tone, share(point.denied_share)),
            Cell::new(tone, grouped(point.keys_denied)),
            Cell::new(tone, share(point.keys_denied_share)),
            Cell::new(tone, if is_now { "now" } else { "" }),
        ]);
    }
    paper.columns(&columns);
    if has_several {
        paper.say_below(&Prose::new(
            "All limits of the policy are multiplied together; the first of them is shown.",
        ));
    }
    if curve.sampled < 1.0 {
        paper.say_below(&Prose::new(format!(
            "Counted over {} of the keys, chosen by chance.",
            share(curve.sampled)
        )));
    }
}
