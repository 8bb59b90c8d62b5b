//! Limits that the clients of a log would have kept to.
//!
//! ```
//! use tollgate::{Micros, Timestamp};
//! use tollgate_policy::{AttributeName, ClientAddress};
//! use tollgate_replay::Request;
//! use tollgate_replay::suggest::{Options, suggest};
//!
//! // A hundred clients, each of which asks for something every two seconds.
//! let mut log: Vec<Request> = Vec::new();
//! for second in (0..600).step_by(2) {
//!     log.extend((0..100).map(|client| Request {
//!         at: Timestamp::EPOCH.saturating_add(Micros::from_secs(second)),
//!         duration: None,
//!         status: Some(200),
//!         client: Ok(ClientAddress::new([192, 0, 2, client].into())),
//!         attributes: vec![(AttributeName::Path, "/places".to_owned())],
//!     }));
//! }
//! let options = Options::new().group("/places/**").deny_at_most("1%".parse()?);
//! let suggested = suggest(&mut log, &options)?;
//! let [policy] = suggested.policies.as_slice() else { panic!() };
//! assert_eq!(policy.limits, ["30/min burst 1"]);
//! assert_eq!(policy.denied.clients, 0);
//! assert!(suggested.toml().contains("mode = \"shadow\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//!
//! The log is gone through four times. First the paths are looked at, of which groups are made
//! unless they are given; then the peaks of each client; then what each would have needed, at the
//! rates that come into question; and last what is suggested is replayed as it is written, and so
//! are the numbers around it. What is said of a number comes from that replay.
//!
//! Memory is bounded: of more clients than there is room for, a part is looked at that is chosen
//! by chance, from their first request to the last.

mod choice;
mod classify;
mod error;
mod found;
mod group;
mod grouping;
mod ladder;
mod log;
mod needed;
mod numbers;
mod observed;
mod options;
mod proof;
mod shape;
mod suggestion;
mod text;
mod toml;
mod tree;
mod warnings;
mod windows;
mod words;

pub use error::SuggestError;
pub use group::{Group, Methods};
pub use options::Options;
pub use suggestion::{Denied, LimitCurve, Suggestion, Suggestions, WindowPeaks};

use tollgate_policy::PolicySet;
use tollgate_policy::file::PolicyFile;

use crate::Requests;
use crate::instant::rfc3339;
use classify::Classifier;
use found::Found;
use ladder::Ladder;
use log::Log;
use needed::Rates;
use proof::Proof;

/// Goes through a log four times, and suggests limits for it.
///
/// Requests must have the attributes `method` and `path`, their client, and the attributes of the
/// key.
///
/// # Errors
///
/// If the log cannot be read or is empty, or what is asked for is no policy.
pub fn suggest<R: Requests>(
    requests: &mut R,
    options: &Options,
) -> Result<Suggestions, SuggestError<R::Error>> {
    let key = options.parts();
    let mut log = Log::read(requests).map_err(SuggestError::Read)?;
    let (Some(from), Some(to)) = (log.from, log.to) else {
        return Err(SuggestError::Nothing);
    };
    let groups = groups(&log, options);
    let classifier = Classifier::new(&groups, &key).map_err(SuggestError::Policy)?;
    let observed = observed::observe(requests, &classifier, &groups, options.max_clients)
        .map_err(SuggestError::Read)?;
    let mut found: Vec<Found> = groups
        .into_iter()
        .zip(observed)
        .map(|(group, observed)| Found::new(group, observed, options))
        .collect();
    choose(requests, &classifier, &mut found, log.is_short()).map_err(SuggestError::Read)?;
    let policies = written(options, &key, &found)?;
    let mut proofs = proofs(&found);
    // Each policy has up to two limits.
    let most_keys = options.max_clients.saturating_mul(4);
    let is_exact = proof::replay(requests, &classifier, policies, &mut proofs, most_keys)
        .map_err(SuggestError::Read)?;

    let mut warnings = Vec::new();
    warnings::of_log(&mut log, is_exact, &mut warnings);
    let policies: Vec<Suggestion> = found
        .into_iter()
        .zip(proofs)
        .map(|(found, proof)| found.suggestion(proof))
        .collect();
    warnings::of_few_clients(&policies, options.deny_at_most, &mut warnings);
    for policy in &policies {
        warnings::of_policy(policy, options.deny_at_most, &mut warnings);
    }
    Ok(Suggestions {
        from: rfc3339(from),
        to: rfc3339(to),
        requests: log.requests,
        deny_at_most: options.deny_at_most,
        key,
        trusted_proxies: options.trusted_proxies.clone(),
        policies,
        few: log.few(),
        warnings,
    })
}

/// The groups that are given, or else those that are in the log.
fn groups(log: &Log, options: &Options) -> Vec<Group> {
    if options.groups.is_empty() {
        return grouping::groups(&log.tree, log.has_others);
    }
    let groups = options.groups.iter().map(|path| Group::of_path(path));
    let mut groups: Vec<Group> = groups.collect();
    group::make_names_differ(&mut groups);
    groups
}

/// Chooses the numbers of each group that has clients.
fn choose<R: Requests>(
    requests: &mut R,
    classifier: &Classifier,
    found: &mut [Found],
    is_short: bool,
) -> Result<(), R::Error> {
    let rates: Vec<Rates> = found.iter().map(Found::rates).collect();
    let needs = needed::measure(requests, classifier, found, &rates)?;
    for ((found, rates), needs) in found.iter_mut().zip(&rates).zip(&needs) {
        found.choice = choice::choose(needs, rates, found.may_be_denied);
        if is_short && let Some(choice) = &mut found.choice {
            choice.hour = None;
        }
    }
    Ok(())
}

/// The policies that are chosen, read from the text that will be written.
fn written<E>(
    options: &Options,
    key: &[String],
    found: &[Found],
) -> Result<PolicySet, SuggestError<E>> {
    let policies: String = found.iter().filter_map(|found| found.table(key)).collect();
    if policies.is_empty() {
        return PolicySet::new([]).map_err(SuggestError::Policy);
    }
    let text = toml::client(&options.trusted_proxies) + &policies;
    let file = PolicyFile::parse("suggestion", &text, &|_: &str| None);
    file.map(|file| file.policies)
        .map_err(|found| SuggestError::Written(found.to_string()))
}

/// What is to be replayed, with the positions of the policies that are written.
fn proofs(found: &[Found]) -> Vec<Proof> {
    let mut positions = 0..;
    let proofs = found.iter().map(|found| {
        let policy = found.choice.as_ref().and_then(|_| positions.next());
        let ladders = found.choice.as_ref().map(Ladder::of).unwrap_or_default();
        Proof::new(policy, ladders, &found.observed)
    });
    proofs.collect()
}

#[cfg(test)]
mod tests;
