//! Random traces, decided by a store and by the oracle.

use std::fmt;

use fastrand::Rng;
use tollgate::{ManualClock, Outcomes, Store};
use tollgate_core::{Charge, Limit, Micros, Outcome, Timestamp};

use super::{START, decide, limit, peek, refund, reset};
use crate::ReferenceStore;

/// What a trace may contain.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// The same seed gives the same trace.
    pub seed: u64,
    /// How many calls and movements of the clock.
    pub steps: usize,
    /// How many different keys. Few keys meet themselves often.
    pub keys: usize,
    /// Limits with a shorter period are left out. For a store whose keys expire by a clock of its
    /// own, longer than the trace takes to run.
    pub shortest_period: Micros,
    /// Whether the clock now and then steps back.
    pub steps_back: bool,
    /// Of sixteen requests, so many are the last one again, as clients ask who are denied; many of
    /// the others are then charges of one policy and key, by several limits.
    pub repeats: u8,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            steps: 400,
            keys: 3,
            shortest_period: Micros::ZERO,
            steps_back: true,
            repeats: 0,
        }
    }
}

/// Limits that share an id, so that one can take the place of another while keys are in use. They
/// differ in units, burst and tick.
const FAMILIES: [&[&str]; 15] = [
    &["10/min", "4/min", "25/min burst 3", "7/min burst 70"],
    &["1/s", "3/s burst 20", "1000000000000/s burst 1000000000000"],
    &["5/1ms", "1/1ms burst 40", "1000000/1ms"],
    &["1/366d", "3/366d burst 12"],
    &[
        "1000000000000/100d",
        "999999999999/100d burst 7",
        "3/100d burst 300",
    ],
    &["7/7s burst 2", "2/7s"],
    &[
        "10/10s fixed-window",
        "3/10s fixed-window",
        "1000000000000/10s fixed-window",
    ],
    &["2/1ms fixed-window"],
    &["4/d fixed-window", "9/d fixed-window"],
    &[
        "10/10s fixed-window anchor first-request",
        "2/10s fixed-window anchor first-request",
    ],
    &[
        "10/min sliding-window",
        "3/min sliding-window",
        "900000/min sliding-window",
    ],
    &["1/10s sliding-window", "6/10s sliding-window"],
    &[
        "1000000000000/100d sliding-window",
        "17/100d sliding-window",
    ],
    &[
        "5/min sliding-log",
        "12/min sliding-log",
        "2/min sliding-log",
    ],
    &["3/1ms sliding-log", "1000000000000/1ms sliding-log"],
];

/// Plays a random trace on `store` and on a [`ReferenceStore`] that reads the same clock.
///
/// # Panics
///
/// If an outcome differs in any bit. The message holds the seed, the step and both outcomes.
pub async fn random_trace<S: Store>(store: &S, clock: &ManualClock, options: &TraceOptions) {
    let mut rng = Rng::with_seed(options.seed);
    let mut families: Vec<Family> = FAMILIES
        .iter()
        .map(|texts| Family {
            limits: texts.iter().map(|text| limit(text)).collect(),
            chosen: 0,
        })
        .filter(|family| {
            family
                .limits
                .iter()
                .all(|limit| limit.period() >= options.shortest_period)
        })
        .collect();
    let oracle = ReferenceStore::new(clock.clone());
    let mut admitted: Vec<(Vec<Spec>, Outcomes)> = Vec::new();
    let mut history = History::default();
    clock.set(START.saturating_add(Micros::new(rng.u64(..1_000_000_000))));
    for step in 0..options.steps {
        history.place = format!(
            "seed {}, step {step}, at {:?}",
            options.seed,
            clock_now(clock)
        );
        match rng.u8(..20) {
            0..=9 => {
                let specs = match admitted.last() {
                    // Without repeats, a trace is what it was before there were any.
                    Some((last, _)) if options.repeats > 0 && rng.u8(..16) < options.repeats => {
                        last.clone()
                    }
                    _ => request(&mut rng, &families, options),
                };
                let charges: Vec<_> = specs.iter().map(Spec::charge).collect();
                let ours = decide(store, &charges).await;
                let right = decide(&oracle, &charges).await;
                history.compare("decide", &specs, &ours, &right);
                admitted.push((specs, right));
            }
            10..=11 => {
                let specs = request(&mut rng, &families, options);
                let charges: Vec<_> = specs.iter().map(Spec::charge).collect();
                let ours = peek(store, &charges).await;
                let right = peek(&oracle, &charges).await;
                history.compare("peek", &specs, &ours, &right);
            }
            12..=13 if !admitted.is_empty() => {
                let newest = admitted.len() - 1;
                let index = newest - rng.usize(..=newest.min(5));
                let (specs, outcomes) = admitted.remove(index);
                let charges: Vec<_> = specs.iter().map(Spec::charge).collect();
                let outcomes = if rng.u8(..4) == 0 {
                    whoever(&charges)
                } else {
                    outcomes
                };
                refund(store, &charges, &outcomes).await;
                refund(&oracle, &charges, &outcomes).await;
                let ours = peek(store, &charges).await;
                let right = peek(&oracle, &charges).await;
                history.compare("refund, then peek", &specs, &ours, &right);
            }
            14 => {
                let specs = request(&mut rng, &families, options);
                if let Some(spec) = specs.first() {
                    let ours = reset(store, &spec.limit, &spec.policy, &spec.key).await;
                    let right = reset(&oracle, &spec.limit, &spec.policy, &spec.key).await;
                    assert_eq!(ours, right, "{}: reset {spec}", history.place);
                    history.record("reset", spec, &right);
                }
            }
            15 => {
                for family in &mut families {
                    family.chosen = rng.usize(..family.limits.len());
                }
            }
            _ => move_clock(&mut rng, clock, &admitted, options),
        }
    }
}

