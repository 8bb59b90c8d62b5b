//! What the proxy's own logs and filters are told: which policy decided, and why.

use std::sync::Arc;

use tollgate::AnyStore;
use tollgate_http::HttpLimiter;
use tollgate_policy::{Decision, Mode};

use crate::grpc::wire::Metadata;

/// Of a decision about the descriptor at a position, which speaks for all of the call.
pub(super) fn write(
    limiter: &HttpLimiter<AnyStore>,
    position: usize,
    decisive: &Decision,
    all: &[(usize, &Arc<Decision>)],
    metadata: &mut Metadata<'_>,
) {
    if all.iter().any(|(_, decision)| decision.is_degraded()) {
        metadata.flag("degraded", true);
    }
    // There are few descriptors.
    metadata.number("descriptor", position.try_into().unwrap_or(u32::MAX));
    if let Some(policy) = decisive.decided_by() {
        metadata.text("policy", policy.policy().name());
    }
    metadata.text("reason", decisive.reason().as_str());
    let lacking = decisive.decided_by();
    if let Some(missing) = lacking.and_then(|policy| policy.missing_key()) {
        metadata.text("missing", &missing.to_string());
    }
    if !decisive.is_allowed()
        && let Some(wait) = limiter.denial(decisive).retry_after()
    {
        let secs = wait.as_secs_ceil().max(1);
        metadata.number("retry_after", secs.try_into().unwrap_or(u32::MAX));
    }
    let shadows = all.iter().flat_map(|(_, decision)| decision.policies());
    let shadows = shadows.filter(|it| it.mode() == Mode::Shadow && !it.is_allowed());
    let mut names = shadows.map(|it| it.policy().name()).peekable();
    if names.peek().is_some() {
        metadata.texts("shadow_denied", names);
    }
}
