//! The report of what was counted.

use tollgate_policy::{Mode, Policy, PolicySet};

use super::warnings;
use crate::engine::{ADMITTED, DENIED_IN_SHADOW, Engine, OFFERED, denied_by, matched_by};
use crate::hide::{HidingKey, shown};
use crate::instant::{rfc3339, seconds, share};
use crate::logs::Found;
use crate::report::{Curve, KeyReport, LimitReport, Peaks, PolicyReport, Report, Timeline};
use crate::tally::{Keys, PolicyTally, Worst, lists_of, peaks, shortest};
use crate::wanted::Wanted;

/// What is known beside what was counted.
pub(super) struct Findings<'r> {
    pub(super) policies: &'r PolicySet,
    pub(super) policy_file: String,
    pub(super) wanted: &'r Wanted,
    pub(super) worst: usize,
    pub(super) max_keys: usize,
    pub(super) hiding: Option<&'r HidingKey>,
    /// The name behind an address that stands for one.
    pub(super) name_of: &'r dyn Fn(&str) -> Option<String>,
}

pub(super) fn report(findings: Findings<'_>, engine: Engine, mut found: Found) -> Report {
    let (mut sums, counted) = engine.finish();
    let all = findings.policies.policies().iter().zip(&sums.tallies);
    let counted = counted.keys.iter().zip(counted.curves);
    let policies: Vec<PolicyReport> = (0..)
        .zip(all.zip(counted))
        .map(
            |(position, ((policy, tally), (keys, curve)))| PolicyReport {
                matched_over_time: sums.steps.series(matched_by(position)),
                denied_over_time: sums.steps.series(denied_by(position)),
                curve: curve.filter(|_| tally.matched > 0),
                ..of_policy(policy, (tally, keys), &findings)
            },
        )
        .collect();
    if findings.hiding.is_some() {
        let examples = found
            .input
            .rejects
            .iter_mut()
            .flat_map(|reject| &mut reject.examples);
        examples.for_each(|example| example.text = None);
    }
    let warnings = warnings::of(&findings, &policies, &mut sums, &found);
    Report {
        complete: found.is_complete,
        anonymized: findings.hiding.is_some(),
        policy_file: findings.policy_file,
        input: found.input,
        from: sums.span.map(|(first, _)| rfc3339(first)),
        to: sums.span.map(|(_, last)| rfc3339(last)),
        totals: sums.totals,
        timeline: Timeline {
            start: sums.steps.start().map(rfc3339),
            step: seconds(sums.steps.step()),
            offered: sums.steps.series(OFFERED),
            admitted: sums.steps.series(ADMITTED),
            denied_in_shadow: sums.steps.series(DENIED_IN_SHADOW),
        },
        policies,
        warnings,
    }
}

/// What a policy did, but for its curve and what it denied over time.
fn of_policy(
    policy: &Policy,
    (tally, keys): (&PolicyTally, &Keys),
    findings: &Findings<'_>,
) -> PolicyReport {
    let worst = keys.worst(findings.worst, |key| shown(key, None, findings.name_of));
    PolicyReport {
        name: policy.name().to_owned(),
        mode: match policy.mode() {
            Mode::Shadow => "shadow",
            Mode::Off => "off",
            _ => "enforce",
        },
        key: policy.key().iter().map(ToString::to_string).collect(),
        limits: limits(policy, tally),
        matched: tally.matched,
        allowed: tally.matched - tally.denied,
        denied: tally.denied,
        decided: tally.decided,
        unlimited: tally.unlimited,
        blocked: tally.blocked,
        missing_key: tally.missing_key,
        denied_share: share(tally.denied, tally.matched),
        first_denial: tally.first_denial.map(rfc3339),
        last_denial: tally.last_denial.map(rfc3339),
        within_resolution: tally.within_resolution,
        keys: keys.count(),
        keys_denied: keys.count_denied(),
        keys_estimated: keys.are_estimated(),
        worst: worst.iter().map(|key| of_key(key, findings)).collect(),
        largest_share: share(keys.most_requests(), tally.matched).min(1.0),
        peaks: shortest(policy).map_or_else(Peaks::default, |limit| peaks(limit, &keys.peaks())),
        curve: None::<Curve>,
        obeying: keys.denials().obeying().report(),
        matched_over_time: Vec::new(),
        denied_over_time: Vec::new(),
    }
}

fn limits(policy: &Policy, tally: &PolicyTally) -> Vec<LimitReport> {
    let tiers = lists_of(policy).zip(&tally.by_limit).enumerate();
    tiers
        .flat_map(|(tier, (limits, denied))| {
            limits
                .iter()
                .zip(denied)
                .map(move |(limit, denied)| LimitReport {
                    limit: limit.to_string(),
                    tier: Some(tier).filter(|tier| *tier > 0),
                    denied: *denied,
                })
        })
        .collect()
}

fn of_key(key: &Worst<'_>, findings: &Findings<'_>) -> KeyReport {
    let denial = key.denial;
    KeyReport {
        key: shown(&denial.text, findings.hiding, findings.name_of),
        requests: key.requests,
        denied: denial.denied,
        peak: key.peak,
        peak_at: rfc3339(key.peak_at),
        first_denial: Some(rfc3339(denial.first)),
        last_denial: Some(rfc3339(denial.last)),
        obeying: denial.obeying.report(),
    }
}
