//! What the counts of a policy's keys are, for each variant of the policy.

use tollgate::{Algorithm, Limit, Outcome, State, Timestamp, Verdict};
use tollgate_core::{AlgorithmState, fixed_window, sliding_window, token_bucket};

/// The counts of all keys, one after the other: of each key those of each variant.
#[derive(Debug)]
pub(super) struct States {
    /// The algorithm of each count of a variant.
    kinds: Vec<Algorithm>,
    counts: Counts,
    /// Bytes that logs take beside.
    log_bytes: usize,
}

#[derive(Debug)]
enum Counts {
    /// Of algorithms whose state is a few numbers.
    Packed(Vec<u128>),
    /// Of policies with a sliding log.
    Any(Vec<State>),
}

/// A request to a policy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'r> {
    /// All of these must admit it.
    pub(super) limits: &'r [Limit],
    /// Where the count of each limit is, among those of a variant.
    pub(super) counts: &'r [usize],
    pub(super) cost: u64,
    pub(super) now: Timestamp,
    /// False if what is admitted is given back at once.
    pub(super) spends: bool,
}

/// The states that fit into a number.
trait Packed: AlgorithmState {
    fn pack(self) -> u128;
    fn unpack(bits: u128) -> Self;
}

macro_rules! packed {
    ($($state:ty),*) => {$(
        impl Packed for $state {
            #[inline]
            fn pack(self) -> u128 {
                self.to_bits()
            }

            #[inline]
            fn unpack(bits: u128) -> Self {
                Self::from_bits(bits)
            }
        }
    )*};
}

packed!(
    token_bucket::State,
    fixed_window::State,
    sliding_window::State
);

impl States {
    /// Counts of some algorithms for each variant.
    pub(super) fn new(kinds: &[Algorithm]) -> Self {
        let counts = if kinds.contains(&Algorithm::SlidingLog) {
            Counts::Any(Vec::new())
        } else {
            Counts::Packed(Vec::new())
        };
        Self {
            kinds: kinds.to_vec(),
            counts,
            log_bytes: 0,
        }
    }

    /// Adds a key that nothing was counted for, with so many variants.
    pub(super) fn add(&mut self, variants: usize) {
        match &mut self.counts {
            Counts::Packed(counts) => {
                counts.resize(counts.len() + variants * self.kinds.len(), 0);
            }
            Counts::Any(counts) => {
                let kinds = self.kinds.iter().cycle();
                let fresh = kinds
                    .take(variants * self.kinds.len())
                    .map(|kind| fresh(*kind));
                counts.extend(fresh);
            }
        }
    }

    /// Decides a request by the counts that begin at `first`, and says whether it is admitted.
    #[inline]
    pub(super) fn decide(&mut self, first: usize, request: &Request<'_>) -> bool {
        if let (Counts::Packed(counts), [limit], [count]) =
            (&mut self.counts, request.limits, request.counts)
        {
            let Some(bits) = counts.get_mut(first + count) else {
                return true;
            };
            return match limit.algorithm() {
                Algorithm::FixedWindow(_) => one::<fixed_window::State>(bits, limit, request),
                Algorithm::SlidingWindow => one::<sliding_window::State>(bits, limit, request),
                _ => one::<token_bucket::State>(bits, limit, request),
            };
        }
        self.decide_all(first, request)
    }

    /// All limits together: each admits it, or nothing is spent.
    fn decide_all(&mut self, first: usize, request: &Request<'_>) -> bool {
        let mut allowed = true;
        for (limit, count) in request.limits.iter().zip(request.counts) {
            let verdict = self.with(first + count, limit, |state| {
                state.advance(limit, request.now);
                state.verdict(limit, request.cost)
            });
            allowed &= verdict.is_none_or(Verdict::is_allow);
        }
        if allowed && request.spends && request.cost > 0 {
            for (limit, count) in request.limits.iter().zip(request.counts) {
                self.with(first + count, limit, |state| {
                    state.spend(limit, request.cost);
                });
            }
        }
        allowed
    }

