//! Decisions, and the answers that tell them.

use std::sync::Arc;

use tollgate::{Outcome as StoreOutcome, Outcomes, StoreError};
use tollgate_engine::Engine;
use tollgate_policy::Decision;
use tollgate_resp::Replies;

use super::numbers::{integer, seconds};
use crate::metrics::Outcome;

/// A decision of either kind.
pub(super) enum Decided {
    /// By the limit that the command brought; none if the store has made no decision.
    Throttle(Option<StoreOutcome>),
    /// By the policies of the file.
    Check(Engine, Arc<Decision>),
}

impl Decided {
    pub(super) fn write(&self, replies: &mut Replies) {
        match self {
            Self::Throttle(outcome) => {
                throttled(*outcome, replies);
            }
            Self::Check(engine, decision) => {
                checked(engine, decision, replies);
            }
        }
    }

    /// As what it is counted.
    pub(super) fn outcome(&self) -> Outcome {
        match self {
            Self::Throttle(outcome) => throttle_outcome(*outcome),
            Self::Check(_, decision) => Outcome::of(decision),
        }
    }
}

/// What a store says to the one charge that it was asked about.
pub(super) fn single(answer: Result<Outcomes, StoreError>) -> Option<StoreOutcome> {
    match answer.ok()?.as_slice() {
        [outcome] => Some(*outcome),
        _ => None,
    }
}

fn throttle_outcome(outcome: Option<StoreOutcome>) -> Outcome {
    match outcome {
        Some(outcome) if outcome.verdict.is_allow() => Outcome::Allow,
        Some(_) => Outcome::Deny,
        None => Outcome::Failed,
    }
}

/// The five integers of `CL.THROTTLE`.
pub(super) fn throttled(outcome: Option<StoreOutcome>, replies: &mut Replies) -> Outcome {
    match outcome {
        Some(outcome) => {
            replies.array(5);
            replies.integer(i64::from(!outcome.verdict.is_allow()));
            replies.integer(integer(outcome.limit));
            replies.integer(integer(outcome.remaining));
            replies.integer(outcome.retry_after.map_or(-1, seconds));
            replies.integer(seconds(outcome.reset_after));
        }
        // Neither "allowed" nor "limited" would be true.
        None => replies.error(
            "UNAVAILABLE the store has made no decision; it may or may not have counted the request",
        ),
    }
    throttle_outcome(outcome)
}

/// What `TG.CHECK` answers: an array, or a map with the same values in the same order.
pub(super) fn checked(engine: &Engine, decision: &Decision, replies: &mut Replies) -> Outcome {
    let decided_by = decision.decided_by();
    // A policy that hides its numbers hides them here too.
    let told = decided_by
        .filter(|policy| !policy.policy().hides_numbers())
        .and_then(|policy| policy.deciding())
        .map(|(_, outcome)| *outcome);
    let retry_after = if decision.is_allowed() {
        None
    } else {
        engine.limiter().denial(decision).retry_after()
    };
    let missing = decided_by.and_then(|policy| policy.missing_key());
    // The last is told only where there is something to tell.
    let fields = &FIELDS[..FIELDS.len() - usize::from(missing.is_none())];
    let is_map = replies.version() == tollgate_resp::Version::Resp3;
    if is_map {
        replies.map(fields.len());
    } else {
        replies.array(fields.len());
    }
    for field in fields {
        if is_map {
            replies.bulk(field.name().as_bytes());
        }
        match field {
            Field::Allowed => replies.integer(i64::from(decision.is_allowed())),
            Field::Policy => match decided_by {
                Some(policy) => replies.bulk(policy.policy().name().as_bytes()),
                None => replies.null(),
            },
            Field::Reason => replies.bulk(decision.reason().as_str().as_bytes()),
            Field::RetryAfter => {
                replies.integer(retry_after.map_or(-1, |wait| seconds(wait).max(1)));
            }
            Field::Remaining => replies.integer(number(told, |outcome| integer(outcome.remaining))),
            Field::Limit => replies.integer(number(told, |outcome| integer(outcome.limit))),
            Field::ResetAfter => {
                replies.integer(number(told, |outcome| seconds(outcome.reset_after)));
            }
            Field::Missing => match missing {
                Some(part) => replies.bulk(part.to_string().as_bytes()),
                None => replies.null(),
            },
        }
    }
    Outcome::of(decision)
}

fn number(outcome: Option<StoreOutcome>, of: impl FnOnce(&StoreOutcome) -> i64) -> i64 {
    outcome.as_ref().map_or(-1, of)
}

/// What is told of a check. More may come to stand behind these; none moves.
#[derive(Clone, Copy)]
enum Field {
    Allowed,
    Policy,
    Reason,
    RetryAfter,
    Remaining,
    Limit,
    ResetAfter,
    Missing,
}

const FIELDS: [Field; 8] = [
    Field::Allowed,
    Field::Policy,
    Field::Reason,
    Field::RetryAfter,
    Field::Remaining,
    Field::Limit,
    Field::ResetAfter,
    Field::Missing,
];

impl Field {
    const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Policy => "policy",
            Self::Reason => "reason",
            Self::RetryAfter => "retry_after",
            Self::Remaining => "remaining",
            Self::Limit => "limit",
            Self::ResetAfter => "reset_after",
            Self::Missing => "missing",
        }
    }
}
