//! Decides requests on the clock of their log, and counts what comes of it.

mod proxies;
mod settle;

use std::sync::Arc;

use tollgate::{ManualClock, MemoryStore, Micros, Timestamp};
use tollgate_policy::{Attributes, Count, Mode, Policy, PolicyDecision, PolicyLimiter, PolicySet};

use crate::counting::{Counted, Counting, Event};
use crate::report::Totals;
use crate::tally::{Clients, Decided, KeyHash, KeyHasher, PolicyTally, Seen, Steps};

pub(crate) use proxies::{Few, Proxies};
pub(crate) use settle::Settling;

/// The series of the timeline; those of the policies follow.
pub(crate) const OFFERED: usize = 0;
pub(crate) const ADMITTED: usize = 1;
pub(crate) const DENIED_IN_SHADOW: usize = 2;

/// The series of what a policy matches, by its position.
pub(crate) const fn matched_by(position: usize) -> usize {
    3 + 2 * position
}

/// The series of what it denies.
pub(crate) const fn denied_by(position: usize) -> usize {
    matched_by(position) + 1
}

/// Decides requests and counts what comes of it. Requests come in order of time.
pub(crate) struct Engine {
    limiter: PolicyLimiter<MemoryStore<ManualClock>>,
    clock: ManualClock,
    settling: Settling,
    /// True if a policy counts failures only, so that responses matter.
    settles: bool,
    /// True if a policy is in shadow.
    has_shadow: bool,
    hasher: KeyHasher,
    counting: Counting,
    sums: Sums,
}

/// What is counted of requests, whatever their keys.
#[derive(Debug)]
pub(crate) struct Sums {
    /// Of each policy.
    pub(crate) tallies: Vec<PolicyTally>,
    pub(crate) totals: Totals,
    pub(crate) steps: Steps,
    pub(crate) proxies: Proxies,
    pub(crate) clients: Clients,
    pub(crate) clients_denied: Clients,
    /// Those, and whom a policy in shadow would deny something.
    pub(crate) clients_denied_by_any: Clients,
    /// The first and the last request, in microseconds.
    pub(crate) span: Option<(u64, u64)>,
    /// Requests whose status is known.
    pub(crate) answered: u64,
    /// Counts that the store dropped although they were in use.
    pub(crate) forgotten: u64,
}

/// How a request came, beside what policies see of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Came {
    /// The instant to decide it at, in microseconds: never before that of the one before.
    pub(crate) at: u64,
    pub(crate) duration: Option<Micros>,
    pub(crate) status: Option<u16>,
    /// What its log's times are whole multiples of, in microseconds; 0 if that is not known.
    pub(crate) resolution: u64,
}

impl Engine {
    pub(crate) fn new(policies: &Arc<PolicySet>, max_keys: usize, what_if: bool) -> Self {
        let clock = ManualClock::new(Timestamp::EPOCH);
        let all = policies.policies();
        let limits = |policy: &Policy| {
            crate::tally::lists_of(policy)
                .map(<[_]>::len)
                .sum::<usize>()
        };
        let most_limits = all.iter().map(limits).max().unwrap_or(1).clamp(1, 4);
        let store = MemoryStore::builder()
            // Every key that is followed, and some more, may be in use at the same time.
            .max_keys(max_keys.saturating_mul(most_limits).saturating_mul(2))
            .max_log_bytes(128 << 20)
            .for_one_thread()
            .clock(clock.clone());
        Self {
            limiter: PolicyLimiter::new(Arc::clone(policies), store.build()),
            clock,
            settling: Settling::default(),
            settles: all
                .iter()
                .any(|policy| matches!(policy.count(), Count::Failures(_))),
            has_shadow: all.iter().any(|policy| policy.mode() == Mode::Shadow),
            hasher: KeyHasher::random(),
            counting: Counting::begin(policies, max_keys, what_if),
            sums: Sums {
                tallies: all.iter().map(PolicyTally::new).collect(),
                totals: Totals::default(),
                steps: Steps::new(matched_by(all.len())),
                proxies: Proxies::default(),
                clients: Clients::new(),
                clients_denied: Clients::new(),
                clients_denied_by_any: Clients::new(),
                span: None,
                answered: 0,
                forgotten: 0,
            },
        }
    }

