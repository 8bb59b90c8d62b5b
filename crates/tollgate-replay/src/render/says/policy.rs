//! What a policy did.

use crate::render::instant::{instant, instant_within};
use crate::render::numbers::{capital, count, grouped, part, share, were};
use crate::render::prose::Prose;
use crate::render::spans::{counted_windows, span, window};
use crate::report::{InputReport, PolicyReport};

/// One key's share of the requests that is worth a word.
const TELLING_SHARE: f64 = 0.1;

/// The first thing to say of a policy: how much it denied, or why nothing.
pub(in crate::render) fn beginning(policy: &PolicyReport) -> Prose {
    if policy.mode == "off" {
        return Prose::new("It is off, and decides nothing.");
    }
    if policy.matched == 0 {
        return Prose::new("It matches no request.");
    }
    let would = if policy.mode == "shadow" {
        " would be denied if it were enforced"
    } else {
        " denied"
    };
    let about = if policy.keys_estimated { "about " } else { "" };
    let said = Prose::new("").strong(grouped(policy.denied)).plain(format!(
        " of {}{would} ({})",
        count(policy.matched, "request"),
        share(policy.denied_share)
    ));
    if policy.keys == 0 {
        return said.plain(".");
    }
    said.plain(format!(", for {about}"))
        .strong(grouped(policy.keys_denied))
        .plain(format!(
            " of {about}{} ({}).",
            count(policy.keys, "key"),
            part(policy.keys_denied, policy.keys)
        ))
}

/// When it denied, if it did.
pub(in crate::render) fn denials(policy: &PolicyReport, day: Option<&str>) -> Option<Prose> {
    let (first, last) = (
        policy.first_denial.as_deref()?,
        policy.last_denial.as_deref()?,
    );
    let said = if first == last {
        format!("Its only instant of denial was {} UTC.", instant(first))
    } else {
        format!(
            "First denial {}, last {} UTC.",
            instant_within(first, day),
            instant_within(last, day)
        )
    };
    Some(Prose::new(said))
}

/// What became of matched requests that no limit decided.
pub(in crate::render) fn others(policy: &PolicyReport) -> Vec<Prose> {
    let mut said = Vec::new();
    if policy.denied > policy.decided && policy.mode == "enforce" {
        said.push(Prose::new(format!(
            "Of what it denied, {} had been denied by another policy too, which decided.",
            grouped(policy.denied - policy.decided)
        )));
    }
    if policy.largest_share >= TELLING_SHARE && policy.keys > 1 {
        said.push(Prose::new(format!(
            "One key has {} of the matched requests.",
            share(policy.largest_share)
        )));
    }
    if policy.missing_key > 0 {
        said.push(Prose::new(format!(
            "{} lacked a part of its key.",
            capital(&count(policy.missing_key, "request"))
        )));
    }
    if policy.blocked > 0 {
        said.push(Prose::new(format!(
            "{} blocked, whatever was used.",
            were(policy.blocked)
        )));
    }
    if policy.unlimited > 0 {
        said.push(Prose::new(format!(
            "{} let through without being counted.",
            were(policy.unlimited)
        )));
    }
    said
}

/// How high the peaks of its keys were.
pub(in crate::render) fn peaks(policy: &PolicyReport) -> Option<Prose> {
    let peaks = &policy.peaks;
    if peaks.highest == 0 {
        return None;
    }
    let mut said = Prose::new(format!(
        "In their busiest {}, half of the keys asked for at most {}, 90% for {}, 99% for {}, 99.9% for {}, and the busiest for {}",
        window(peaks.window),
        grouped(peaks.p50),
        grouped(peaks.p90),
        grouped(peaks.p99),
        grouped(peaks.p999),
        grouped(peaks.highest),
    ));
    if peaks.limit > 0 {
        said = said
            .plain("; the limit admits ")
            .strong(grouped(peaks.limit));
    }
    Some(said.plain(format!(
        ". Counted in {}: the most in any {} may be more.",
        counted_windows(peaks.window),
        window(peaks.window)
    )))
}

/// What clients would have seen.
pub(in crate::render) fn obeying(policy: &PolicyReport) -> Option<Prose> {
    let obeying = &policy.obeying;
    if policy.denied == 0 || obeying.told == 0 {
        return None;
    }
    let begin = if policy.mode == "shadow" {
        "If it were enforced, clients that ignore Retry-After would be denied "
    } else {
        "Clients that ignore Retry-After are denied "
    };
    Some(
        Prose::new(begin)
            .plain(count(policy.denied, "time"))
            .plain(". If all obeyed it, they would be told to wait ")
            .strong(count(obeying.told, "time"))
            .plain(format!(
                ", hold back {}, and wait {} in all, at most {} at a time.",
                count(obeying.held_back, "request"),
                span(obeying.waited),
                span(obeying.longest_wait)
            )),
    )
}

/// What the log's resolution costs.
pub(in crate::render) fn resolution(policy: &PolicyReport, input: &InputReport) -> Option<Prose> {
    if policy.within_resolution == 0 || policy.denied == 0 {
        return None;
    }
    Some(
        Prose::new(format!(
            "The log's times are exact to {}: ",
            span(input.resolution)
        ))
        .strong(grouped(policy.within_resolution))
        .plain(format!(
            " of the denials ({}) would have been admissions, had the request come later by less than that.",
            part(policy.within_resolution, policy.denied)
        )),
    )
}
