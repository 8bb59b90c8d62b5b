//! The verdict, what to know before believing it, and all policies at a glance.

use crate::render::numbers::{grouped, part, share};
use crate::render::says;
use crate::render::shown::shown;
use crate::report::{Report, Totals};

use super::chart;
use super::markup::Markup;

pub(super) fn header(page: &mut Markup, report: &Report) {
    page.put("<header>\n<p class=\"eyebrow\">Replay of access logs through ")
        .name(&report.policy_file);
    page.put("</p>\n<h1>")
        .text(&says::headline(report))
        .put("</h1>\n");
    page.sentences(&says::verdict(report));
    if report.anonymized {
        page.put(
            "<p>Addresses, users and other values of keys are replaced by keyed hashes.</p>\n",
        );
    }
    if report.totals.requests > 0 {
        tiles(page, report);
    }
    page.put("</header>\n");
}

fn tiles(page: &mut Markup, report: &Report) {
    let totals = &report.totals;
    page.put("<dl class=\"tiles\">\n");
    tile(page, "Requests", &grouped(totals.requests), "");
    tile(
        page,
        "Denied",
        &grouped(totals.denied),
        &part(totals.denied, totals.requests),
    );
    if let (Some(denied), Some(all)) = (totals.clients_denied, totals.clients) {
        tile(
            page,
            "Clients denied",
            &grouped(denied),
            &format!("of {}", grouped(all)),
        );
    }
    if totals.denied_in_shadow > 0 {
        tiles_with_shadow(page, totals);
    }
    page.put("</dl>\n");
}

/// What would be denied if policies in shadow were enforced: what is denied is part of it.
fn tiles_with_shadow(page: &mut Markup, totals: &Totals) {
    let denied = totals.denied.saturating_add(totals.denied_in_shadow);
    tile(
        page,
        "Denied with shadow enforced",
        &grouped(denied),
        &part(denied, totals.requests),
    );
    if let (Some(denied), Some(more), Some(all)) = (
        totals.clients_denied,
        totals.clients_denied_in_shadow,
        totals.clients,
    ) {
        tile(
            page,
            "Clients denied with shadow enforced",
            &grouped(denied.saturating_add(more)),
            &format!("of {}", grouped(all)),
        );
    }
}

fn tile(page: &mut Markup, name: &'static str, number: &str, beside: &str) {
    page.put("<div><dt>")
        .put(name)
        .put("</dt><dd>")
        .text(number);
    if !beside.is_empty() {
        page.put(" <small>").text(beside).put("</small>");
    }
    page.put("</dd></div>\n");
}

pub(super) fn warnings(page: &mut Markup, report: &Report) {
    let interrupted = says::interrupted(report);
    if report.warnings.is_empty() && interrupted.is_none() {
        return;
    }
    page.put("<section class=\"warnings\" aria-labelledby=\"warnings\">\n");
    page.put("<h2 id=\"warnings\">Before you believe these numbers</h2>\n<ul>\n");
    if let Some(interrupted) = interrupted {
        page.put("<li>").text(interrupted).put("</li>\n");
    }
    for warning in &report.warnings {
        page.put("<li>")
            .marked(&shown(&warning.message))
            .put("</li>\n");
    }
    page.put("</ul>\n</section>\n");
}

pub(super) fn traffic(page: &mut Markup, report: &Report) {
    if report.timeline.offered.is_empty() {
        return;
    }
    page.put("<section aria-labelledby=\"traffic\">\n<h2 id=\"traffic\">Traffic</h2>\n");
    chart::timeline(page, report);
    page.put("</section>\n");
}

/// A table of all policies, if there are several: all of its rows are seen, and what matters most comes
/// first, for screens that are too narrow for the rest.
pub(super) fn policies(page: &mut Markup, report: &Report) {
    if report.policies.len() < 2 {
        return;
    }
    page.put("<section aria-labelledby=\"policies\">\n<h2 id=\"policies\">Policies</h2>\n");
    page.put("<div class=\"scroll whole\" role=\"group\" tabindex=\"0\" aria-label=\"All policies\"><table>\n<thead><tr>");
    for head in [
        "policy",
        "denied",
        "share",
        "keys denied",
        "matched",
        "keys",
    ] {
        page.put(if head == "policy" {
            "<th scope=\"col\" class=\"words\">"
        } else {
            "<th scope=\"col\">"
        });
        page.put(head).put("</th>");
    }
    page.put("</tr></thead>\n<tbody>\n");
    for (index, policy) in report.policies.iter().enumerate() {
        page.put("<tr><th scope=\"row\"><a href=\"#policy-")
            .text(&(index + 1).to_string())
            .put("\">");
        page.name(&policy.name)
            .put("</a> <span class=\"mode\">")
            .text(policy.mode)
            .put("</span></th>");
        let cells = [
            grouped(policy.denied),
            share(policy.denied_share),
            grouped(policy.keys_denied),
            grouped(policy.matched),
            grouped(policy.keys),
        ];
        for cell in cells {
            page.put("<td>").text(&cell).put("</td>");
        }
        page.put("</tr>\n");
    }
    page.put("</tbody></table></div>\n</section>\n");
}
