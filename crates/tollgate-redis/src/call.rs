//! What is sent to a server: packed, and joined with what others send at the same moment.

use std::sync::Arc;

use redis::{Cmd, RedisError};
use tollgate::{Algorithm, Anchor, Limit, StoreError, StoreErrorKind};

use crate::error::said_in_script;
use crate::request::{Item, Operation, Time};
use crate::script;

/// The largest integer that the script holds exactly; larger costs never fit any limit.
const MAX_EXACT: u64 = (1 << 53) - 1;

/// What the script answers, in place of an instant, for a part that a command has failed.
const FAILED: u64 = MAX_EXACT + 1;

/// The algorithms that the script has.
const ALGORITHMS: usize = 4;

/// A decision, a look, a refund or a reset as it is sent: it borrows nothing of the request, and
/// clones are the same one.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    part: Arc<Part>,
    slot: Option<u16>,
    asks: bool,
}

#[derive(Debug)]
struct Part {
    keys: Vec<String>,
    /// What the script is told, as `lua/main.lua` reads it.
    text: Vec<u8>,
    /// Which algorithms the script needs.
    algorithms: [bool; ALGORITHMS],
    charges: usize,
    /// How many numbers the script answers.
    answers: usize,
}

impl Call {
    /// What `items` say, whose `answers` numbers the script is to tell.
    pub(crate) fn new(
        operation: Operation,
        time: Time,
        keys: Vec<String>,
        items: &[Item<'_>],
    ) -> Result<Self, StoreError> {
        let mut part = Part {
            text: Vec::with_capacity(23 + items.len() * 62),
            algorithms: [false; ALGORITHMS],
            charges: items.len(),
            answers: operation.answers(items.len()),
            keys,
        };
        part.push_bytes(&[operation.code()]);
        part.push_count(items.len())?;
        part.push_count(part.keys.len())?;
        part.push(time.slack_millis);
        // What is above the largest instant is no instant: the script asks the server's clock.
        part.push_up_to(time.now.map_or(MAX_EXACT + 1, |now| now.min(MAX_EXACT)));
        for item in items {
            part.push_item(item, time)?;
        }
        Ok(Self {
            part: Arc::new(part),
            slot: None,
            asks: false,
        })
    }

    /// The same call to a cluster, where only those that share a slot can be joined.
    pub(crate) fn in_slot(self, slot: u16) -> Self {
        let slot = Some(slot);
        Self { slot, ..self }
    }

    /// What is sent if nothing else is.
    pub(crate) fn alone(&self) -> ScriptCall {
        ScriptCall {
            script: script::TEXT,
            keys: self.part.keys.clone(),
            argument: Joined::new([self]).argument(),
        }
    }

    /// A key of the call; in a cluster, all of them are in its slot.
    pub(crate) fn a_key(&self) -> Option<&str> {
        self.part.keys.first().map(String::as_str)
    }

    /// The same call to a server to which its slot is only about to come, as another server of the
    /// cluster has said. It goes alone.
    pub(crate) fn asking(self) -> Self {
        Self { asks: true, ..self }
    }

    /// Whether both may be sent as one.
    pub(crate) fn may_join(&self, other: &Self) -> bool {
        !self.asks && !other.asks && self.slot == other.slot
    }

    /// How much it asks of the server, against other calls.
    pub(crate) fn weight(&self) -> usize {
        self.part.charges.max(1)
    }
}

impl Part {
    fn push_item(&mut self, item: &Item<'_>, time: Time) -> Result<(), StoreError> {
        let limit = item.charge.limit();
        let (algorithm, starts_at_first_request) = algorithm(limit)?;
        if let Some(is_needed) = self.algorithms.get_mut(usize::from(algorithm) - 1) {
            *is_needed = true;
        }
        let longest = if time.is_bounded {
            longest_millis(limit)
        } else {
            MAX_EXACT
        };
        self.push_count(item.key + 1)?;
        self.push_bytes(&[algorithm, u8::from(starts_at_first_request)]);
        self.push(item.group);
        self.push(item.charge.cost());
        self.push(item.asked);
        self.push(limit.units());
        self.push(limit.quota());
        self.push(limit.period().as_micros());
        self.push(limit.tick().as_micros());
        self.push(longest);
        Ok(())
    }

    /// A number, at most the largest exact one.
    fn push(&mut self, number: u64) {
        self.push_up_to(number.min(MAX_EXACT));
    }

    /// Seven bytes, which the number must fit.
    fn push_up_to(&mut self, number: u64) {
        let [seven @ .., _] = number.to_le_bytes();
        self.push_bytes(&seven);
    }

