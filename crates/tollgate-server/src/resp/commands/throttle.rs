//! `CL.THROTTLE`, as redis-cell answers it.

use std::sync::Arc;
use std::time::Duration;

use tollgate::{Charge, Limit, Store as _};
use tollgate_resp::Command;

use super::{Context, Then};
use crate::resp::decided::{Decided, single, throttled};

/// What its counts are kept under. No policy of a file can have this name.
const POLICY: &str = "@cl.throttle";

/// The longest key, in bytes.
const MAX_KEY: usize = 1_024;

/// `CL.THROTTLE key max_burst count period [quantity]`.
pub(super) fn run(context: &mut Context<'_>, command: &Command<'_>) -> Then {
    let asked = match Asked::of(command) {
        Ok(asked) => asked,
        Err(error) => return context.error(&error),
    };
    let store = context.surface.store();
    match store.decide_at_once(&[asked.charge()]) {
        Some(answer) => {
            let outcome = throttled(single(answer), &mut context.batch.replies);
            context.decided(outcome)
        }
        None => {
            let (store, asked) = (Arc::clone(store), asked.into_owned());
            context.wait_for(async move {
                Decided::Throttle(single(store.decide(&[asked.charge()]).await))
            })
        }
    }
}

/// What a command asks.
struct Asked<K> {
    key: K,
    limit: Limit,
    quantity: u64,
}

impl<K: AsRef<str>> Asked<K> {
    fn charge(&self) -> Charge<'_> {
        Charge::new(&self.limit, self.key.as_ref(), self.quantity).of_policy(POLICY)
    }

    fn into_owned(self) -> Asked<String> {
        Asked {
            key: self.key.as_ref().to_owned(),
            limit: self.limit,
            quantity: self.quantity,
        }
    }
}

impl<'c> Asked<&'c str> {
    /// Reads a command; the error is its answer.
    fn of(command: &Command<'c>) -> Result<Self, String> {
        let argument = |position| command.get(position);
        let (Some(key), Some(max_burst), Some(count), Some(period), None) = (
            argument(1),
            argument(2),
            argument(3),
            argument(4),
            argument(6),
        ) else {
            return Err(cell(
                "Usage: cl.throttle <key> <max_burst> <count per period> <period> [<quantity>]",
            ));
        };
        let (max_burst, count, period) = (parse(max_burst)?, parse(count)?, parse(period)?);
        let quantity = argument(5).map_or(Ok(1), parse)?;
        if count == 0 || period == 0 {
            return Err(cell("Zero rates are not supported"));
        }
        let max_burst = not_negative("max_burst", max_burst)?;
        let units = not_negative("count", count)?;
        let seconds = not_negative("period", period)?;
        let quantity = not_negative("quantity", quantity)?;
        let limit = Limit::builder(units, Duration::from_secs(seconds))
            .burst(max_burst + 1)
            .build()
            .map_err(|error| format!("ERR CL.THROTTLE: {error}"))?;
        Ok(Self {
            key: self::key(key)?,
            limit,
            quantity,
        })
    }
}

fn key(key: &[u8]) -> Result<&str, String> {
    if key.len() > MAX_KEY {
        return Err(format!(
            "ERR CL.THROTTLE: the key has {} bytes; the bound is {MAX_KEY}",
            key.len()
        ));
    }
    std::str::from_utf8(key).map_err(|_| "ERR CL.THROTTLE: the key is not UTF-8".to_owned())
}

fn parse(argument: &[u8]) -> Result<i64, String> {
    let text = std::str::from_utf8(argument).ok();
    text.and_then(|text| text.parse().ok()).ok_or_else(|| {
        let shown = argument.get(..64).unwrap_or(argument);
        let shown = String::from_utf8_lossy(shown);
        cell(&format!("Couldn't parse as integer: {shown}"))
    })
}

/// redis-cell computes with negative numbers, and answers what means nothing.
fn not_negative(name: &str, number: i64) -> Result<u64, String> {
    u64::try_from(number)
        .map_err(|_| format!("ERR CL.THROTTLE: {name} is {number}; it cannot be negative"))
}

/// An error in redis-cell's words, as it sends it.
fn cell(text: &str) -> String {
    format!("Cell error: Store error: {text}")
}

#[cfg(test)]
mod tests {
    use tollgate_policy::Policy;

    use super::POLICY;

    #[test]
    fn no_policy_of_a_file_counts_with_it() {
        let named = |name| {
            let limit = "1/min".parse().unwrap();
            Policy::builder(name).shared().limit(limit).build()
        };
        assert!(named("cl.throttle").is_ok());
        assert!(named(POLICY).is_err());
    }
}
