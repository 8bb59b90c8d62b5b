//! What the script's answer means.

use tollgate::{Algorithm, Outcome, Outcomes, StoreError, StoreErrorKind, Timestamp, Verdict};
use tollgate_core::{
    AlgorithmState, Limit, Micros, State, fixed_window, sliding_log, sliding_window, token_bucket,
};

use crate::request::{Item, Request};

/// Numbers that the script answers for each charge: whether it was admitted, and its state.
pub(crate) const NUMBERS: usize = 5;

/// The outcomes of a decision or a peek.
pub(crate) fn outcomes(request: &Request<'_>, numbers: &[u64]) -> Result<Outcomes, StoreError> {
    outcomes_with(request, numbers, |_, _| ())
}

/// The outcomes of a decision, and the state of each charge's count if it is a denial; what is told
/// of a log is only what its outcome is made of.
pub(crate) fn outcomes_and_states(
    request: &Request<'_>,
    numbers: &[u64],
) -> Result<(Outcomes, Vec<State>), StoreError> {
    let mut states = vec![None; request.items().len()];
    let outcomes = outcomes_with(request, numbers, |item, state| {
        if let Some(place) = states.get_mut(item.index) {
            *place = Some(state);
        }
    })?;
    if outcomes.is_allowed() {
        return Ok((outcomes, Vec::new()));
    }
    Ok((outcomes, states.into_iter().flatten().collect()))
}

fn outcomes_with(
    request: &Request<'_>,
    numbers: &[u64],
    mut told_of: impl FnMut(&Item<'_>, State),
) -> Result<Outcomes, StoreError> {
    let (now, told) = instant(numbers)?;
    let items = request.items();
    if told.len() != items.len() * NUMBERS {
        return Err(not_understood());
    }
    let mut outcomes = vec![None; items.len()];
    for (item, told) in items.iter().zip(told.chunks_exact(NUMBERS)) {
        if let ([admitted, state @ ..], Some(place)) = (told, outcomes.get_mut(item.index)) {
            let counts = item.charge.shadow().is_none();
            let is_admitted = is_true(*admitted)?;
            let (outcome, state) = outcome(item, is_admitted, state, now)?;
            *place = Some((outcome, counts));
            told_of(item, state);
        }
    }
    Ok(Outcomes::new(now, outcomes.into_iter().flatten()))
}

/// Whether a reset found anything.
pub(crate) fn was_counted(numbers: &[u64]) -> Result<bool, StoreError> {
    match instant(numbers)?.1 {
        [found] => is_true(*found),
        _ => Err(not_understood()),
    }
}

fn is_true(number: u64) -> Result<bool, StoreError> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(not_understood()),
    }
}

fn instant(numbers: &[u64]) -> Result<(Timestamp, &[u64]), StoreError> {
    let (now, told) = numbers.split_first().ok_or_else(not_understood)?;
    Ok((Timestamp::from_micros(*now), told))
}

fn outcome(
    item: &Item<'_>,
    is_admitted: bool,
    told: &[u64],
    now: Timestamp,
) -> Result<(Outcome, State), StoreError> {
    let limit = item.charge.limit();
    let verdict = if is_admitted {
        Verdict::Allow
    } else if item.asked > limit.quota() {
        Verdict::Never
    } else {
        Verdict::Deny
    };
    let mut state = state(limit, told)?;
    // What the script advanced stays where it is; only what is not stored is found again.
    state.advance(limit, now);
    Ok((state.outcome(limit, verdict, item.asked, now), state))
}

fn state(limit: &Limit, told: &[u64]) -> Result<State, StoreError> {
    let &[first, second, third, fourth] = told else {
        return Err(not_understood());
    };
    let instant = Timestamp::from_micros;
    match limit.algorithm() {
        Algorithm::TokenBucket => Ok(State::TokenBucket(token_bucket::State::from_parts(
            first,
            instant(second),
            Micros::new(third),
        ))),
        Algorithm::FixedWindow(_) => Ok(State::FixedWindow(fixed_window::State::from_parts(
            instant(first),
            second,
        ))),
        Algorithm::SlidingWindow => Ok(State::SlidingWindow(sliding_window::State::from_parts(
            first, second, third,
        ))),
        Algorithm::SlidingLog => {
            let entries = [(instant(first), second), (instant(third), fourth)];
            let entries = entries.into_iter().filter(|(_, cost)| *cost > 0);
            Ok(State::SlidingLog(sliding_log::State::from_entries(entries)))
        }
        _ => Err(not_understood()),
    }
}

pub(crate) fn not_understood() -> StoreError {
    StoreError::new(
        StoreErrorKind::Protocol,
        "redis answered what the script does not",
    )
}
