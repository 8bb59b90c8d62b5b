//! What the numbers do not say by themselves.

use super::Suggestion;
use super::log::Log;
use crate::report::{Warning, WarningKind};
use crate::{Share, words};

/// A client that asks for so many times as much as nearly all others is no client like others.
const OUTLIER: u64 = 20;
/// So many answers of 429, in a thousand, tell of limits that were in force.
const LIMITED: u64 = 1;

fn warning(kind: WarningKind, message: String) -> Warning {
    Warning { kind, message }
}

/// What is to be known of one policy before believing it.
pub(super) fn of_policy(policy: &Suggestion, share: Share, warnings: &mut Vec<Warning>) {
    let name = &policy.group.name;
    if policy.limits.is_empty() {
        let why = if policy.without_key > 0 {
            "none of its requests has the key; count by something that the log has"
        } else {
            "no request is for it; a pattern of paths may be wrong"
        };
        let message = format!("nothing is suggested for {name}: {why}.");
        warnings.push(warning(WarningKind::MatchesNothing, message));
        return;
    }
    if policy.may_be_denied == 0 {
        let clients = words::counted(policy.clients, "client");
        let least = share.least_whole().map_or_else(
            || "No client may be denied".to_owned(),
            |least| {
                let least = words::number(least);
                format!("It takes {least} to tell what {share} of them do")
            },
        );
        let message = format!(
            "{name} has {clients}. {least}, so its numbers are those of the busiest one, whoever that is: use a longer log, or a larger --deny-at-most."
        );
        warnings.push(warning(WarningKind::FewClients, message));
        of_outlier(policy, warnings);
    }
    if policy.sampled < 1.0 {
        let message = format!(
            "{name} has more clients than are looked at: its numbers are of {}, {} of all.",
            words::counted(policy.clients, "client"),
            words::percent(policy.sampled)
        );
        warnings.push(warning(WarningKind::TooManyKeys, message));
    }
    if policy.denied.clients > policy.may_be_denied {
        let message = format!(
            "{name} would have denied {}, more than {share}: its clients ask for more than is ever suggested.",
            words::counted(policy.denied.clients, "client")
        );
        warnings.push(warning(WarningKind::ShareExceeded, message));
    }
}

/// One client sets the limit, and is not like the others.
fn of_outlier(policy: &Suggestion, warnings: &mut Vec<Warning>) {
    let far = policy.peaks.iter().find(|peaks| {
        policy.clients > 2 && peaks.highest > peaks.p90.max(1).saturating_mul(OUTLIER)
    });
    if let Some(peaks) = far {
        let message = format!(
            "the busiest client of {} sent {} in {} s, and nine in ten sent no more than {}: if it is none that should be served, leave it out of the log or allow it to be denied by --deny-at-most.",
            policy.group.name,
            words::counted(peaks.highest, "request"),
            peaks.window,
            words::number(peaks.p90)
        );
        warnings.push(warning(WarningKind::OneClient, message));
    }
}

/// What is to be known of the log.
pub(super) fn of_log(log: &mut Log, is_exact: bool, warnings: &mut Vec<Warning>) {
    if let Some(few) = log.few() {
        let proxies = few.addresses().iter();
        let proxies: String = proxies.map(|ip| format!(" --trusted-proxy {ip}")).collect();
        let message = format!(
            "{}. If a proxy is yours, and the log has the list of addresses that it forwards, say{proxies}.",
            few.in_words(None)
        );
        warnings.push(warning(WarningKind::OneClient, message));
    }
    if log.is_short() {
        let message = "the log covers less than three hours: no limits an hour are derived from it, and other hours may be busier.".to_owned();
        warnings.push(warning(WarningKind::ShortLog, message));
    }
    if log.answered_429 > log.requests.saturating_mul(LIMITED) / 1000 {
        let message = format!(
            "{} were answered 429: limits were in force when the log was written, and clients that keep to them asked for less than they would have.",
            words::counted(log.answered_429, "request")
        );
        warnings.push(warning(WarningKind::LimitedAlready, message));
    }
    if !is_exact {
        let message = "there were more counts than are kept, so that what the policies would have denied is a little less than it should be.".to_owned();
        warnings.push(warning(WarningKind::TooManyKeys, message));
    }
}
