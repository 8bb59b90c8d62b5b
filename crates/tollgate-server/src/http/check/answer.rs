//! Decisions in JSON.

use tollgate::{AnyStore, Outcome, Verdict};
use tollgate_http::HttpLimiter;
use tollgate_policy::{Decision, Mode, PolicyDecision};

use crate::http::json::Json;

/// Writes what was decided about one request.
pub(super) fn decision(json: &mut Json, decision: &Decision, limiter: &HttpLimiter<AnyStore>) {
    let is_allowed = decision.is_allowed();
    json.raw(r#"{"allowed":"#).bool(is_allowed);
    json.raw(r#","spent":"#).bool(decision.is_spent());
    let decided_by = decision.decided_by();
    json.raw(r#","decided_by":"#).optional(
        decided_by.map(|policy| policy.policy().name()),
        Json::string,
    );
    json.raw(r#","reason":"#).string(decision.reason().as_str());
    let retry_after = if is_allowed {
        None
    } else {
        limiter.denial(decision).retry_after()
    };
    json.raw(r#","retry_after":"#)
        .optional(retry_after, Json::seconds);
    json.raw(r#","policies":["#);
    for (number, policy) in decision.policies().enumerate() {
        if number > 0 {
            json.raw(",");
        }
        write_policy(json, &policy);
    }
    json.raw("]}");
}

fn write_policy(json: &mut Json, policy: &PolicyDecision<'_>) {
    json.raw(r#"{"name":"#).string(policy.policy().name());
    json.raw(r#","mode":"#).raw(match policy.mode() {
        Mode::Shadow => r#""shadow""#,
        _ => r#""enforce""#,
    });
    json.raw(r#","allowed":"#).bool(policy.is_allowed());
    json.raw(r#","reason":"#).string(policy.reason().as_str());
    json.raw(r#","key":"#).optional(policy.key(), Json::string);
    if let Some(missing) = policy.missing_key() {
        json.raw(r#","missing":"#).string(&missing.to_string());
    }
    json.raw(r#","cost":"#).integer(policy.cost());
    json.raw(r#","limits":["#);
    for (number, (_, outcome)) in policy.limits().enumerate() {
        if number > 0 {
            json.raw(",");
        }
        write_outcome(json, outcome, policy.policy().hides_numbers());
    }
    json.raw("]}");
}

fn write_outcome(json: &mut Json, outcome: &Outcome, is_hidden: bool) {
    json.raw(r#"{"outcome":"#).raw(match outcome.verdict {
        Verdict::Allow => r#""allow""#,
        Verdict::Deny => r#""deny""#,
        Verdict::Never => r#""never""#,
    });
    if is_hidden {
        json.raw(r#","limit":null,"remaining":null,"reset_after":null,"retry_after":null}"#);
        return;
    }
    json.raw(r#","limit":"#).integer(outcome.limit);
    json.raw(r#","remaining":"#).integer(outcome.remaining);
    json.raw(r#","reset_after":"#).seconds(outcome.reset_after);
    json.raw(r#","retry_after":"#)
        .optional(outcome.retry_after, Json::seconds);
    json.raw("}");
}
