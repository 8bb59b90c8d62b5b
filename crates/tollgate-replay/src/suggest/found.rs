//! What is found of a group, on the way to a suggestion.

use super::choice::Choice;
use super::group::Group;
use super::needed::{self, Rates};
use super::observed::{Observed, window_peaks};
use super::proof::Proof;
use super::windows::Peaks;
use super::{Options, Suggestion, toml};

/// A group, what its clients asked for, and what is chosen for them.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) group: Group,
    pub(super) observed: Observed<Peaks>,
    pub(super) may_be_denied: usize,
    /// `None` if there are no clients.
    pub(super) choice: Option<Choice>,
}

impl Found {
    pub(super) fn new(group: Group, observed: Observed<Peaks>, options: &Options) -> Self {
        Self {
            may_be_denied: needed::may_be_denied(observed.clients.len(), options.deny_at_most),
            group,
            observed,
            choice: None,
        }
    }

    /// The rates that come into question.
    pub(super) fn rates(&self) -> Rates {
        Rates::of(&self.observed.clients, self.may_be_denied)
    }

    fn limits(&self) -> Vec<String> {
        let limits = self.choice.iter().flat_map(Choice::limits);
        limits.map(ToString::to_string).collect()
    }

    /// Its policy as it is written, if it has one.
    pub(super) fn table(&self, key: &[String]) -> Option<String> {
        let may_lack_key = self.observed.without_key > 0;
        self.choice
            .is_some()
            .then(|| toml::table(&self.group, key, &self.limits(), may_lack_key))
    }

    /// What is suggested, with what came of it.
    pub(super) fn suggestion(self, proof: Proof) -> Suggestion {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        Suggestion {
            limits: self.limits(),
            requests: self.observed.requests,
            without_key: self.observed.without_key,
            clients: count(self.observed.clients.len()),
            sampled: self.observed.clients.share(),
            may_be_denied: count(self.may_be_denied),
            peaks: window_peaks(&self.observed),
            denied: proof.denied(),
            curves: proof.curves(),
            group: self.group,
        }
    }
}
