//! What becomes of each client.

use std::cmp::Reverse;

use tollgate_policy::{Attributes, Decision};

use super::report::{ClientChange, Clients, NOBODY};
use crate::Request;
use crate::sample::{Sample, hash_of};

/// All clients that there is room for.
#[derive(Debug)]
pub(super) struct ClientCounts {
    clients: Sample<Client>,
}

#[derive(Debug, Default)]
struct Client {
    /// There once something changes for it.
    name: Option<Box<str>>,
    requests: u64,
    denied_before: u64,
    denied_now: u64,
    newly_denied: u64,
    newly_allowed: u64,
    /// Whether any policy of the old file, and of the new one, denies a request, also in shadow.
    denied_by_any: [bool; 2],
}

impl ClientCounts {
    pub(super) fn with_room(room: usize) -> Self {
        Self {
            clients: Sample::with_room(room),
        }
    }

    /// Counts a request with what both files say.
    pub(super) fn add(&mut self, request: &Request, [old, new]: [&Decision; 2]) {
        let name = name_of(request, [new, old]);
        let Some(client) = self.clients.entry(hash_of(&name), Client::default) else {
            return;
        };
        client.requests += 1;
        for (denied, decision) in client.denied_by_any.iter_mut().zip([old, new]) {
            *denied = *denied || !super::all_allow(decision);
        }
        client.denied_before += u64::from(!old.is_allowed());
        client.denied_now += u64::from(!new.is_allowed());
        if old.is_allowed() == new.is_allowed() {
            return;
        }
        client.newly_denied += u64::from(old.is_allowed());
        client.newly_allowed += u64::from(new.is_allowed());
        client.name.get_or_insert_with(|| name.into());
    }

    /// All clients; as if policies in shadow were enforced, or as they are.
    pub(super) fn totals(&self, as_enforced: bool) -> Clients {
        let sampled = self.clients.share();
        let count = |fate: [bool; 2]| {
            let clients = self.clients.values();
            let counted = clients.filter(|client| client.is_denied(as_enforced) == fate);
            scaled(counted.count(), sampled)
        };
        Clients {
            allowed: count([false, false]),
            denied: count([true, true]),
            newly_denied: count([false, true]),
            newly_allowed: count([true, false]),
            sampled,
        }
    }

    /// The clients for which most requests change.
    pub(super) fn most_changed(&self, most: usize) -> Vec<ClientChange> {
        let changed = self.clients.values().filter_map(|client| {
            Some(ClientChange {
                client: client.name.as_deref()?.to_owned(),
                requests: client.requests,
                denied_before: client.denied_before,
                denied_now: client.denied_now,
                newly_denied: client.newly_denied,
                newly_allowed: client.newly_allowed,
            })
        });
        let mut changed: Vec<ClientChange> = changed.collect();
        // Those that change alike come in the order of their names, so that reports are alike too.
        changed.sort_unstable_by(|one, other| {
            let weight =
                |client: &ClientChange| Reverse(client.newly_denied + client.newly_allowed);
            (weight(one), &one.client).cmp(&(weight(other), &other.client))
        });
        changed.truncate(most);
        changed
    }
}

impl Client {
    /// Whether the old file ever denies it, and whether the new one does.
    const fn is_denied(&self, as_enforced: bool) -> [bool; 2] {
        if as_enforced {
            self.denied_by_any
        } else {
            [self.denied_before > 0, self.denied_now > 0]
        }
    }
}

/// How many there are of all, if so many were found in a part that is one half, one quarter and so
/// on.
pub(super) fn scaled(found: usize, sampled: f64) -> u64 {
    let mut found = u64::try_from(found).unwrap_or(u64::MAX);
    let mut part = sampled;
    while part < 0.75 && found > 0 {
        found = found.saturating_mul(2);
        part *= 2.0;
    }
    found
}

/// Whose request it is: the client's network, or the key by which a policy counts it.
fn name_of(request: &Request, decisions: [&Decision; 2]) -> String {
    if let Some(client) = request.client() {
        return client.network().to_string();
    }
    let policies = decisions.into_iter().flat_map(Decision::policies);
    let mut keys = policies.filter_map(|policy| policy.key());
    keys.next().unwrap_or(NOBODY).to_owned()
}
