//! What the proxy's own logs and filters are told: which policy decided, and why.

use std::sync::Arc;

use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};
use tollgate::AnyStore;
use tollgate_http::HttpLimiter;
use tollgate_policy::{Decision, Mode};

/// Of a decision about the descriptor at a position, which speaks for all of the call.
pub(super) fn of(
    limiter: &HttpLimiter<AnyStore>,
    position: usize,
    decisive: &Decision,
    all: &[(usize, &Arc<Decision>)],
) -> Struct {
    let mut metadata = Struct::default();
    let mut tell = |name: &str, kind| {
        let value = Value { kind: Some(kind) };
        metadata.fields.insert(name.to_owned(), value);
    };
    tell("reason", text(decisive.reason().as_str()));
    // There are few descriptors.
    let position = u32::try_from(position).unwrap_or(u32::MAX);
    tell("descriptor", Kind::NumberValue(position.into()));
    if let Some(policy) = decisive.decided_by() {
        tell("policy", text(policy.policy().name()));
    }
    if all.iter().any(|(_, decision)| decision.is_degraded()) {
        tell("degraded", Kind::BoolValue(true));
    }
    if !decisive.is_allowed()
        && let Some(wait) = limiter.denial(decisive).retry_after()
    {
        let secs = u32::try_from(wait.as_secs_ceil().max(1)).unwrap_or(u32::MAX);
        tell("retry_after", Kind::NumberValue(secs.into()));
    }
    let shadows = all.iter().flat_map(|(_, decision)| decision.policies());
    let shadows = shadows.filter(|it| it.mode() == Mode::Shadow && !it.is_allowed());
    let values: Vec<_> = shadows
        .map(|it| Value {
            kind: Some(text(it.policy().name())),
        })
        .collect();
    if !values.is_empty() {
        tell("shadow_denied", Kind::ListValue(ListValue { values }));
    }
    metadata
}

fn text(text: &str) -> Kind {
    Kind::StringValue(text.to_owned())
}
