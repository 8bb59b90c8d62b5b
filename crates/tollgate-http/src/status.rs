//! The status that a reason calls for.

use http::StatusCode;
use tollgate_policy::{Decision, Reason};

use crate::problem::ProblemType;

/// The status that a decision calls for, as the table in the [crate's documentation](crate#answers)
/// has it: `200` for a request that is let through.
#[must_use]
pub const fn status(decision: &Decision) -> StatusCode {
    of_reason(decision.reason()).0
}

/// The one place where reasons become statuses, and the type of problem that goes with each.
///
/// A cost that never fits is a quota exceeded like any other, but without `Retry-After`.
pub(crate) const fn of_reason(reason: Reason) -> (StatusCode, ProblemType) {
    use ProblemType::{AboutBlank, QuotaExceeded, TemporaryReducedCapacity};
    match reason {
        Reason::NoPolicy
        | Reason::Allowed
        | Reason::Unlimited
        | Reason::MissingKeySkipped
        | Reason::StoreFailedAllow
        | Reason::StoreFailedLocalAllow
        | Reason::NotChecked => (StatusCode::OK, AboutBlank),
        Reason::LimitExceeded | Reason::NeverFits | Reason::StoreFailedLocalDeny => {
            (StatusCode::TOO_MANY_REQUESTS, QuotaExceeded)
        }
        Reason::MissingKey => (StatusCode::BAD_REQUEST, AboutBlank),
        Reason::Blocked => (StatusCode::FORBIDDEN, AboutBlank),
        Reason::StoreFailedDeny => (StatusCode::SERVICE_UNAVAILABLE, TemporaryReducedCapacity),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_each_denial_its_status_and_never_a_500() {
        let status = |reason: Reason| of_reason(reason).0.as_u16();
        assert_eq!(status(Reason::LimitExceeded), 429);
        // B141
        assert_eq!(status(Reason::NeverFits), 429);
        assert_eq!(status(Reason::StoreFailedLocalDeny), 429);
        // B55
        assert_eq!(status(Reason::MissingKey), 400);
        assert_eq!(status(Reason::Blocked), 403);
        assert_eq!(status(Reason::StoreFailedDeny), 503);
    }

    #[test]
    fn lets_every_reason_to_allow_through() {
        for reason in [
            Reason::NoPolicy,
            Reason::Allowed,
            Reason::Unlimited,
            Reason::MissingKeySkipped,
            Reason::StoreFailedAllow,
            Reason::StoreFailedLocalAllow,
            Reason::NotChecked,
        ] {
            assert!(reason.is_allow());
            assert_eq!(of_reason(reason).0, StatusCode::OK);
        }
    }
}
