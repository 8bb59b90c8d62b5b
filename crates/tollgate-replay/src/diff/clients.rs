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
        client.denied_before += u64::from(!old.is_allowed());
        client.denied_now += u64::from(!new.is_allowed());
        if old.is_allowed() == new.is_allowed() {
            return;
        }
        client.newly_denied += u64::from(old.is_allowed());
        client.newly_allowed += u64::from(new.is_allowed());
        client.name.get_or_insert_with(|| name.into());
    }

    pub(super) fn totals(&self) -> Clients {
        let sampled = self.clients.share();
        let count = |is: fn(&Client) -> bool| {
            let counted = self.clients.values().filter(|client| is(client)).count();
            scaled(counted, sampled)
        };
        Clients {
            allowed: count(|client| client.denied_before == 0 && client.denied_now == 0),
            denied: count(|client| client.denied_before > 0 && client.denied_now > 0),
            newly_denied: count(|client| client.denied_before == 0 && client.denied_now > 0),
            newly_allowed: count(|client| client.denied_before > 0 && client.denied_now == 0),
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