    /// The same, with the outcome of each limit if it is admitted.
    pub(super) fn decide_with_outcomes(
        &mut self,
        first: usize,
        request: &Request<'_>,
    ) -> Option<Vec<Outcome>> {
        if !self.decide_all(first, request) {
            return None;
        }
        let limits = request.limits.iter().zip(request.counts);
        let outcomes = limits.filter_map(|(limit, count)| {
            self.with(first + count, limit, |state| {
                state.outcome(limit, Verdict::Allow, request.cost, request.now)
            })
        });
        Some(outcomes.collect())
    }

    /// Gives back what was admitted.
    pub(super) fn refund(
        &mut self,
        place: usize,
        limit: &Limit,
        cost: u64,
        (admitted, now): (&Outcome, Timestamp),
    ) {
        self.with(place, limit, |state| {
            state.advance(limit, now);
            state.refund(limit, cost, admitted);
        });
    }

    fn with<T>(
        &mut self,
        place: usize,
        limit: &Limit,
        change: impl FnOnce(&mut State) -> T,
    ) -> Option<T> {
        match &mut self.counts {
            Counts::Packed(counts) => {
                let bits = counts.get_mut(place)?;
                let mut state = unpack(limit.algorithm(), *bits);
                let result = change(&mut state);
                *bits = pack(&state);
                Some(result)
            }
            Counts::Any(counts) => {
                let state = counts.get_mut(place)?;
                let before = heap_bytes(state);
                let result = change(state);
                self.log_bytes = (self.log_bytes + heap_bytes(state)).saturating_sub(before);
                Some(result)
            }
        }
    }

    /// Reads the counts of a key, which takes two lines of the cache where it has one limit.
    #[inline]
    pub(super) fn touch(&self, first: usize) -> u64 {
        match &self.counts {
            Counts::Packed(counts) => {
                let read = |at: usize| counts.get(at).is_some_and(|bits| *bits != 0);
                u64::from(read(first)) ^ u64::from(read(first + 4))
            }
            Counts::Any(_) => 0,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match &self.counts {
            Counts::Packed(counts) => counts.len() * size_of::<u128>(),
            Counts::Any(counts) => counts.len() * size_of::<State>() + self.log_bytes,
        }
    }

    /// Exchanges so many counts.
    pub(super) fn swap(&mut self, one: usize, other: usize, count: usize) {
        for place in 0..count {
            match &mut self.counts {
                Counts::Packed(counts) => counts.swap(one + place, other + place),
                Counts::Any(counts) => counts.swap(one + place, other + place),
            }
        }
    }

    /// Forgets all but the first counts.
    pub(super) fn truncate(&mut self, count: usize) {
        match &mut self.counts {
            Counts::Packed(counts) => {
                counts.truncate(count);
                counts.shrink_to(count * 3 / 2);
            }
            Counts::Any(counts) => {
                counts.truncate(count);
                counts.shrink_to(count * 3 / 2);
                self.log_bytes = counts.iter().map(heap_bytes).sum();
            }
        }
    }
}

#[inline]
fn one<S: Packed>(bits: &mut u128, limit: &Limit, request: &Request<'_>) -> bool {
    let mut state = S::unpack(*bits);
    state.advance(limit, request.now);
    let allowed = state.verdict(limit, request.cost).is_allow();
    if allowed && request.spends && request.cost > 0 {
        state.spend(limit, request.cost);
        *bits = state.pack();
    }
    allowed
}

fn fresh(algorithm: Algorithm) -> State {
    match algorithm {
        Algorithm::SlidingLog => State::SlidingLog(Default::default()),
        _ => unpack(algorithm, 0),
    }
}

fn unpack(algorithm: Algorithm, bits: u128) -> State {
    match algorithm {
        Algorithm::FixedWindow(_) => State::FixedWindow(Packed::unpack(bits)),
        Algorithm::SlidingWindow => State::SlidingWindow(Packed::unpack(bits)),
        _ => State::TokenBucket(Packed::unpack(bits)),
    }
}

fn pack(state: &State) -> u128 {
    match state {
        State::TokenBucket(state) => state.pack(),
        State::FixedWindow(state) => state.pack(),
        State::SlidingWindow(state) => state.pack(),
        // It is never packed.
        _ => 0,
    }
}

fn heap_bytes(state: &State) -> usize {
    match state {
        State::SlidingLog(log) => log.heap_bytes(),
        _ => 0,
    }
}
