//! The text of a limit, and charges to it.

use arbitrary::{Arbitrary, Unstructured};
use tollgate_core::{Limit, Micros, Outcome, State, Timestamp, Verdict};

use crate::first_line;

/// The most charges of an input.
const MAX_STEPS: usize = 64;

/// The first line is the text of a limit; the bytes after it are charges to that limit, at instants
/// that go on, back, and to where an outcome promised something.
///
/// An error has a place in the text. What can be read prints as what can be read again. An outcome's
/// numbers are within their bounds, its promises are kept, and nothing panics.
pub fn limit_text(data: &[u8]) {
    let (line, rest) = first_line(data);
    let Ok(text) = str::from_utf8(line) else {
        return;
    };
    match text.parse::<Limit>() {
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "{:?}", error.span());
            assert_eq!(error.text(), text);
            for said in [
                format!("{error}"),
                format!("{error:#}"),
                format!("{}", error.problem()),
            ] {
                assert!(!said.is_empty());
            }
        }
        Ok(limit) => {
            let printed = limit.to_string();
            let again: Result<Limit, _> = printed.parse();
            assert_eq!(again.as_ref(), Ok(&limit), "{printed}");
            assert!(!limit.effective_rate().to_string().is_empty());
            charges(&limit, rest);
        }
    }
}

/// When a charge is made, seen from the one before it.
#[derive(Arbitrary, Debug)]
enum Instant {
    Same,
    Later(u32),
    LaterByPeriods(u8),
    Promised { early: bool },
    EarlierByHundredths(u16),
    At(u64),
}

#[derive(Arbitrary, Debug)]
enum Cost {
    Units(u8),
    Hundredths(u8),
    Any(u64),
}

fn charges(limit: &Limit, data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut state = State::fresh(limit);
    let mut now = Timestamp::from_secs(1_700_000_000);
    let mut last: Option<Outcome> = None;
    for _ in 0..MAX_STEPS {
        if input.is_empty() {
            return;
        }
        let (Ok(instant), Ok(cost)) = (Instant::arbitrary(&mut input), Cost::arbitrary(&mut input))
        else {
            return;
        };
        now = instant.after(limit, now, last.as_ref());
        let cost = cost.of(limit);
        let before = state.peek(limit, cost, now);
        let outcome = state.charge(limit, cost, now);
        assert_eq!(
            before.verdict, outcome.verdict,
            "a peek tells what a charge will get"
        );
        check(limit, &state, cost, &outcome);
        last = Some(outcome);
    }
}

impl Instant {
    fn after(&self, limit: &Limit, now: Timestamp, last: Option<&Outcome>) -> Timestamp {
        let period = limit.period().as_micros();
        match *self {
            Self::Same => now,
            Self::Later(micros) => now.saturating_add(Micros::new(micros.into())),
            Self::LaterByPeriods(eighths) => {
                now.saturating_add(Micros::new(period * u64::from(eighths) / 8))
            }
            Self::Promised { early } => last.map_or(now, |outcome| {
                let wait = outcome.retry_after.unwrap_or(outcome.reset_after);
                let promised = outcome.at.saturating_add(wait);
                promised.saturating_sub(Micros::new(early.into()))
            }),
            Self::EarlierByHundredths(hundredths) => {
                now.saturating_sub(Micros::new(period / 100 * u64::from(hundredths)))
            }
            Self::At(micros) => Timestamp::from_micros(micros),
        }
    }
}

impl Cost {
    fn of(&self, limit: &Limit) -> u64 {
        match *self {
            Self::Units(units) => units.into(),
            Self::Hundredths(hundredths) => limit.quota() * u64::from(hundredths) / 100,
            Self::Any(units) => units,
        }
    }
}

fn check(limit: &Limit, state: &State, cost: u64, outcome: &Outcome) {
    assert_eq!(outcome.limit, limit.quota());
    assert!(outcome.remaining <= outcome.limit, "{outcome:?}");
    assert_eq!(outcome.verdict == Verdict::Never, cost > limit.quota());
    assert_eq!(
        outcome.verdict == Verdict::Deny,
        outcome.retry_after.is_some()
    );
    let Some(wait) = outcome.retry_after else {
        return;
    };
    // The clock stands still at the end of time, and so do promises.
    let promised = outcome.at.saturating_add(wait);
    if promised == Timestamp::MAX {
        return;
    }
    let early = promised.saturating_sub(Micros::new(1));
    assert!(wait > Micros::ZERO);
    assert_eq!(state.peek(limit, cost, promised).verdict, Verdict::Allow);
    assert_eq!(state.peek(limit, cost, early).verdict, Verdict::Deny);
}