/// Outcomes by which the latest units are given back, whoever spent them.
fn whoever(charges: &[Charge<'_>]) -> Outcomes {
    let counts = charges.iter().map(|charge| charge.shadow().is_none());
    let any = std::iter::repeat(Outcome::ANY_ADMISSION);
    Outcomes::new(Timestamp::EPOCH, any.zip(counts))
}

struct Family {
    limits: Vec<Limit>,
    chosen: usize,
}

/// A charge that owns what it names.
#[derive(Clone)]
struct Spec {
    limit: Limit,
    policy: String,
    key: String,
    cost: u64,
    shadow: Option<u16>,
}

impl Spec {
    fn count(&self) -> Count {
        let limit = self.limit.id().as_u64();
        (self.policy.clone(), self.key.clone(), limit)
    }

    fn charge(&self) -> Charge<'_> {
        let charge = Charge::new(&self.limit, &self.key, self.cost).of_policy(&self.policy);
        match self.shadow {
            Some(group) => charge.in_shadow(group),
            None => charge,
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of `{}` for {:?} under {:?}",
            self.cost, self.limit, self.key, self.policy
        )?;
        match self.shadow {
            Some(group) => write!(f, " in shadow {group}"),
            None => Ok(()),
        }
    }
}

/// The charges of one request: up to six, now and then the same count twice.
fn request(rng: &mut Rng, families: &[Family], options: &TraceOptions) -> Vec<Spec> {
    // Half of the time a single charge, so that limits are not only met through others.
    let count = if rng.bool() { 1 } else { rng.usize(1..=6) };
    if options.repeats > 0 && rng.u8(..4) > 0 {
        return of_one_policy(rng, families, count, options);
    }
    (0..count)
        .filter_map(|_| {
            let family = rng.choice(families)?;
            let limit = family.limits.get(family.chosen)?.clone();
            let shadow = (rng.u8(..4) == 0).then(|| rng.u16(1..3));
            Some(Spec {
                cost: cost(rng, limit.quota()),
                limit,
                policy: policy(shadow, options),
                key: format!("key {}", rng.usize(..options.keys.max(1))),
                shadow,
            })
        })
        .collect()
}

/// Charges of the same cost, for one key of one policy.
fn of_one_policy(
    rng: &mut Rng,
    families: &[Family],
    count: usize,
    options: &TraceOptions,
) -> Vec<Spec> {
    let key = format!("key {}", rng.usize(..options.keys.max(1)));
    let shadow = (rng.u8(..8) == 0).then_some(1);
    let limits: Vec<&Limit> = rng
        .choose_multiple(families, count)
        .into_iter()
        .filter_map(|family| family.limits.get(family.chosen))
        .collect();
    let least = limits.iter().map(|limit| limit.quota()).min();
    let cost = match rng.u8(..8) {
        0 => rng.u64(..5),
        // Uses one of them up, so that the next is denied.
        1..=3 => least.unwrap_or(1),
        _ => 1,
    };
    let spec = |limit: &&Limit| Spec {
        cost,
        limit: (*limit).clone(),
        policy: policy(shadow, options),
        key: key.clone(),
        shadow,
    };
    limits.iter().map(spec).collect()
}

