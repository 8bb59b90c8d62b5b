//! What a call of the script says.

use tollgate::{Charge, Limit, Outcome, Outcomes, StoreError};

use crate::answer::NUMBERS;
use crate::call::Call;
use crate::key;

/// What the script is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Decide,
    Peek,
    Refund,
    Reset,
    /// Decides without spending: what a denial would write is written.
    Look,
}

impl Operation {
    /// The script's number of it.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Decide => 1,
            Self::Peek => 2,
            Self::Refund => 3,
            Self::Reset => 4,
            Self::Look => 5,
        }
    }

    /// How many numbers the script answers to it.
    pub(crate) const fn answers(self, charges: usize) -> usize {
        match self {
            Self::Decide | Self::Peek | Self::Look => 1 + charges * NUMBERS,
            Self::Refund => 1,
            Self::Reset => 2,
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
    pub(crate) key: usize,
    /// 0 for enforced charges, or the admission's instant.
    pub(crate) group: u64,
    /// Its cost with that of earlier charges of its group on the same count, or the admission's
    /// reset.
    pub(crate) asked: u64,
}

impl<'a> Request<'a> {
    /// Decides or peeks.
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

    /// Decides a charge whose count lies at `key`, which no other charge has.
    pub(crate) fn at(key: String, charge: Charge<'a>) -> Self {
        let mut request = Self::deciding(Operation::Decide, "", &[charge]);
        request.keys = vec![key];
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
        Call::new(self.operation, time, self.keys.clone(), &self.items)
    }
}
