//! One policy.

use crate::render::numbers::grouped;
use crate::render::prose::Prose;
use crate::render::says;
use crate::report::{PolicyReport, Report};

use super::chart;
use super::markup::Markup;

/// Its verdict, its limits, and its charts.
pub(super) fn write(
    page: &mut Markup,
    report: &Report,
    policy: &PolicyReport,
    number: usize,
    day: Option<&str>,
) {
    let id = format!("policy-{number}");
    page.put("<section class=\"policy\" aria-labelledby=\"")
        .text(&id)
        .put("\">\n");
    facts(page, policy, &id, day);
    if policy.matched > 0 && policy.mode != "off" {
        charts(page, report, policy, &id, day);
    }
    page.put("</section>\n");
}

/// What is told in words. On paper it stays with the chart that follows.
fn facts(page: &mut Markup, policy: &PolicyReport, id: &str, day: Option<&str>) {
    page.put("<div class=\"facts\">\n<h2 id=\"").text(id);
    page.put("\">Policy ")
        .name(&policy.name)
        .put(" <span class=\"mode\">")
        .text(policy.mode)
        .put("</span></h2>\n");
    page.paragraph(&says::beginning(policy));
    if policy.mode != "off" {
        limits(page, policy);
        let mut said: Vec<Prose> = says::denials(policy, day).into_iter().collect();
        said.extend(says::others(policy));
        page.sentences(&said);
    }
    page.put("</div>\n");
}

fn limits(page: &mut Markup, policy: &PolicyReport) {
    let several = policy.limits.len() > 1;
    page.put("<ul class=\"limits\">\n");
    for limit in &policy.limits {
        page.put("<li>Limit ").name(&limit.limit);
        if let Some(tier) = limit.tier {
            page.put(" in tier ").text(&tier.to_string());
        }
        if several {
            page.put(": ").text(&grouped(limit.denied)).put(" denials");
        }
        page.put("</li>\n");
    }
    for (index, part) in policy.key.iter().enumerate() {
        page.put(if index == 0 { "<li>for each " } else { " and " })
            .name(part);
    }
    page.put(if policy.key.is_empty() {
        "<li>for all requests together</li>\n</ul>\n"
    } else {
        "</li>\n</ul>\n"
    });
}

fn charts(page: &mut Markup, report: &Report, policy: &PolicyReport, id: &str, day: Option<&str>) {
    chart::policy_timeline(page, report, policy, id);
    page.put("<div class=\"charts\">\n");
    chart::peaks(page, policy, id);
    chart::curve(page, policy, id);
    page.put("</div>\n");
    chart::worst(page, policy, id, day);
    let said = [
        says::obeying(policy),
        says::resolution(policy, &report.input),
    ];
    for said in said.iter().flatten() {
        page.paragraph(said);
    }
}
