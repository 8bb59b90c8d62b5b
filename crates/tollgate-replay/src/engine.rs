//! Decides requests on the clock of their log, and counts what comes of it.

mod proxies;
mod settle;

use std::sync::Arc;

use tollgate::{ManualClock, MemoryStore, Micros, Timestamp};
use tollgate_policy::{Attributes, Count, Mode, Policy, PolicyDecision, PolicyLimiter, PolicySet};

use crate::report::Totals;
use crate::tally::{Decided, KeyHash, KeyHasher, PolicyTally, Steps};
use crate::what_if::{Event, WhatIf};
pub(crate) use proxies::Proxies;
use settle::Settling;

/// The series of the timeline; those of the policies' denials follow.
pub(crate) const OFFERED: usize = 0;
pub(crate) const ADMITTED: usize = 1;
pub(crate) const DENIED_FROM: usize = 2;

/// Decides requests and counts what comes of it. Requests come in order of time.
pub(crate) struct Engine {
    limiter: PolicyLimiter<MemoryStore<ManualClock>>,
    clock: ManualClock,
    settling: Settling,
    /// True if a policy counts failures only, so that responses matter.
    settles: bool,
    hasher: KeyHasher,
    what_if: Option<WhatIf>,
    pub(crate) tallies: Vec<PolicyTally>,
    room: Room,
    pub(crate) totals: Totals,
    pub(crate) steps: Steps,
    pub(crate) proxies: Proxies,
    /// The first and the last request, in microseconds.
    pub(crate) span: Option<(u64, u64)>,
    /// Requests whose status is known.
    pub(crate) answered: u64,
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

/// How many more keys may be followed. Each policy has a share of its own, of half of all, and takes
/// the rest of the other half as it comes.
#[derive(Debug)]
struct Room {
    common: usize,
    own: Vec<usize>,
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
            .clock(clock.clone());
        let on = all
            .iter()
            .filter(|policy| policy.mode() != Mode::Off)
            .count();
        Self {
            limiter: PolicyLimiter::new(Arc::clone(policies), store.build()),
            clock,
            settling: Settling::default(),
            settles: all
                .iter()
                .any(|policy| matches!(policy.count(), Count::Failures(_))),
            hasher: KeyHasher::random(),
            what_if: what_if.then(|| WhatIf::begin(policies)),
            tallies: all.iter().map(PolicyTally::new).collect(),
            room: Room {
                common: max_keys / 2,
                own: vec![max_keys.div_ceil(2) / on.max(1); all.len()],
            },
            totals: Totals::default(),
            steps: Steps::new(DENIED_FROM + all.len()),
            proxies: Proxies::default(),
            span: None,
            answered: 0,
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

        self.span = Some((self.span.map_or(at, |(first, _)| first), at));
        self.steps.go_to(at);
        self.steps.count(OFFERED);
        self.totals.requests += 1;
        self.proxies.see(request.client());
        if let Some(status) = came.status {
            self.answered += 1;
            self.totals.answered_429 += u64::from(status == 429);
        }
        let is_allowed = decision.is_allowed();
        if is_allowed {
            self.totals.allowed += 1;
            self.steps.count(ADMITTED);
        } else {
            self.totals.denied += 1;
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
            if denies {
                self.steps.count(DENIED_FROM + position);
            }
            if let Some(tally) = self.tallies.get_mut(position) {
                tally.decided += u64::from(!is_allowed && denies && policy.decides());
                if tally.count(&policy, decided, key, self.room.is_left(position)) {
                    self.room.take(position);
                }
            }
            if let Some(what_if) = &mut self.what_if
                && let Some((hash, _)) = key
            {
                what_if.push(event(&policy, hash, came));
            }
        }
        self.totals.unmatched += u64::from(!matched);
        self.totals.denied_in_shadow += u64::from(is_allowed && denied_in_shadow);
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

    /// Ends the curves, and gives them: of each policy, if there is one.
    pub(crate) fn curves(&mut self) -> Vec<Option<crate::report::Curve>> {
        let what_if = self.what_if.take();
        what_if.map(WhatIf::finish).unwrap_or_default()
    }

    /// Counts that were dropped although they were in use.
    pub(crate) fn forgotten(&self) -> u64 {
        u64::try_from(self.limiter.store().forgotten()).unwrap_or(u64::MAX)
    }
}

/// What is decided again with other numbers.
fn event(policy: &PolicyDecision<'_>, hash: KeyHash, came: Came) -> Event {
    let refund_at = match (policy.policy().count(), came.status) {
        (Count::Failures(statuses), Some(status)) if !statuses.contains(status) => Some(
            came.at
                .saturating_add(came.duration.map_or(0, Micros::as_micros)),
        ),
        _ => None,
    };
    Event {
        at: came.at,
        hash,
        cost: policy.cost(),
        refund_at,
        policy: u16::try_from(policy.position()).unwrap_or(u16::MAX),
        tier: policy
            .tier()
            .map_or(0, |tier| u16::try_from(tier + 1).unwrap_or(u16::MAX)),
    }
}

impl Room {
    fn is_left(&self, policy: usize) -> bool {
        self.common > 0 || self.own.get(policy).is_some_and(|own| *own > 0)
    }

    fn take(&mut self, policy: usize) {
        match self.own.get_mut(policy) {
            Some(own) if *own > 0 => *own -= 1,
            _ => self.common = self.common.saturating_sub(1),
        }
    }
}
