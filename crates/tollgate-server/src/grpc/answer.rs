//! From decisions to the answer of a call.

mod fields;
mod metadata;
mod status;

use std::sync::Arc;

use tollgate::{AnyStore, Outcomes};
use tollgate_http::HttpLimiter;
use tollgate_policy::{Decision, Reason};
use tonic::Status;

use super::generated::Code;
use super::rate_limit::{Answered, Few};
use super::wire::Response;

pub(super) use super::wire::PREFIX;

/// The answer to a call whose descriptors were answered so: a `RateLimitResponse` with the prefix
/// that messages of gRPC have.
///
/// # Errors
///
/// `UNAVAILABLE` if the store made no decision and nothing but a policy that denies then stands
/// against the request: that is no denial, and the caller has been told what to do without an answer.
pub(super) fn of(
    limiter: &HttpLimiter<AnyStore>,
    answered: &[Answered],
) -> Result<Vec<u8>, Status> {
    let decisions: Few<_> = answered
        .iter()
        .enumerate()
        .filter_map(|(position, answered)| Some((position, answered.decision.as_ref()?)))
        .collect();
    let decisive = decisive(&decisions);
    let is_allowed = decisive.is_none_or(|(_, decision)| decision.is_allowed());
    if let Some((_, decisive)) = decisive
        && decisive.reason() == Reason::StoreFailedDeny
    {
        return Err(no_decision(decisive));
    }
    let mut answer = Response::new(if is_allowed {
        Code::Ok
    } else {
        Code::OverLimit
    });
    for answered in answered {
        answer.status(&status::of(answered));
    }
    let Some((position, decisive)) = decisive else {
        return Ok(answer.finish());
    };
    let all = decisions.iter().map(|(_, decision)| &***decision);
    fields::write(limiter, decisive, all, &mut answer);
    if !is_allowed {
        answer.raw_body(&limiter.denial(decisive).problem_json_without_status());
    }
    answer.metadata(|metadata| {
        metadata::write(limiter, position, decisive, &decisions, metadata);
    });
    Ok(answer.finish())
}

/// The decision that speaks for the call, with the position of its descriptor: of those that deny
/// the one with the longest wait, and before all others one for which waiting does not help; else
/// the one that is closest to exhaustion.
fn decisive<'d>(decisions: &[(usize, &'d Arc<Decision>)]) -> Option<(usize, &'d Decision)> {
    if let [(position, only)] = decisions {
        return Some((*position, only));
    }
    let denials = decisions.iter().filter(|(_, it)| !it.is_allowed());
    // Of several that weigh the same, the first.
    let denial = denials.rev().max_by_key(|(_, it)| {
        let is_decided = it.reason() != Reason::StoreFailedDeny;
        let wait = it.retry_after();
        (is_decided, wait.is_none(), wait)
    });
    let found = denial.or_else(|| {
        let outcomes = decisions.iter().enumerate().filter_map(|(index, (_, it))| {
            let (_, outcome) = it.decided_by()?.deciding()?;
            Some((index, *outcome))
        });
        let outcomes: Few<_> = outcomes.collect();
        let at = outcomes.first()?.1.at;
        let each = outcomes.iter().map(|(_, outcome)| (*outcome, true));
        let closest = Outcomes::new(at, each).deciding_index()?;
        decisions.get(outcomes.get(closest)?.0)
    });
    let (position, decision) = found.or_else(|| decisions.first())?;
    Some((*position, decision))
}

#[cold]
fn no_decision(decision: &Decision) -> Status {
    let policy = decision
        .decided_by()
        .map_or("a policy", |it| it.policy().name());
    Status::unavailable(format!(
        "the store made no decision, and `{policy}` denies then: what happens now is the caller's \
         setting for failures, `failure_mode_deny` and `status_on_error` in Envoy"
    ))
}
