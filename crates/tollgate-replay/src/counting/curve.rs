//! One policy with other numbers, key by key.

use tollgate::{Algorithm, Limit, LimitId, Outcome, Timestamp};
use tollgate_policy::Policy;

use super::event::Event;
use super::factors::Variant;
use super::states::{Request, States};
use crate::instant::share;
use crate::later::Later;
use crate::report;
use crate::tally::{Index, KeyHash};

/// The most admissions that wait for their response.
const MAX_WAITING: usize = 16_384;

/// A policy's curve, while it is being found.
///
/// Requests are decided as if this policy were the only one, by each variant of it for itself. Keys
/// are decided again up to a number of bytes; above it, half of them are given up, chosen by their
/// hash, and then half of the rest, so that what is left is a sample by chance.
#[derive(Debug)]
pub(super) struct Curve {
    variants: Vec<Variant>,
    /// For each list of limits, the places of their counts among the counts of a key.
    counts: Vec<Vec<usize>>,
    /// How many counts a key has in one variant.
    width: usize,
    index: Index,
    keys: Vec<Key>,
    states: States,
    /// For each key, how often it was denied by each variant.
    denied: Vec<u32>,
    waiting: Later<Waiting>,
    /// A key is in the sample if so many of the first bits of its hash are zero.
    level: u32,
}

#[derive(Clone, Copy, Debug)]
struct Key {
    hash: KeyHash,
    requests: u64,
}

/// Admissions whose units will be given back.
#[derive(Debug)]
struct Waiting {
    hash: KeyHash,
    cost: u64,
    tier: usize,
    /// For each variant the outcomes of its limits; none if it denied.
    admitted: Vec<Vec<Outcome>>,
}

impl Curve {
    /// `None` if the policy limits nothing.
    pub(super) fn new(policy: &Policy) -> Option<Self> {
        let variants = Variant::all(policy);
        let original = &variants
            .iter()
            .find(|variant| variant.factor == 1.0)?
            .limits;
        original.iter().flatten().next()?;
        let (counts, kinds) = counts_of(original);
        let width = kinds.len();
        let states = States::new(&kinds);
        Some(Self {
            variants,
            counts,
            width,
            index: Index::default(),
            keys: Vec::new(),
            states,
            denied: Vec::new(),
            waiting: Later::default(),
            level: 0,
        })
    }

    pub(super) fn decide(&mut self, event: &Event) {
        self.settle(event.seen.at);
        if event.seen.hash.high.leading_zeros() < self.level {
            return;
        }
        let Some(key) = self.key(event.seen.hash) else {
            return;
        };
        if let Some(key) = self.keys.get_mut(key) {
            key.requests += 1;
        }
        let now = Timestamp::from_micros(event.seen.at);
        let tier = usize::from(event.tier);
        let Some(counts) = self.counts.get(tier) else {
            return;
        };
        let stride = self.variants.len();
        let mut admitted = Vec::new();
        let waits = event.refund_at.is_some_and(|at| at > event.seen.at);
        for (number, variant) in self.variants.iter().enumerate() {
            let limits = variant.limits.get(tier).map_or(&[][..], Vec::as_slice);
            let first = (key * stride + number) * self.width;
            let request = Request {
                limits,
                counts,
                cost: event.seen.cost,
                now,
                spends: event.refund_at.is_none() || waits,
            };
            let allowed = if waits {
                let outcomes = self.states.decide_with_outcomes(first, &request);
                let allowed = outcomes.is_some();
                admitted.push(outcomes.unwrap_or_default());
                allowed
            } else {
                self.states.decide(first, &request)
            };
            if !allowed && let Some(denied) = self.denied.get_mut(key * stride + number) {
                *denied = denied.saturating_add(1);
            }
        }
        if waits && let Some(at) = event.refund_at {
            self.wait(event, at, tier, admitted);
        }
    }

    /// What stands where the search for an event's key begins, and where the key itself does: see
    /// [`Index::touch`].
    #[inline]
    pub(super) fn touch(&self, event: &Event, itself: bool) -> u64 {
        if !itself {
            return self.index.touch(event.seen.hash);
        }
        let Some(key) = self.find(event.seen.hash) else {
            return 0;
        };
        self.states.touch(key * self.variants.len() * self.width)
    }

    #[inline]
    fn find(&self, hash: KeyHash) -> Option<usize> {
        let is = |number: u32| {
            let key = usize::try_from(number)
                .ok()
                .and_then(|number| self.keys.get(number));
            key.is_some_and(|key| key.hash.high == hash.high)
        };
        usize::try_from(self.index.find(hash, is)?).ok()
    }

