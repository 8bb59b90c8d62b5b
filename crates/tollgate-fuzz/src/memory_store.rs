//! The store in memory beside the oracle.

use arbitrary::{Arbitrary, Unstructured};
use tollgate::{Charge, ManualClock, MemoryStore, Outcomes, Store};
use tollgate_core::{Limit, Micros, Timestamp};
use tollgate_testkit::{ReferenceStore, poll_now};

/// The most calls of an input: the oracle copies all that it knows at each of them.
const MAX_CALLS: usize = 64;

/// The most charges of a call.
const MAX_CHARGES: usize = 6;

/// Some of each row share a count, so that one takes the place of another while it is in use.
const LIMITS: [&str; 16] = [
    "10/min",
    "4/min burst 3",
    "25/min burst 70",
    "1000000000000/s",
    "3/s burst 20",
    "3/366d burst 12",
    "10/10s fixed-window",
    "3/10s fixed-window",
    "10/10s fixed-window anchor first-request",
    "2/10s fixed-window anchor first-request",
    "10/min sliding-window",
    "900000/min sliding-window",
    "1/1ms sliding-window",
    "5/min sliding-log",
    "12/min sliding-log",
    "1000000000000/1ms sliding-log",
];

#[derive(Arbitrary, Debug)]
enum Call {
    Decide,
    Peek,
    /// Of the admission so many calls ago.
    Refund(u8),
    Reset,
    Later(u32),
    LaterByMinutes(u8),
    Earlier(u32),
    /// To what the last decision promised, or a microsecond sooner.
    Promised(bool),
}

#[derive(Arbitrary, Clone, Debug)]
struct Asked {
    limit: u8,
    key: bool,
    /// Enforced, or of one of two shadow groups.
    group: u8,
    cost: u8,
}

/// The bytes are calls to two stores that read one clock: each outcome of the store in memory is
/// that of the oracle, bit for bit.
pub fn memory_store(data: &[u8]) {
    let limits: Vec<Limit> = LIMITS.iter().filter_map(|text| text.parse().ok()).collect();
    assert_eq!(limits.len(), LIMITS.len());
    let clock = ManualClock::new(Timestamp::from_secs(1_700_000_000));
    let ours = MemoryStore::builder()
        .max_keys(4_096)
        .clock(clock.clone())
        .build();
    let oracle = ReferenceStore::new(clock.clone());
    let mut input = Unstructured::new(data);
    let mut decided: Vec<(Vec<Asked>, Outcomes)> = Vec::new();
    for _ in 0..MAX_CALLS {
        if input.is_empty() {
            return;
        }
        let Ok(call) = Call::arbitrary(&mut input) else {
            return;
        };
        match call {
            Call::Decide => {
                let asked = some_charges(&mut input);
                let charges = charges(&limits, &asked);
                let (one, other) = (ours.decide_now(&charges), poll_now(oracle.decide(&charges)));
                assert_eq!(one.as_ref().ok(), other.as_ref().ok(), "{asked:?}");
                let outcomes = one.or(other);
                decided.extend(outcomes.ok().map(|outcomes| (asked, outcomes)));
            }
            Call::Peek => {
                let asked = some_charges(&mut input);
                let charges = charges(&limits, &asked);
                let other = poll_now(oracle.peek(&charges));
                assert_eq!(Some(ours.peek_now(&charges)), other.ok(), "{asked:?}");
            }
            Call::Refund(ago) => {
                let at = decided.len().checked_sub(usize::from(ago) + 1);
                if let Some((asked, outcomes)) = at.map(|at| decided.remove(at)) {
                    let charges = charges(&limits, &asked);
                    ours.refund_now(&charges, &outcomes);
                    assert!(poll_now(oracle.refund(&charges, &outcomes)).is_ok());
                    let other = poll_now(oracle.peek(&charges));
                    assert_eq!(Some(ours.peek_now(&charges)), other.ok(), "{asked:?}");
                }
            }
            Call::Reset => {
                for charge in charges(&limits, &some_charges(&mut input)) {
                    let (limit, policy, key) = (charge.limit(), charge.policy(), charge.key());
                    let other = poll_now(oracle.reset(limit, policy, key));
                    assert_eq!(Some(ours.reset_now(limit, policy, key)), other.ok());
                }
            }
            Call::Later(micros) => clock.advance(Micros::new(micros.into())),
            Call::LaterByMinutes(minutes) => {
                clock.advance(Micros::from_secs(60 * u64::from(minutes)));
            }
            Call::Earlier(micros) => {
                clock.set(now(&clock).saturating_sub(Micros::new(micros.into())));
            }
            Call::Promised(early) => {
                if let Some((_, outcomes)) = decided.last() {
                    let wait = outcomes.retry_after().unwrap_or(Micros::SECOND);
                    let promised = outcomes.at().saturating_add(wait);
                    clock.set(promised.saturating_sub(Micros::new(early.into())));
                }
            }
        }
    }
}

fn now(clock: &ManualClock) -> Timestamp {
    tollgate::Clock::now(clock)
}

fn some_charges(input: &mut Unstructured<'_>) -> Vec<Asked> {
    let count = input.int_in_range(0..=MAX_CHARGES).unwrap_or(0);
    (0..count)
        .map_while(|_| Asked::arbitrary(input).ok())
        .collect()
}

fn charges<'l>(limits: &'l [Limit], asked: &[Asked]) -> Vec<Charge<'l>> {
    let mut charges: Vec<Charge<'l>> = Vec::with_capacity(asked.len());
    for asked in asked {
        let Some(limit) = limits.get(usize::from(asked.limit) % limits.len()) else {
            continue;
        };
        // Buckets with different bursts must not share a count within a call.
        let earlier = charges.iter().map(Charge::limit);
        let same = earlier
            .into_iter()
            .find(|earlier| earlier.id() == limit.id());
        let limit = same.unwrap_or(limit);
        let key = if asked.key { "one" } else { "other" };
        let cost = match asked.cost {
            // Few units, or shares of the quota; a little above it too.
            few @ 0..128 => u64::from(few % 16),
            share => limit.quota() * u64::from(share - 127) / 120,
        };
        let charge = Charge::new(limit, key, cost);
        // A shadow policy is one by its name, so it never shares a count with an enforced one.
        charges.push(match asked.group % 6 {
            4 => charge.of_policy("first shadow").in_shadow(1),
            5 => charge.of_policy("second shadow").in_shadow(2),
            _ => charge.of_policy("enforced"),
        });
    }
    charges
}
