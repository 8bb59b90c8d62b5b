//! What changes.

use serde::Serialize;

use crate::engine::Few;
use crate::hide::shown;
use crate::report::{Warning, WarningKind};
use crate::{Bound, HidingKey};

/// What stands for the client of requests that have neither client nor key.
pub(super) const NOBODY: &str = "without a client";

/// What changes for the traffic of some logs from one policy file to another.
#[derive(Clone, Debug, Serialize)]
pub struct DiffReport {
    /// False if the reading was interrupted, which whoever reads the logs knows.
    pub complete: bool,
    /// What the old file is called.
    pub old: String,
    /// What the new file is called.
    pub new: String,
    /// The first and the last request, RFC 3339; `None` if there was none.
    pub from: Option<String>,
    /// See [`from`](Self::from).
    pub to: Option<String>,
    /// All requests, as enforced policies decide them.
    pub requests: RequestCounts,
    /// Their clients.
    pub clients: Clients,
    /// Both if policies in shadow were enforced, each deciding as it does in shadow.
    pub as_enforced: AsEnforced,
    /// The policies of the new file in its order, then those that only the old one has.
    pub policies: Vec<PolicyDiff>,
    /// The clients for which most requests change, the most first. Those for which nothing changes
    /// are not among them.
    pub most_changed: Vec<ClientChange>,
    /// What the numbers do not say by themselves.
    pub warnings: Vec<Warning>,
    /// A few addresses that sent so much that they are hardly clients.
    #[serde(skip)]
    pub(super) few: Option<Few>,
}

/// What would become of requests and clients if policies in shadow were enforced.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AsEnforced {
    /// All requests.
    pub requests: RequestCounts,
    /// Their clients.
    pub clients: Clients,
}

/// Requests by what becomes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RequestCounts {
    /// Allowed by both.
    pub allowed: u64,
    /// Denied by both.
    pub denied: u64,
    /// Allowed by the old file, denied by the new one.
    pub newly_denied: u64,
    /// Denied by the old file, allowed by the new one.
    pub newly_allowed: u64,
}

/// Clients by what becomes of them: addresses, or else the keys that policies have for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Clients {
    /// Never denied by either.
    pub allowed: u64,
    /// Denied by both at least once.
    pub denied: u64,
    /// Never denied by the old file, and at least once by the new one.
    pub newly_denied: u64,
    /// Denied at least once by the old file, and never by the new one.
    pub newly_allowed: u64,
    /// The share of the clients that was counted: 1 if it was all, else the numbers are estimates.
    pub sampled: f64,
}

/// What becomes of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClientChange {
    /// Its address or network, or the key that policies have for it.
    pub client: String,
    /// Its requests.
    pub requests: u64,
    /// Those that the old file denies.
    pub denied_before: u64,
    /// Those that the new file denies.
    pub denied_now: u64,
    /// Those that only the new file denies.
    pub newly_denied: u64,
    /// Those that only the old file denies.
    pub newly_allowed: u64,
}

/// Two policies of one name. Each speaks for itself, also in shadow: another one may deny what it
/// allows. What another one denies is not spent here, so that a policy which is the same may deny
/// less, or more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyDiff {
    /// The name.
    pub name: String,
    /// Its name in the old file, if that was another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// What has become of it.
    pub change: Change,
    /// In the old file.
    pub old: Option<Side>,
    /// In the new file.
    pub new: Option<Side>,
    /// Requests that only the new one denies.
    pub newly_denied: u64,
    /// Requests that only the old one denies.
    pub newly_allowed: u64,
    /// Keys that only the new one ever denies.
    pub keys_newly_denied: u64,
    /// Keys that only the old one ever denies.
    pub keys_newly_allowed: u64,
}

/// What has become of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is the same.
    Same,
    /// Something of it is different.
    Changed,
    /// Its name is different, and nothing else.
    Renamed,
    /// Only the new file has it.
    Added,
    /// Only the old file has it.
    Removed,
}

/// A policy in one of the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// `enforce`, `shadow` or `off`.
    pub mode: &'static str,
    /// Its limits as they are written, without those of tiers.
    pub limits: Vec<String>,
    /// Requests that it matches.
    pub matched: u64,
    /// Requests that it denies, or would deny if it were enforced.
    pub denied: u64,
}

impl PolicyDiff {
    pub(super) fn name_in_old(&self) -> Option<&str> {
        let name = self.old_name.as_ref().unwrap_or(&self.name);
        self.old.as_ref().map(|_| &**name)
    }

    pub(super) fn name_in_new(&self) -> Option<&str> {
        self.new.as_ref().map(|_| &*self.name)
    }

    /// True if it is in shadow in one of the files.
    pub(super) fn is_in_shadow(&self) -> bool {
        let sides = [&self.old, &self.new];
        sides
            .into_iter()
            .flatten()
            .any(|side| side.mode == "shadow")
    }
}

impl RequestCounts {
    /// Counts a request.
    pub(super) const fn add(&mut self, was_allowed: bool, is_allowed: bool) {
        match (was_allowed, is_allowed) {
            (true, true) => self.allowed += 1,
            (false, false) => self.denied += 1,
            (true, false) => self.newly_denied += 1,
            (false, true) => self.newly_allowed += 1,
        }
    }

    /// All of them.
    #[must_use]
    pub const fn all(&self) -> u64 {
        self.allowed + self.denied + self.newly_denied + self.newly_allowed
    }

    /// True if more of the requests that the old file allows are denied than a bound allows.
    #[must_use]
    pub fn exceed(&self, newly_denied: Bound) -> bool {
        newly_denied.is_exceeded(self.newly_denied, self.allowed + self.newly_denied)
    }
}

impl Clients {
    /// All of them.
    #[must_use]
    pub const fn all(&self) -> u64 {
        self.allowed + self.denied + self.newly_denied + self.newly_allowed
    }

    /// True if more of the clients that the old file never denies are denied than a bound allows.
    #[must_use]
    pub fn exceed(&self, newly_denied: Bound) -> bool {
        newly_denied.is_exceeded(self.newly_denied, self.allowed + self.newly_denied)
    }
}

impl DiffReport {
    /// Makes the clients readable: names of hosts in place of the addresses that stand for them, values
    /// in place of keys, and hashes in place of all of these if there is a key to hide them by. Warns of
    /// clients that are hardly any.
    pub fn show_clients(
        &mut self,
        hiding: Option<&HidingKey>,
        name_of: impl Fn(&str) -> Option<String>,
    ) {
        for client in &mut self.most_changed {
            if client.client != NOBODY {
                client.client = shown(&client.client, hiding, &name_of);
            }
        }
        if let Some(few) = &self.few {
            let message = format!(
                "{}; list proxies under [client] trusted_proxies of {}, and let the log have the forwarding header",
                few.in_words(hiding),
                self.new
            );
            let kind = WarningKind::OneClient;
            self.warnings.push(Warning { kind, message });
        }
    }

    /// True if one client sent nearly all requests as the new file sees them, or a few did that are
    /// probably proxies: what becomes of them does not tell what becomes of clients.
    #[must_use]
    pub fn has_hardly_clients(&self) -> bool {
        self.few.as_ref().is_some_and(Few::sent_nearly_all)
    }

    /// True if the fate of no request changes, by any policy.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let mut policies = self.policies.iter();
        self.requests.newly_denied == 0
            && self.requests.newly_allowed == 0
            && policies.all(|policy| policy.newly_denied == 0 && policy.newly_allowed == 0)
    }
}