/// A shadow policy is one by its name, so it never shares a count with an enforced one.
fn policy(shadow: Option<u16>, options: &TraceOptions) -> String {
    match shadow {
        Some(group) => format!("trace {} shadow {group}", options.seed),
        None => format!("trace {}", options.seed),
    }
}

fn cost(rng: &mut Rng, quota: u64) -> u64 {
    match rng.u8(..16) {
        0 => 0,
        1 => quota + 1,
        2 => quota,
        3 => quota.div_ceil(2),
        4 => rng.u64(1..=quota),
        5 => u64::MAX,
        _ => rng.u64(1..=quota.min(3)),
    }
}

/// Moves the clock: by a little, by a lot, to an instant that some outcome promised or just before
/// it, or back.
fn move_clock(
    rng: &mut Rng,
    clock: &ManualClock,
    admitted: &[(Vec<Spec>, Outcomes)],
    options: &TraceOptions,
) {
    let spans: [u64; 12] = [
        1,
        2,
        999,
        1_000,
        250_000,
        999_999,
        6_000_000,
        10_000_000,
        60_000_000,
        3_600_000_000,
        86_400_000_000,
        366 * 86_400_000_000,
    ];
    // A year is rare, or the trace would end in the last representable year.
    let reach = if rng.u8(..20) == 0 { 12 } else { 9 };
    let span = spans.get(rng.usize(..reach)).copied().unwrap_or(1);
    let span = Micros::new(rng.u64(1..=span));
    match rng.u8(..10) {
        0..=1 if options.steps_back => clock.set(clock_now(clock).saturating_sub(span)),
        2..=5 => {
            let promises = admitted.last().map(|(_, outcomes)| {
                outcomes
                    .iter()
                    .flat_map(|outcome| [outcome.retry_after, Some(outcome.reset_after)])
                    .flatten()
                    .map(|wait| outcomes.at().saturating_add(wait))
                    .filter(|instant| *instant > clock_now(clock))
                    .collect::<Vec<Timestamp>>()
            });
            if let Some(promised) = promises.and_then(|promises| rng.choice(promises)) {
                clock.set(promised.saturating_sub(Micros::new(u64::from(rng.bool()))));
            }
        }
        _ => clock.advance(span),
    }
}

fn clock_now(clock: &ManualClock) -> Timestamp {
    tollgate::Clock::now(clock)
}

/// What was done to each count, to tell how a difference came about.
#[derive(Default)]
struct History {
    place: String,
    events: Vec<(Count, String)>,
}

type Count = (String, String, u64);

impl History {
    fn record(&mut self, call: &str, spec: &Spec, answer: &dyn fmt::Debug) {
        let event = format!("{}: {call} {spec}: {answer:?}", self.place);
        self.events.push((spec.count(), event));
    }

    fn compare(&mut self, call: &str, specs: &[Spec], ours: &Outcomes, right: &Outcomes) {
        for (index, spec) in specs.iter().enumerate() {
            let (ours, right) = (ours.as_slice().get(index), right.as_slice().get(index));
            assert!(
                ours == right,
                "{}: {call}, charge {index}: {spec}\n  the store: {ours:?}\n the oracle: {right:?}\nbefore:\n{}",
                self.place,
                self.of(spec)
            );
            self.record(call, spec, &right);
        }
        assert_eq!(ours, right, "{}: {call}", self.place);
    }

    /// The last events of the count that `spec` charges, one a line.
    fn of(&self, spec: &Spec) -> String {
        let events: Vec<_> = self
            .events
            .iter()
            .filter(|(count, _)| *count == spec.count())
            .map(|(_, event)| event.as_str())
            .collect();
        let skipped = events.len().saturating_sub(12);
        events.get(skipped..).unwrap_or_default().join("\n")
    }
}
