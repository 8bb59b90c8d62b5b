//! The status of one descriptor.

use tollgate::{Limit, Micros, Outcome, Outcomes};
use tollgate_policy::{Decision, Mode, PolicyDecision, Reason};

use crate::grpc::generated::{Code, Unit};
use crate::grpc::rate_limit::Answered;
use crate::grpc::wire::{CurrentLimit, Status};

const DAY: u64 = 24 * 60 * 60;

/// What a limit says: its policy, its number there from 1, itself, and its outcome.
struct Told<'d> {
    policy: &'d str,
    number: usize,
    limit: &'d Limit,
    outcome: Outcome,
}

/// The status of a descriptor that was answered so.
pub(super) fn of(answered: &Answered) -> Status<'_> {
    let Some(decision) = &answered.decision else {
        return with_code(Code::Ok);
    };
    let mut status = with_code(if decision.is_allowed() {
        Code::Ok
    } else {
        Code::OverLimit
    });
    if decision.reason() == Reason::Unlimited {
        status.limit_remaining = u32::MAX;
        return status;
    }
    let told = told(decision);
    if let Some(told) = &told {
        status.limit_remaining = saturated(told.outcome.remaining);
        // Rounded up: Envoy cuts what is below a second.
        status.until_reset = Some(told.outcome.reset_after.as_secs_ceil());
    }
    status.current_limit = match answered.limit {
        // As it was sent, also if it admits nothing.
        Some(limit) => Some(CurrentLimit {
            policy: "",
            number: 1,
            requests_per_unit: limit.requests_per_unit,
            // The numbers of its units are the same, and the limit was made of one of them.
            unit: limit.unit.try_into().unwrap_or(0),
        }),
        None => told.map(|told| told.limit()),
    };
    status
}

const fn with_code(code: Code) -> Status<'static> {
    Status {
        code,
        current_limit: None,
        limit_remaining: 0,
        until_reset: None,
    }
}

/// The limit that decided; if its policy hides its numbers, of the others the one that is closest
/// to exhaustion, but nothing on a denial, whose numbers those are not.
fn told(decision: &Decision) -> Option<Told<'_>> {
    let decided_by = decision.decided_by()?;
    if !decided_by.policy().hides_numbers() {
        return Told::by(&decided_by);
    }
    if !decision.is_allowed() {
        return None;
    }
    let visible = || {
        decision
            .policies()
            .filter(|it| it.mode() == Mode::Enforce && !it.policy().hides_numbers())
            .filter_map(|it| Told::by(&it))
    };
    let each = visible().map(|told| (told.outcome, true));
    let closest = Outcomes::new(decision.at()?, each).deciding_index()?;
    visible().nth(closest)
}

impl<'d> Told<'d> {
    /// The limit that decides in a policy.
    fn by(decision: &PolicyDecision<'d>) -> Option<Self> {
        let (limit, outcome) = decision.deciding()?;
        let mut limits = decision.limits();
        let position = limits.position(|(it, _)| std::ptr::eq(it, limit));
        Some(Self {
            policy: decision.policy().name(),
            number: position.map_or(1, |position| position + 1),
            limit,
            outcome: *outcome,
        })
    }

    /// By the names that it has in `RateLimit` too.
    fn limit(&self) -> CurrentLimit<'d> {
        let unit = i32::from(unit(self.limit.quota_window()));
        CurrentLimit {
            policy: self.policy,
            number: self.number,
            requests_per_unit: saturated(self.limit.quota()),
            unit: unit.try_into().unwrap_or(0),
        }
    }
}

/// The unit that is so long. None has another length: there is no honest name for five minutes,
/// and Envoy leaves the window out of its header for a unit that it does not know.
fn unit(window: Micros) -> Unit {
    let secs = window.as_micros() / Micros::SECOND.as_micros();
    if Micros::from_secs(secs) != window {
        return Unit::Unknown;
    }
    match secs {
        1 => Unit::Second,
        60 => Unit::Minute,
        3600 => Unit::Hour,
        DAY => Unit::Day,
        secs if secs == 7 * DAY => Unit::Week,
        secs if secs == 30 * DAY => Unit::Month,
        secs if secs == 365 * DAY => Unit::Year,
        _ => Unit::Unknown,
    }
}

fn saturated(number: u64) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_is_no_unit_has_none() {
        for (window, expected) in [
            ("1s", Unit::Second),
            ("1min", Unit::Minute),
            ("1h", Unit::Hour),
            ("1d", Unit::Day),
            ("7d", Unit::Week),
            ("30d", Unit::Month),
            ("365d", Unit::Year),
            ("5min", Unit::Unknown),
            ("500ms", Unit::Unknown),
            ("1500ms", Unit::Unknown),
            ("31d", Unit::Unknown),
        ] {
            let limit: Limit = format!("10/{window}").parse().unwrap();
            assert_eq!(unit(limit.quota_window()), expected, "{window}");
        }
    }

    #[test]
    fn numbers_above_what_there_is_room_for_are_the_largest() {
        assert_eq!(saturated(u64::from(u32::MAX) + 1), u32::MAX);
        assert_eq!(saturated(7), 7);
    }
}