    fn push_count(&mut self, count: usize) -> Result<(), StoreError> {
        let count = u32::try_from(count).map_err(|_| {
            StoreError::new(
                StoreErrorKind::Protocol,
                "too many charges for one decision",
            )
        })?;
        self.push_bytes(&count.to_le_bytes());
        Ok(())
    }

    fn push_bytes(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }
}

/// A call of the script, for benchmarks.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct ScriptCall {
    /// The script's text.
    pub script: &'static str,
    /// Its keys.
    pub keys: Vec<String>,
    /// Its one argument.
    pub argument: Vec<u8>,
}

/// Several calls as one of the script, which runs them one after the other.
#[derive(Debug)]
pub(crate) struct Joined<'a> {
    calls: Vec<&'a Call>,
}

impl<'a> Joined<'a> {
    pub(crate) fn new(calls: impl IntoIterator<Item = &'a Call>) -> Self {
        Self {
            calls: calls.into_iter().collect(),
        }
    }

    /// Whether the server must be asked for a slot that it does not have yet.
    pub(crate) fn asks(&self) -> bool {
        self.calls.iter().any(|call| call.asks)
    }

    /// The command that names the script by its digest.
    pub(crate) fn by_digest(&self) -> Cmd {
        self.command("EVALSHA", script::digest())
    }

    /// The command that brings the script along.
    pub(crate) fn by_text(&self) -> Cmd {
        self.command("EVAL", script::TEXT)
    }

    fn command(&self, name: &str, script: &str) -> Cmd {
        let keys: usize = self.parts().map(|part| part.keys.len()).sum();
        let argument = self.argument();
        let mut command = Cmd::with_capacity(4 + keys, script.len() + argument.len() + keys * 64);
        command.arg(name).arg(script).arg(keys);
        for key in self.parts().flat_map(|part| &part.keys) {
            command.arg(key);
        }
        command.arg(argument);
        command
    }

    fn argument(&self) -> Vec<u8> {
        let length: usize = self.parts().map(|part| part.text.len()).sum();
        let mut argument = Vec::with_capacity(ALGORITHMS + length);
        for algorithm in 0..ALGORITHMS {
            let mut parts = self.parts();
            let is_needed = parts.any(|part| part.algorithms.get(algorithm) == Some(&true));
            argument.push(u8::from(is_needed));
        }
        for part in self.parts() {
            argument.extend_from_slice(&part.text);
        }
        argument
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.calls.iter().map(|call| &*call.part)
    }

    /// What each call has for an answer, in their order: its numbers, or why the server did not run
    /// it. `None` if that is not what the script answers to these calls.
    pub(crate) fn answers(&self, answer: &[u8]) -> Option<Vec<Result<Vec<u64>, RedisError>>> {
        let mut rest = answer;
        let mut answers = Vec::with_capacity(self.calls.len());
        for call in &self.calls {
            answers.push(if first_number(rest)?.0 == FAILED {
                Err(error_of_part(&mut rest)?)
            } else {
                Ok(numbers(&mut rest, call.part.answers)?)
            });
        }
        rest.is_empty().then_some(answers)
    }
}

fn first_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*number), rest))
}

fn numbers(rest: &mut &[u8], count: usize) -> Option<Vec<u64>> {
    let (told, after) = rest.split_at_checked(count.checked_mul(8)?)?;
    *rest = after;
    let numbers = told.as_chunks::<8>().0.iter();
    let numbers: Vec<_> = numbers.map(|bytes| u64::from_le_bytes(*bytes)).collect();
    // The script has no larger ones.
    let are_exact = numbers.iter().all(|number| *number <= MAX_EXACT);
    are_exact.then_some(numbers)
}

fn error_of_part(rest: &mut &[u8]) -> Option<RedisError> {
    let (length, after) = first_number(first_number(rest)?.1)?;
    let (text, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = after;
    Some(said_in_script(&String::from_utf8_lossy(text)))
}

/// The script's number of the algorithm, and whether its windows start at first requests.
fn algorithm(limit: &Limit) -> Result<(u8, bool), StoreError> {
    match limit.algorithm() {
        Algorithm::TokenBucket => Ok((1, false)),
        Algorithm::FixedWindow(anchor) => Ok((2, anchor == Anchor::FirstRequest)),
        Algorithm::SlidingWindow => Ok((3, false)),
        Algorithm::SlidingLog => Ok((4, false)),
        other => Err(StoreError::new(
            StoreErrorKind::Protocol,
            format!("the redis store has no script for the algorithm {other}"),
        )),
    }
}

/// Twice the period, or twice the time to refill if that is longer: no slack takes a lifetime past
/// it.
fn longest_millis(limit: &Limit) -> u64 {
    let longest = limit.period().max(limit.quota_window()).as_micros();
    longest.saturating_mul(2).div_ceil(1_000)
}