    /// Decides a request.
    pub(crate) fn decide<A: Attributes + ?Sized>(&mut self, came: Came, request: &A) {
        let at = came.at;
        if self.settles {
            self.settling.settle(&self.limiter, &self.clock, at);
        }
        self.clock.set(Timestamp::from_micros(at));
        let decision = self.limiter.decide_now(request);

        let sums = &mut self.sums;
        sums.span = Some((sums.span.map_or(at, |(first, _)| first), at));
        sums.steps.go_to(at);
        sums.steps.count(OFFERED);
        sums.totals.requests += 1;
        let client = request.client();
        sums.proxies.see(client);
        if let Some(client) = client {
            sums.clients.see(client);
        }
        if let Some(status) = came.status {
            sums.answered += 1;
            sums.totals.answered_429 += u64::from(status == 429);
        }
        let is_allowed = decision.is_allowed();
        if is_allowed {
            sums.totals.allowed += 1;
            sums.steps.count(ADMITTED);
        } else {
            sums.totals.denied += 1;
            if let Some(client) = client {
                sums.clients_denied.see(client);
            }
        }

        let mut matched = false;
        let mut denied_in_shadow = false;
        // Policies are often counted by the same key.
        let mut last: Option<(&str, KeyHash)> = None;
        let decided = Decided {
            at,
            resolution: came.resolution,
        };
        for policy in decision.policies() {
            matched = true;
            let key = policy.key().map(|text| {
                let hash = match last {
                    Some((known, hash)) if known == text => hash,
                    _ => self.hasher.hash(text),
                };
                last = Some((text, hash));
                (hash, text)
            });
            let denies = !policy.is_allowed();
            denied_in_shadow |= denies && policy.mode() == Mode::Shadow;
            let position = policy.position();
            sums.steps.count(matched_by(position));
            if denies {
                sums.steps.count(denied_by(position));
            }
            let Some(tally) = sums.tallies.get_mut(position) else {
                continue;
            };
            tally.decided += u64::from(!is_allowed && denies && policy.decides());
            let denied = tally.count(&policy, decided);
            if let Some((hash, text)) = key {
                let cost = policy.cost();
                let seen = Seen {
                    hash,
                    at,
                    cost,
                    denied,
                };
                self.counting.push(event(&policy, seen, came), text);
            }
        }
        sums.totals.unmatched += u64::from(!matched);
        if is_allowed && denied_in_shadow {
            sums.totals.denied_in_shadow += 1;
            sums.steps.count(DENIED_IN_SHADOW);
        }
        if let Some(client) = client
            && (denied_in_shadow || (self.has_shadow && !is_allowed))
        {
            sums.clients_denied_by_any.see(client);
        }
        if self.settles
            && let Some(status) = came.status
            && decision.needs_settling()
        {
            let due = at.saturating_add(came.duration.map_or(0, Micros::as_micros));
            if due <= at {
                self.limiter.settle_now(&decision, status);
            } else {
                self.settling.wait(&self.limiter, (due, status), decision);
            }
        }
    }

    /// Ends, and gives what was counted.
    pub(crate) fn finish(self) -> (Sums, Counted) {
        let mut sums = self.sums;
        sums.totals.clients = Some(sums.clients.count());
        let denied = sums.clients_denied.count();
        let by_any = sums.clients_denied_by_any.count();
        sums.totals.clients_denied = Some(denied);
        sums.totals.clients_denied_in_shadow = Some(by_any.saturating_sub(denied));
        sums.forgotten = u64::try_from(self.limiter.store().forgotten()).unwrap_or(u64::MAX);
        (sums, self.counting.finish())
    }
}

/// What is counted by a key.
fn event(policy: &PolicyDecision<'_>, seen: Seen, came: Came) -> Event {
    let refund_at = match (policy.policy().count(), came.status) {
        (Count::Failures(statuses), Some(status)) if !statuses.contains(status) => Some(
            came.at
                .saturating_add(came.duration.map_or(0, Micros::as_micros)),
        ),
        _ => None,
    };
    Event {
        seen,
        refund_at,
        policy: u16::try_from(policy.position()).unwrap_or(u16::MAX),
        tier: policy
            .tier()
            .map_or(0, |tier| u16::try_from(tier + 1).unwrap_or(u16::MAX)),
    }
}
