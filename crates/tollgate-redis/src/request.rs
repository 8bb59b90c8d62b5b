//! What a call of the script says.

use redis::Cmd;
use tollgate::{Algorithm, Anchor, Charge, Limit, Outcome, Outcomes, StoreError, StoreErrorKind};

use crate::{key, script};

/// The largest integer that the script holds exactly; larger costs never fit any limit.
const MAX_EXACT: u64 = (1 << 53) - 1;

/// What the script is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Decide,
    /// Decides without spending: what a denial would write is written.
    Look,
    Peek,
    Refund,
    Reset,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::Decide => "decide",
            Self::Look => "look",
            Self::Peek => "peek",
            Self::Refund => "refund",
            Self::Reset => "reset",
        }
    }
}

/// Whose clock counts, and how long what is stored outlives its use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    /// Microseconds since the epoch; without them, the server's clock.
    pub(crate) now: Option<u64>,
    pub(crate) slack_millis: u64,
    /// Whether the slack may take a lifetime past [`longest_millis`].
    pub(crate) is_bounded: bool,
}

/// One call: its keys, and what it says of each charge.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    operation: Operation,
    keys: Vec<String>,
    /// Groups stand together, the enforced charges first.
    items: Vec<Item<'a>>,
}

/// What the script is told about a charge.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    pub(crate) charge: Charge<'a>,
    /// The position of the charge in the decision.
    pub(crate) index: usize,
    /// The position of its key.
    key: usize,
    /// 0 for enforced charges, or the admission's instant.
    group: u64,
    /// Its cost with that of earlier charges of its group on the same count, or the admission's
    /// reset.
    pub(crate) asked: u64,
}

impl<'a> Request<'a> {
    /// Decides, looks or peeks.
    pub(crate) fn deciding(operation: Operation, prefix: &str, charges: &[Charge<'a>]) -> Self {
        let mut request = Self::empty(operation, charges.len());
        let mut groups = vec![None];
        for charge in charges {
            if !groups.contains(&charge.shadow()) {
                groups.push(charge.shadow());
            }
        }
        for group in groups {
            let first = request.items.len();
            for (index, charge) in charges.iter().enumerate() {
                if charge.shadow() != group {
                    continue;
                }
                let key = request.key(prefix, charge.limit(), charge.policy(), charge.key());
                let earlier = request
                    .items
                    .iter()
                    .skip(first)
                    .filter(|other| other.key == key)
                    .fold(0_u64, |sum, other| sum.saturating_add(other.charge.cost()));
                request.items.push(Item {
                    charge: *charge,
                    index,
                    key,
                    group: group.map_or(0, |group| u64::from(group) + 1),
                    asked: earlier.saturating_add(charge.cost()),
                });
            }
        }
        request
    }

    /// Gives back what was spent of `charges`; `None` if nothing was.
    pub(crate) fn refunding(
        prefix: &str,
        charges: &[Charge<'a>],
        admitted: &Outcomes,
    ) -> Option<Self> {
        let mut request = Self::empty(Operation::Refund, charges.len());
        for (index, (charge, outcome)) in charges.iter().zip(admitted.iter()).enumerate() {
            if charge.cost() > 0 && admitted.spent(charges, index) {
                request.push_refund(prefix, charge, outcome, index);
            }
        }
        (!request.items.is_empty()).then_some(request)
    }

    /// Forgets what is counted for the charge.
    pub(crate) fn resetting(prefix: &str, charge: Charge<'a>) -> Self {
        Self {
            operation: Operation::Reset,
            ..Self::deciding(Operation::Peek, prefix, &[charge])
        }
    }

    fn empty(operation: Operation, charges: usize) -> Self {
        Self {
            operation,
            keys: Vec::with_capacity(charges),
            items: Vec::with_capacity(charges),
        }
    }

    fn push_refund(&mut self, prefix: &str, charge: &Charge<'a>, outcome: &Outcome, index: usize) {
        let key = self.key(prefix, charge.limit(), charge.policy(), charge.key());
        self.items.push(Item {
            charge: *charge,
            index,
            key,
            group: outcome.at.as_micros(),
            asked: outcome.reset_at().as_micros(),
        });
    }

    /// The position of the count's key, each of which stands once.
    fn key(&mut self, prefix: &str, limit: &Limit, policy: &str, key: &str) -> usize {
        let name = key::name(prefix, policy, key, limit.id());
        let known = self.keys.iter().position(|other| *other == name);
        known.unwrap_or_else(|| {
            self.keys.push(name);
            self.keys.len() - 1
        })
    }

    /// What the answer will speak of, in its order.
    pub(crate) fn items(&self) -> &[Item<'a>] {
        &self.items
    }

    /// What is sent of it.
    pub(crate) fn call(&self, time: Time) -> Result<Call, StoreError> {
        let mut arguments = Vec::with_capacity(3 + self.items.len() * 11);
        let mut push = |argument: &dyn ToString| arguments.push(argument.to_string());
        push(&self.operation.name());
        match time.now {
            Some(now) => push(&now),
            None => push(&""),
        }
        push(&time.slack_millis);
        for item in &self.items {
            let limit = item.charge.limit();
            let (algorithm, starts_at_first_request) = algorithm(limit)?;
            let longest = if time.is_bounded {
                longest_millis(limit)
            } else {
                MAX_EXACT
            };
            push(&(item.key + 1));
            push(&item.group);
            push(&item.charge.cost().min(MAX_EXACT));
            push(&item.asked.min(MAX_EXACT));
            push(&algorithm);
            push(&limit.units());
            push(&limit.quota());
            push(&u8::from(starts_at_first_request));
            push(&limit.period().as_micros());
            push(&limit.tick().as_micros());
            push(&longest);
        }
        Ok(Call {
            keys: self.keys.clone(),
            arguments,
        })
    }
}

/// What is sent to a server: it borrows nothing of the request.
#[derive(Debug)]
pub(crate) struct Call {
    keys: Vec<String>,
    arguments: Vec<String>,
}

impl Call {
    /// A key of the call; in a cluster, all of them are in its slot.
    pub(crate) fn a_key(&self) -> Option<&str> {
        self.keys.first().map(String::as_str)
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
        let mut command = redis::cmd(name);
        command.arg(script).arg(self.keys.len());
        command.arg(&self.keys).arg(&self.arguments);
        command
    }
}

/// What the script calls the algorithm, and whether its windows start at first requests.
fn algorithm(limit: &Limit) -> Result<(&'static str, bool), StoreError> {
    match limit.algorithm() {
        Algorithm::TokenBucket | Algorithm::SlidingWindow | Algorithm::SlidingLog => {
            Ok((limit.algorithm().name(), false))
        }
        Algorithm::FixedWindow(anchor) => {
            Ok((limit.algorithm().name(), anchor == Anchor::FirstRequest))
        }
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
