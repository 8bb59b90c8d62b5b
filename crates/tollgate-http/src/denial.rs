//! A denial, as it is answered.

use std::ops::Deref;
use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use smallvec::SmallVec;
use tollgate::Micros;
use tollgate_policy::{Decision, Mode, Reason};

use crate::announcements::{Announcements, Limits};
use crate::fields::retry_after_secs;
use crate::problem::{Detail, Problem, ProblemType};
use crate::status::of_reason;

/// A decision against a request, and what an answer to it says. It derefs to the [`Decision`].
#[derive(Clone, Debug)]
pub struct Denial<'d> {
    decision: &'d Decision,
    announcements: Arc<Announcements>,
    outage: Micros,
}

impl<'d> Denial<'d> {
    pub(crate) const fn new(
        decision: &'d Decision,
        announcements: Arc<Announcements>,
        outage: Micros,
    ) -> Self {
        Self {
            decision,
            announcements,
            outage,
        }
    }

    /// The status that it calls for: see [`status`](crate::status()).
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        of_reason(self.decision.reason()).0
    }

    /// For how long to wait, if waiting helps: until the same request is admitted, or, if the store
    /// has failed, what the limiter's options say. On the wire it is whole seconds, rounded up,
    /// at least 1.
    #[must_use]
    pub fn retry_after(&self) -> Option<Micros> {
        match self.decision.reason() {
            Reason::StoreFailedDeny => Some(self.outage),
            // What never fits into a share of the limit may fit when the store is back.
            Reason::StoreFailedLocalDeny => self.decision.retry_after().or(Some(self.outage)),
            _ => self.decision.retry_after(),
        }
    }

    /// Problem details: a body of type `application/problem+json` (RFC 9457).
    ///
    /// Its `violated-policies` are the names of the limits that deny, as in the `RateLimit` field;
    /// of a policy that hides its numbers, or of which no limit was checked, the policy's name.
    #[must_use]
    pub fn problem_json(&self) -> Bytes {
        let (status, kind) = of_reason(self.decision.reason());
        self.problem(kind, Some(status))
    }

    /// The same for whoever does not know which status the response will have, as when a proxy
    /// chooses it: without the member `status`.
    #[must_use]
    pub fn problem_json_without_status(&self) -> Bytes {
        let (_, kind) = of_reason(self.decision.reason());
        self.problem(kind, None)
    }

    fn problem(&self, kind: ProblemType, status: Option<StatusCode>) -> Bytes {
        let lacks = self.lacks();
        let problem = Problem {
            kind,
            status,
            detail: self.detail(lacks.as_deref()),
        };
        let mut names = SmallVec::<[&str; 4]>::new();
        for policy in self.decision.policies() {
            if policy.mode() != Mode::Enforce || policy.is_allowed() {
                continue;
            }
            let before = names.len();
            if !policy.policy().hides_numbers() {
                let mut limits = Limits::new();
                self.announcements.collect(&policy, &mut limits);
                let violated = limits
                    .iter()
                    .filter(|(_, outcome)| !outcome.verdict.is_allow());
                names.extend(violated.map(|(item, _)| item.name()));
            }
            if names.len() == before {
                names.push(policy.policy().name());
            }
        }
        problem.to_json(names)
    }

    fn detail<'a>(&self, lacks: Option<&'a str>) -> Detail<'a> {
        let secs = self.retry_after().map_or(1, retry_after_secs);
        match self.decision.reason() {
            Reason::LimitExceeded | Reason::StoreFailedLocalDeny => {
                Detail::TryAgain("too many requests", secs)
            }
            Reason::NeverFits => Detail::Constant(
                "the request costs more than can ever be admitted at once; waiting does not help, \
                 a smaller request may",
            ),
            Reason::MissingKey => lacks.map_or(
                Detail::Constant("the request lacks what it is counted by"),
                Detail::Text,
            ),
            Reason::Blocked => Detail::Constant("requests like this one are not admitted"),
            Reason::StoreFailedDeny => {
                Detail::TryAgain("requests cannot be counted at the moment", secs)
            }
            Reason::NoPolicy
            | Reason::Allowed
            | Reason::Unlimited
            | Reason::MissingKeySkipped
            | Reason::StoreFailedAllow
            | Reason::StoreFailedLocalAllow
            | Reason::NotChecked => Detail::Constant("the request is admitted"),
        }
    }

    /// What the request lacks, in words.
    fn lacks(&self) -> Option<String> {
        let part = self.decision.decided_by()?.missing_key()?;
        Some(format!(
            "requests are counted by {part}, which this one lacks"
        ))
    }
}

impl Deref for Denial<'_> {
    type Target = Decision;

    fn deref(&self) -> &Decision {
        self.decision
    }
}
