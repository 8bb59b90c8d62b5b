//! The worst keys.

use super::columns::{Align, Cell, Columns};
use super::paint::Tone;
use super::paper::Paper;
use crate::render::instant::instant_within;
use crate::render::numbers::{grouped, part};
use crate::render::shown::shown;
use crate::render::spans::{each, span};
use crate::report::PolicyReport;

/// So many are shown; the other forms have all.
const SHOWN: usize = 10;

pub(super) fn write(paper: &mut Paper, policy: &PolicyReport, day: Option<&str>) {
    if policy.worst.is_empty() {
        return;
    }
    let mut columns = Columns::default()
        .yielding("worst keys")
        .needed("denied", Align::Right)
        .needed("of", Align::Right)
        .needed("", Align::Right)
        .optional("peak", Align::Right)
        .optional("last denial", Align::Left)
        .optional("longest wait", Align::Right)
        .optional("peak at", Align::Left);
    for key in policy.worst.iter().take(SHOWN) {
        let last = key.last_denial.as_deref();
        columns.row(vec![
            Cell::new(Tone::Name, shown(&key.key)),
            Cell::new(Tone::Denied, grouped(key.denied)),
            grouped(key.requests).into(),
            part(key.denied, key.requests).into(),
            format!("{}/{}", grouped(key.peak), each(policy.peaks.window)).into(),
            last.map_or_else(String::new, |last| instant_within(last, day))
                .into(),
            span(key.obeying.longest_wait).into(),
            instant_within(&key.peak_at, day).into(),
        ]);
    }
    paper.columns(&columns);
    if policy.worst.len() > SHOWN {
        let more = format!(
            "  and {} more, in JSON and HTML",
            policy.worst.len() - SHOWN
        );
        let more = paper.paint(Tone::Faint, &more);
        paper.line(&more);
    }
}
