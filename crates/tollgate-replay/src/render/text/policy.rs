//! One policy.

use super::paint::Tone;
use super::paper::{Paper, cut};
use super::spark::spark;
use super::{curve, keys, timeline};
use crate::render::numbers::grouped;
use crate::render::prose::Prose;
use crate::render::says;
use crate::render::shown::shown;
use crate::render::spans::span;
use crate::render::steps::Steps;
use crate::report::{PolicyReport, Report};

/// Its verdict, its limits, its denials over time, its worst keys, and what other numbers would do.
pub(super) fn write(paper: &mut Paper, report: &Report, policy: &PolicyReport, day: Option<&str>) {
    paper.heading(&format!("Policy {}", shown(&policy.name)), policy.mode);
    paper.say_below(&says::beginning(policy));
    if policy.mode == "off" {
        return;
    }
    paper.say_below(&limits(policy));
    if policy.matched == 0 {
        return;
    }
    if let Some(denials) = says::denials(policy, day) {
        paper.say_below(&denials);
    }
    for said in says::others(policy) {
        paper.say_below(&said);
    }
    over_time(paper, report, policy);
    let rest = [
        says::peaks(policy),
        says::obeying(policy),
        says::resolution(policy, &report.input),
    ];
    if rest.iter().any(Option::is_some) {
        paper.blank();
    }
    for said in rest.iter().flatten() {
        paper.say_below(said);
    }
    keys::write(paper, policy, day);
    curve::write(paper, policy);
}

/// The limits, with what each of them denied where there are several.
fn limits(policy: &PolicyReport) -> Prose {
    let limits: Vec<Prose> = policy
        .limits
        .iter()
        .map(|limit| {
            let mut said = Prose::default().name(&limit.limit);
            if let Some(tier) = limit.tier {
                said = said.plain(format!(" in tier {tier}"));
            }
            if policy.limits.len() > 1 {
                said = said.plain(format!(" ({} denials)", grouped(limit.denied)));
            }
            said
        })
        .collect();
    let keys: Vec<Prose> = policy
        .key
        .iter()
        .map(|part| Prose::default().name(part))
        .collect();
    let said = match limits.len() {
        0 => Prose::new("It has no limit"),
        1 => Prose::new("Limit ").list(limits),
        _ => Prose::new("Limits ").list(limits),
    };
    if keys.is_empty() {
        said.plain(", for all requests together.")
    } else {
        said.plain(" for each ").list(keys).plain(".")
    }
}

fn over_time(paper: &mut Paper, report: &Report, policy: &PolicyReport) {
    let Some(steps) = Steps::new(&report.timeline, timeline::room(paper)) else {
        return;
    };
    if policy.denied == 0 {
        return;
    }
    let matched = steps.sums(&policy.matched_over_time);
    let denied = steps.sums(&policy.denied_over_time);
    let highest = |numbers: &[u64]| numbers.iter().copied().max().unwrap_or(0);
    paper.blank();
    if !policy.matched_over_time.is_empty() {
        let line = spark(&matched, highest(&matched));
        timeline::line(paper, "matched", Tone::Plain, &line);
    }
    // On a scale of its own: when it denied is to be seen, also where it denied little.
    let line = spark(&denied, highest(&denied));
    let (label, verb) = if policy.mode == "shadow" {
        ("in shadow", "would be denied")
    } else {
        ("denied", "denied")
    };
    timeline::line(paper, label, Tone::Denied, &line);
    let scale = format!(
        "{} {verb} at most in {}",
        grouped(highest(&denied)),
        span(steps.step)
    );
    let scale = cut(&scale, timeline::room(paper));
    timeline::line(paper, "", Tone::Faint, &scale);
}
