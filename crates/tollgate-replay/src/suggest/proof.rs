//! The last time through the log: what is suggested, decided by the engine as it is written.

use std::collections::HashSet;

use tollgate_policy::PolicySet;

use super::classify::Classifier;
use super::ladder::{Climber, Ladder};
use super::observed::Observed;
use super::suggestion::Denied;
use super::windows::Peaks;
use crate::deciding::Deciding;
use crate::instant::share;
use crate::sample::{Sample, hash_of};
use crate::{Request, Requests};

/// What is suggested for a group, and what came of it.
#[derive(Debug)]
pub(super) struct Proof {
    /// The position of its policy, if it has one.
    policy: Option<usize>,
    ladders: Vec<Ladder>,
    climbers: Sample<Vec<Climber>>,
    /// Requests of the clients that are looked at.
    requests: u64,
    denied_requests: u64,
    denied_clients: HashSet<u64>,
}

impl Proof {
    /// For a group whose policy has a position among those that are written.
    pub(super) fn new(
        policy: Option<usize>,
        ladders: Vec<Ladder>,
        observed: &Observed<Peaks>,
    ) -> Self {
        let climbers = observed.clients.map_ref(|peaks| {
            let climbers = ladders.iter().map(|ladder| ladder.climber(peaks));
            climbers.collect()
        });
        Self {
            policy,
            ladders,
            climbers,
            requests: observed.clients.values().map(|peaks| peaks.requests).sum(),
            denied_requests: 0,
            denied_clients: HashSet::new(),
        }
    }

    fn climb(&mut self, key: u64, request: &Request) -> bool {
        let Some(climbers) = self.climbers.get_mut(key) else {
            return false;
        };
        for (ladder, climber) in self.ladders.iter_mut().zip(climbers) {
            ladder.add(climber, request.at);
        }
        true
    }

    fn clients(&self) -> u64 {
        u64::try_from(self.climbers.len()).unwrap_or(u64::MAX)
    }

    /// What the limits together denied.
    pub(super) fn denied(&self) -> Denied {
        let clients = u64::try_from(self.denied_clients.len()).unwrap_or(u64::MAX);
        Denied {
            clients,
            clients_share: share(clients, self.clients()),
            requests: self.denied_requests,
            requests_share: share(self.denied_requests, self.requests),
        }
    }

    /// What each limit by itself denied.
    pub(super) fn curves(self) -> Vec<super::LimitCurve> {
        let (requests, clients) = (self.requests, self.clients());
        let ladders = self.ladders.into_iter();
        ladders
            .map(|ladder| ladder.curve(requests, clients))
            .collect()
    }
}

/// Replays all requests. False if the store had too few places, so that what policies denied is not
/// exact.
pub(super) fn replay<R: Requests>(
    requests: &mut R,
    classifier: &Classifier,
    policies: PolicySet,
    proofs: &mut [Proof],
    most_keys: usize,
) -> Result<bool, R::Error> {
    let mut groups: Vec<Option<usize>> = vec![None; policies.policies().len()];
    for (group, proof) in proofs.iter().enumerate() {
        if let Some(place) = proof.policy.and_then(|policy| groups.get_mut(policy)) {
            *place = Some(group);
        }
    }
    let mut deciding = Deciding::new(policies, most_keys);
    requests.for_each(&mut |request: &Request| {
        let mut is_looked_at = false;
        classifier.each(request, |group, key| {
            let proof = key.zip(proofs.get_mut(group));
            is_looked_at |= proof.is_some_and(|(key, proof)| proof.climb(key, request));
        });
        if !is_looked_at {
            return;
        }
        let decision = deciding.decide(request);
        for policy in decision.policies().filter(|policy| !policy.is_allowed()) {
            let group = groups.get(policy.position()).copied().flatten();
            let key = policy.key().map(hash_of);
            if let (Some(proof), Some(key)) = (group.and_then(|group| proofs.get_mut(group)), key)
                && proof.climbers.holds(key)
            {
                proof.denied_requests += 1;
                proof.denied_clients.insert(key);
            }
        }
    })?;
    Ok(deciding.evictions() == 0)
}