    fn key(&mut self, hash: KeyHash) -> Option<usize> {
        if let Some(key) = self.find(hash) {
            return Some(key);
        }
        let number = self.keys.len();
        self.index.insert(hash, u32::try_from(number).ok()?);
        self.keys.push(Key { hash, requests: 0 });
        let stride = self.variants.len();
        self.states.add(stride);
        self.denied.resize((number + 1) * stride, 0);
        Some(number)
    }

    /// Remembers what to give back.
    fn wait(&mut self, event: &Event, at: u64, tier: usize, admitted: Vec<Vec<Outcome>>) {
        let waiting = Waiting {
            hash: event.seen.hash,
            cost: event.seen.cost,
            tier,
            admitted,
        };
        if let Some(early) = self.waiting.push(at, waiting, MAX_WAITING) {
            self.give_back(&early, event.seen.at);
        }
    }

    /// Gives back what is due.
    #[inline]
    fn settle(&mut self, now: u64) {
        while let Some((at, due)) = self.waiting.pop_due(now) {
            self.give_back(&due, at);
        }
    }

    fn give_back(&mut self, waiting: &Waiting, at: u64) {
        if waiting.hash.high.leading_zeros() < self.level {
            return;
        }
        let Some(key) = self.key(waiting.hash) else {
            return;
        };
        let Some(counts) = self.counts.get(waiting.tier) else {
            return;
        };
        let stride = self.variants.len();
        for (number, (variant, outcomes)) in self.variants.iter().zip(&waiting.admitted).enumerate()
        {
            let limits = variant
                .limits
                .get(waiting.tier)
                .map_or(&[][..], Vec::as_slice);
            let first = (key * stride + number) * self.width;
            for ((limit, count), outcome) in limits.iter().zip(counts).zip(outcomes) {
                let now = Timestamp::from_micros(at);
                self.states
                    .refund(first + count, limit, waiting.cost, (outcome, now));
            }
        }
    }

    /// What it takes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.keys.len() * (size_of::<Key>() + 4 * self.variants.len() + 12) + self.states.bytes()
    }

    /// Keeps the half of the keys whose hash has one more zero.
    #[cold]
    pub(super) fn halve(&mut self) {
        self.level += 1;
        let stride = self.variants.len();
        let mut kept = 0;
        self.index = Index::default();
        for number in 0..self.keys.len() {
            let Some(key) = self.keys.get(number).copied() else {
                continue;
            };
            if key.hash.high.leading_zeros() < self.level {
                continue;
            }
            self.index
                .insert(key.hash, u32::try_from(kept).unwrap_or(u32::MAX));
            if kept != number {
                self.keys.swap(kept, number);
                let states = stride * self.width;
                self.states.swap(kept * states, number * states, states);
                for place in 0..stride {
                    self.denied
                        .swap(kept * stride + place, number * stride + place);
                }
            }
            kept += 1;
        }
        self.keys.truncate(kept);
        self.denied.truncate(kept * stride);
        self.states.truncate(kept * stride * self.width);
    }

    pub(super) fn report(&self) -> report::Curve {
        let requests = self.keys.iter().map(|key| key.requests).sum();
        let keys = u64::try_from(self.keys.len()).unwrap_or(u64::MAX);
        let stride = self.variants.len();
        let points = self.variants.iter().enumerate().map(|(number, variant)| {
            let of_key = self.denied.iter().skip(number).step_by(stride);
            let (denied, keys_denied) = of_key.fold((0, 0), |(denied, keys), count| {
                (denied + u64::from(*count), keys + u64::from(*count > 0))
            });
            report::CurvePoint {
                factor: variant.factor,
                limit: variant.first().map_or_else(String::new, Limit::to_string),
                denied,
                denied_share: share(denied, requests),
                keys_denied,
                keys_denied_share: share(keys_denied, keys),
            }
        });
        report::Curve {
            sampled: (-f64::from(self.level)).exp2(),
            points: points.collect(),
        }
    }
}

/// Which counts the limits of each tier share, as a store does, and the algorithm of each count: all
/// limits of a policy that agree in algorithm and period, but for the token buckets of tiers.
fn counts_of(limits: &[Vec<Limit>]) -> (Vec<Vec<usize>>, Vec<Algorithm>) {
    let mut known: Vec<(usize, LimitId)> = Vec::new();
    let mut kinds = Vec::new();
    let counts = limits.iter().enumerate().map(|(tier, limits)| {
        let place = |limit: &Limit| {
            let own = if limit.algorithm() == Algorithm::TokenBucket {
                tier
            } else {
                0
            };
            let name = (own, limit.id());
            known
                .iter()
                .position(|known| *known == name)
                .unwrap_or_else(|| {
                    known.push(name);
                    kinds.push(limit.algorithm());
                    known.len() - 1
                })
        };
        limits.iter().map(place).collect()
    });
    (counts.collect(), kinds)
}

#[cfg(test)]
mod tests;
