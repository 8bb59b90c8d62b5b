//! Why a request was allowed or denied.

use tollgate::Verdict;
use tollgate_policy::Reason;

/// What a limit says, for programs and columns.
pub(crate) const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Deny => "deny",
        Verdict::Never => "never",
    }
}

/// The end of a sentence that begins with what was decided and `because`.
pub(crate) const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::NoPolicy => "no policy is for it",
        Reason::Allowed => "the limits admit it",
        Reason::Unlimited => "nothing limits it",
        Reason::MissingKeySkipped => {
            "it lacks what it would be counted by, and the policy is passed over then"
        }
        Reason::LimitExceeded => "a limit does not admit it now",
        Reason::NeverFits => "it costs more than a limit can ever admit",
        Reason::MissingKey => "it lacks what it is counted by",
        Reason::Blocked => "all such requests are",
        Reason::NotChecked => "another policy denies it before limits are looked at",
        Reason::StoreFailedAllow | Reason::StoreFailedLocalAllow => {
            "the store has failed, and the policy allows then"
        }
        Reason::StoreFailedDeny | Reason::StoreFailedLocalDeny => {
            "the store has failed, and the policy denies then"
        }
    }
}
