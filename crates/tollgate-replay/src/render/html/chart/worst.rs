//! The worst keys, as bars.

use crate::render::html::markup::Markup;
use crate::render::html::table::Table;
use crate::render::instant::instant_within;
use crate::render::numbers::{grouped, part, ratio};
use crate::render::shown::shown;
use crate::render::spans::{a_window, counted_windows, span};
use crate::report::{KeyReport, PolicyReport};

/// So many have bars; the table has all.
const BARS: usize = 10;

/// A bar for each of the worst keys: as long as its requests, the denied part shaded.
pub(in crate::render::html) fn worst(
    page: &mut Markup,
    policy: &PolicyReport,
    id: &str,
    day: Option<&str>,
) {
    let longest = policy.worst.iter().take(BARS).map(|key| key.requests).max();
    let Some(longest) = longest else { return };
    page.put("<figure class=\"chart\">\n<figcaption id=\"")
        .text(id)
        .put("-worst\">The keys denied most</figcaption>\n");
    page.put("<p class=\"axis up\">bars: requests, the denied part shaded; peaks: counted in ")
        .text(&counted_windows(policy.peaks.window))
        .put("</p>\n");
    page.put("<ol class=\"bars\" aria-labelledby=\"")
        .text(id)
        .put("-worst\">\n");
    for key in policy.worst.iter().take(BARS) {
        bar(page, policy, key, longest);
    }
    page.put("</ol>\n");
    table(policy, day).write_folded(page, "The keys denied most");
    page.put("</figure>\n");
}

fn bar(page: &mut Markup, policy: &PolicyReport, key: &KeyReport, longest: u64) {
    let (all, denied) = (
        ratio(key.requests, longest),
        ratio(key.denied.min(key.requests), longest),
    );
    page.put("<li><span class=\"key\">")
        .name(&key.key)
        .put("</span>");
    page.put(
        "<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"admitted\" height=\"100%\" width=\"",
    );
    page.number(all * 100.0)
        .put("%\"/><rect class=\"denied\" height=\"100%\" width=\"");
    page.number(denied * 100.0)
        .put("%\"/></svg><span class=\"said\">");
    page.text(&format!(
        "{} of {} denied ({}), peak {} in {}",
        grouped(key.denied),
        grouped(key.requests),
        part(key.denied, key.requests),
        grouped(key.peak),
        a_window(policy.peaks.window)
    ));
    page.put("</span></li>\n");
}

fn table(policy: &PolicyReport, day: Option<&str>) -> Table {
    let peak = format!("peak in {}", a_window(policy.peaks.window));
    let mut table = Table::new(&[
        "key",
        "requests",
        "denied",
        "share",
        &peak,
        "peak at (UTC)",
        "first denial (UTC)",
        "last denial (UTC)",
        "told to wait",
        "held back",
        "waited",
        "longest wait",
    ]);
    let when = |at: &Option<String>| {
        at.as_deref()
            .map_or_else(String::new, |at| instant_within(at, day))
    };
    for key in &policy.worst {
        table.row(
            None,
            vec![
                shown(&key.key),
                grouped(key.requests),
                grouped(key.denied),
                part(key.denied, key.requests),
                grouped(key.peak),
                instant_within(&key.peak_at, day),
                when(&key.first_denial),
                when(&key.last_denial),
                grouped(key.obeying.told),
                grouped(key.obeying.held_back),
                span(key.obeying.waited),
                span(key.obeying.longest_wait),
            ],
        );
    }
    table
}
