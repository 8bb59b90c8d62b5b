//! What the numbers do not say by themselves.

use super::Suggestion;
use super::log::Log;
use crate::engine::Few;
use crate::report::{Warning, WarningKind};
use crate::{HidingKey, Share, words};

/// A client that asks for so many times as much as nearly all others is no client like others.
const OUTLIER: u64 = 20;
/// Of fewer clients no share tells anything.
const ENOUGH: u64 = 20;
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

/// Policies have too few clients to tell what a share of them do: said once of all.
pub(super) fn of_few_clients(policies: &[Suggestion], share: Share, warnings: &mut Vec<Warning>) {
    let few = policies
        .iter()
        .filter(|policy| !policy.limits.is_empty() && policy.may_be_denied == 0);
    let few: Vec<&Suggestion> = few.collect();
    let Some(most) = few.iter().map(|policy| policy.clients).max() else {
        return;
    };
    let who = match few.as_slice() {
        [one] => format!(
            "{} has {}",
            one.group.name,
            words::counted(one.clients, "client")
        ),
        many => {
            let names = many
                .iter()
                .map(|policy| format!("{} ({})", policy.group.name, words::number(policy.clients)));
            let names: Vec<String> = names.collect();
            format!(
                "few clients have asked for what these are about: {}",
                names.join(", ")
            )
        }
    };
    let least = share.least_whole().map_or_else(
        || "No client may be denied".to_owned(),
        |least| {
            let least = words::number(least);
            format!("It takes {least} to tell what {share} of them do")
        },
    );
    let [whose, of_each] = match few.as_slice() {
        [_] => ["its", ""],
        _ => ["their", " of each"],
    };
    // A larger share of two is nobody, too.
    let remedy = if most < ENOUGH {
        "use a log that has more clients"
    } else {
        "use a longer log, or a larger --deny-at-most"
    };
    let message = format!(
        "{who}. {least}, so {whose} numbers are those of the busiest one{of_each}, whoever that is: {remedy}."
    );
    warnings.push(warning(WarningKind::FewClients, message));
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

/// A few addresses sent so much that they are hardly clients.
pub(super) fn of_few_addresses(few: &Few, hiding: Option<&HidingKey>) -> Warning {
    let proxies = few.addresses().iter();
    let proxies: String = match hiding {
        Some(_) => " --trusted-proxy".to_owned(),
        None => proxies.map(|ip| format!(" --trusted-proxy {ip}")).collect(),
    };
    let message = format!(
        "{}. If a proxy is yours, and the log has the list of addresses that it forwards, say{proxies}.",
        few.in_words(hiding)
    );
    warning(WarningKind::OneClient, message)
}

/// What is to be known of the log.
pub(super) fn of_log(log: &mut Log, is_exact: bool, warnings: &mut Vec<Warning>) {
    let few = log.few();
    warnings.extend(few.as_ref().map(|few| of_few_addresses(few, None)));
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
