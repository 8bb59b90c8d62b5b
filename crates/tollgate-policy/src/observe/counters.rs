//! Decisions, counted by what does not grow with the clients.

use std::sync::OnceLock;

use metrics::{Counter, counter, describe_counter};

use crate::{Decision, Mode, PolicyDecision, PolicySet, Reason};

/// Requests, by `outcome` and `reason`.
const REQUESTS: &str = "tollgate_requests_total";
/// What each policy that matched says, by `policy`, `mode`, `outcome` and `reason`.
const DECISIONS: &str = "tollgate_decisions_total";
/// Requests that a policy admitted and that left a tenth of a limit or less, by `policy`.
const NEAR_LIMIT: &str = "tollgate_near_limit_total";

/// Tells the installed recorder of the [`metrics`] facade what the counters of decisions mean.
///
/// | counter | labels | counts |
/// |---|---|---|
/// | `tollgate_requests_total` | `outcome`, `reason` | requests |
/// | `tollgate_decisions_total` | `policy`, `mode`, `outcome`, `reason` | what each matching policy says; one in shadow what it would |
/// | `tollgate_near_limit_total` | `policy` | requests that a policy admitted and that left a tenth of a limit or less |
///
/// With the feature `file`, also what a `file::Watch` has read:
///
/// | metric | labels | is |
/// |---|---|---|
/// | `tollgate_policy_generation` | | a gauge: how often a policy file came into force since the process started |
/// | `tollgate_policy_reloads_total` | `outcome` | a counter: how often the file was read again, and was `ok`, or an `error` that changed nothing |
/// | `tollgate_policy_last_reload_ok` | | a gauge: 1, or 0 while the file is one that cannot be used |
///
/// `outcome` is `allow` or `deny`; `reason` is [`Reason::as_str`]; `mode` is `enforce` or `shadow`.
/// No label comes from a client. Install the recorder before the limiter is built: a counter goes
/// to the recorder that is there when it is first used.
pub fn describe_metrics() {
    #[cfg(feature = "file")]
    super::reloads::describe();
    describe_counter!(REQUESTS, "Requests, by outcome and reason.");
    describe_counter!(
        DECISIONS,
        "What each matching policy says to a request, by policy, mode, outcome and reason."
    );
    describe_counter!(
        NEAR_LIMIT,
        "Requests that a policy admitted and that left a tenth of a limit or less, by policy."
    );
}

/// The counters of a set of policies, each made when it is first used.
pub(super) struct Counters {
    requests: ByReason,
    policies: Box<[OfPolicy]>,
}

type ByReason = [OnceLock<Counter>; Reason::ALL.len()];

#[derive(Default)]
struct OfPolicy {
    decisions: ByReason,
    near_limit: OnceLock<Counter>,
}

impl Counters {
    pub(super) fn of(set: &PolicySet) -> Self {
        Self {
            requests: ByReason::default(),
            policies: set.policies().iter().map(|_| OfPolicy::default()).collect(),
        }
    }

    /// Counts a decision: by the policies of the set, or by others, whose counters are looked for
    /// each time.
    pub(super) fn count(&self, decision: &Decision, is_by_set: bool) {
        let reason = decision.reason();
        if let Some(requests) = self.requests.get(reason.index()) {
            requests
                .get_or_init(|| {
                    counter!(REQUESTS, "outcome" => outcome(reason), "reason" => reason.as_str())
                })
                .increment(1);
        }
        for policy in decision.policies() {
            if !is_by_set {
                OfPolicy::default().count(&policy);
            } else if let Some(counters) = self.policies.get(policy.position()) {
                counters.count(&policy);
            }
        }
    }
}

impl OfPolicy {
    fn count(&self, policy: &PolicyDecision<'_>) {
        let reason = policy.reason();
        let name = || policy.policy().name().to_owned();
        if let Some(decisions) = self.decisions.get(reason.index()) {
            decisions
                .get_or_init(|| {
                    counter!(
                        DECISIONS,
                        "policy" => name(),
                        "mode" => mode(policy.mode()),
                        "outcome" => outcome(reason),
                        "reason" => reason.as_str(),
                    )
                })
                .increment(1);
        }
        if reason == Reason::Allowed && is_near_limit(policy) {
            self.near_limit
                .get_or_init(|| counter!(NEAR_LIMIT, "policy" => name()))
                .increment(1);
        }
    }
}

/// True if a tenth or less of a limit is left.
fn is_near_limit(policy: &PolicyDecision<'_>) -> bool {
    policy
        .deciding()
        .is_some_and(|(_, outcome)| policy.cost() > 0 && outcome.remaining <= outcome.limit / 10)
}

const fn outcome(reason: Reason) -> &'static str {
    if reason.is_allow() { "allow" } else { "deny" }
}

const fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Enforce => "enforce",
        Mode::Shadow => "shadow",
        // A policy that is off makes no decisions.
        Mode::Off => "off",
    }
}

impl std::fmt::Debug for Counters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Counters").finish_non_exhaustive()
    }
}
