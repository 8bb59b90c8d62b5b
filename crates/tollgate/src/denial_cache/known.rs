//! What is known of a count, and the outcomes it makes.

use tollgate_core::{
    AlgorithmState, Charge, Limit, Micros, Outcome, State, Timestamp, Verdict, fixed_window,
    sliding_window, token_bucket,
};

/// What outcomes are told from, of a fixed size.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// A unit is denied until an instant: so nothing remains, whatever the algorithm.
    Denied {
        retry_at: Timestamp,
        reset_at: Timestamp,
    },
    TokenBucket(token_bucket::State),
    FixedWindow(fixed_window::State),
    SlidingWindow(sliding_window::State),
}

/// The units of a charge: its cost, and with them what earlier charges of the same decision ask of
/// the same count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    pub(super) cost: u64,
    pub(super) asked: u64,
}

impl Units {
    /// Those of a charge, after the charges of its group that ask of the same count before it.
    #[inline]
    pub(super) fn of<'a, 'c: 'a>(
        charge: &Charge<'_>,
        earlier: impl IntoIterator<Item = &'a Charge<'c>>,
    ) -> Self {
        let cost = charge.cost();
        let earlier = earlier.into_iter().map(Charge::cost);
        Self {
            cost,
            asked: earlier.fold(cost, u64::saturating_add),
        }
    }
}

impl Known {
    /// What a denied decision tells of a charge's count: by its state, if there is one that agrees
    /// with the outcome, or by the outcome alone.
    pub(super) fn of(
        limit: &Limit,
        units: Units,
        outcome: &Outcome,
        state: Option<&State>,
    ) -> Option<Self> {
        state
            .and_then(|state| Self::of_state(state, limit, outcome.at))
            .filter(|known| known.outcome(limit, units, outcome.at) == Some(*outcome))
            .or_else(|| Self::of_outcome(units, outcome))
    }

    /// A state at an instant.
    fn of_state(state: &State, limit: &Limit, at: Timestamp) -> Option<Self> {
        let mut known = match state {
            State::TokenBucket(state) => Self::TokenBucket(*state),
            State::FixedWindow(state) => Self::FixedWindow(*state),
            State::SlidingWindow(state) => Self::SlidingWindow(*state),
            // A log has no fixed size.
            _ => return None,
        };
        match &mut known {
            Self::TokenBucket(state) => state.advance(limit, at),
            Self::FixedWindow(state) => state.advance(limit, at),
            Self::SlidingWindow(state) => state.advance(limit, at),
            Self::Denied { .. } => false,
        };
        Some(known)
    }

    fn of_outcome(units: Units, outcome: &Outcome) -> Option<Self> {
        if units.asked != 1 || outcome.verdict != Verdict::Deny {
            return None;
        }
        Some(Self::Denied {
            retry_at: outcome.at.saturating_add(outcome.retry_after?),
            reset_at: outcome.reset_at(),
        })
    }

    /// When a unit is admitted, if none is now: until then, the count denies every cost.
    pub(super) fn admits_a_unit_at(&self, limit: &Limit) -> Option<Timestamp> {
        match self {
            Self::Denied { retry_at, .. } => Some(*retry_at),
            Self::TokenBucket(state) => admits_a_unit_at(state, limit),
            Self::FixedWindow(state) => admits_a_unit_at(state, limit),
            Self::SlidingWindow(state) => admits_a_unit_at(state, limit),
        }
    }

    /// What a store answers at `at` if it spends nothing; `None` if that cannot be told.
    #[inline]
    pub(super) fn outcome(&self, limit: &Limit, units: Units, at: Timestamp) -> Option<Outcome> {
        match self {
            Self::Denied { retry_at, reset_at } => {
                let retry_after = retry_at.saturating_since(at);
                let reset_after = reset_at.saturating_since(at);
                denied(limit, units, (retry_after, reset_after), at)
            }
            Self::TokenBucket(state) => Some(outcome(*state, limit, units, at)),
            Self::FixedWindow(state) => Some(outcome(*state, limit, units, at)),
            Self::SlidingWindow(state) => Some(outcome(*state, limit, units, at)),
        }
    }
}

fn admits_a_unit_at(state: &impl AlgorithmState, limit: &Limit) -> Option<Timestamp> {
    (!state.verdict(limit, 1).is_allow()).then(|| state.admits_at(limit, 1))
}

#[inline]
fn outcome<S: AlgorithmState>(mut state: S, limit: &Limit, units: Units, at: Timestamp) -> Outcome {
    state.advance(limit, at);
    let verdict = if units.cost == 0 {
        Verdict::Allow
    } else {
        state.verdict(limit, units.asked)
    };
    state.outcome(limit, verdict, units.asked, at)
}

/// The outcome where a single unit is denied for `retry_after`; how long several are is not known.
#[inline]
fn denied(
    limit: &Limit,
    units: Units,
    (retry_after, reset_after): (Micros, Micros),
    at: Timestamp,
) -> Option<Outcome> {
    let (verdict, retry_after) = match units {
        Units { cost: 0, .. } => (Verdict::Allow, None),
        Units { asked, .. } if asked > limit.quota() => (Verdict::Never, None),
        Units { asked: 1, .. } => (Verdict::Deny, Some(retry_after)),
        _ => return None,
    };
    Some(Outcome {
        verdict,
        limit: limit.quota(),
        remaining: 0,
        reset_after,
        retry_after,
        at,
    })
}
