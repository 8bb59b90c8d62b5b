//! The conformance suite fails a store that has a fault: each of these has one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tollgate::{
    Charge, Limit, ManualClock, Micros, Outcome, Outcomes, Store, StoreError, StoreErrorKind,
    Verdict,
};
use tollgate_testkit::conformance::{self, TraceOptions};
use tollgate_testkit::{ReferenceStore, poll_now};

/// What a store does wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    SpendsOnPeek,
    WaitsAMicrosecondLonger,
    RefundsNothing,
    RefundsWhatWasDenied,
    ForgetsToReset,
    EnforcesShadows,
    DecidesOneByOne,
    MixesPolicies,
    RoundsToSeconds,
    AnswersNeverAsDeny,
    FailsProbes,
}

const FAULTS: [Fault; 11] = [
    Fault::SpendsOnPeek,
    Fault::WaitsAMicrosecondLonger,
    Fault::RefundsNothing,
    Fault::RefundsWhatWasDenied,
    Fault::ForgetsToReset,
    Fault::EnforcesShadows,
    Fault::DecidesOneByOne,
    Fault::MixesPolicies,
    Fault::RoundsToSeconds,
    Fault::AnswersNeverAsDeny,
    Fault::FailsProbes,
];

/// The oracle with a fault put in.
struct Faulty {
    inner: ReferenceStore<ManualClock>,
    fault: Fault,
}

impl Faulty {
    fn rewrite(&self, mut outcome: Outcome) -> Outcome {
        match self.fault {
            Fault::WaitsAMicrosecondLonger => {
                outcome.retry_after = outcome
                    .retry_after
                    .map(|wait| Micros::new(wait.as_micros() + 1));
            }
            Fault::RoundsToSeconds => {
                outcome.reset_after = Micros::from_secs(outcome.reset_after.as_secs_ceil());
            }
            Fault::AnswersNeverAsDeny if outcome.verdict == Verdict::Never => {
                outcome.verdict = Verdict::Deny;
                outcome.retry_after = Some(Micros::SECOND);
            }
            _ => {}
        }
        outcome
    }

    fn outcomes(&self, charges: &[Charge<'_>], outcomes: &Outcomes) -> Outcomes {
        let counts = charges.iter().map(|charge| charge.shadow().is_none());
        let rewritten = outcomes.iter().map(|outcome| self.rewrite(*outcome));
        Outcomes::new(outcomes.at(), rewritten.zip(counts))
    }

    fn charge<'a>(&self, charge: &Charge<'a>) -> Charge<'a> {
        let mut changed = Charge::new(charge.limit(), charge.key(), charge.cost());
        if self.fault != Fault::MixesPolicies {
            changed = changed.of_policy(charge.policy());
        }
        match charge.shadow() {
            Some(group) if self.fault != Fault::EnforcesShadows => changed.in_shadow(group),
            _ => changed,
        }
    }

    fn charges<'a>(&self, charges: &[Charge<'a>]) -> Vec<Charge<'a>> {
        charges.iter().map(|charge| self.charge(charge)).collect()
    }
}

impl Store for Faulty {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let charges = self.charges(charges);
        if self.fault == Fault::DecidesOneByOne {
            let mut outcomes = Vec::new();
            let mut at = conformance::START;
            for charge in &charges {
                let one = self.inner.decide(&[*charge]).await?;
                at = one.at();
                let counts = charge.shadow().is_none();
                outcomes.extend(one.iter().map(|outcome| (*outcome, counts)));
            }
            return Ok(Outcomes::new(at, outcomes));
        }
        let outcomes = self.inner.decide(&charges).await?;
        Ok(self.outcomes(&charges, &outcomes))
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let charges = self.charges(charges);
        let outcomes = self.inner.peek(&charges).await?;
        if self.fault == Fault::SpendsOnPeek {
            self.inner.decide(&charges).await?;
        }
        Ok(self.outcomes(&charges, &outcomes))
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        let charges = self.charges(charges);
        match self.fault {
            Fault::RefundsNothing => Ok(()),
            Fault::RefundsWhatWasDenied => {
                let allowed = admitted.iter().map(|outcome| {
                    let verdict = Verdict::Allow;
                    (
                        Outcome {
                            verdict,
                            ..*outcome
                        },
                        true,
                    )
                });
                let allowed = Outcomes::new(admitted.at(), allowed);
                self.inner.refund(&charges, &allowed).await
            }
            _ => self.inner.refund(&charges, admitted).await,
        }
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        match self.fault {
            Fault::ForgetsToReset => Ok(true),
            Fault::MixesPolicies => self.inner.reset(limit, "", key).await,
            _ => self.inner.reset(limit, policy, key).await,
        }
    }

    async fn probe(&self) -> Result<(), StoreError> {
        match self.fault {
            Fault::FailsProbes => Err(StoreError::new(StoreErrorKind::Unavailable, "away")),
            _ => self.inner.probe().await,
        }
    }
}

fn faulty(fault: Fault) -> (Faulty, ManualClock) {
    let clock = ManualClock::new(conformance::START);
    let inner = ReferenceStore::new(clock.clone());
    (Faulty { inner, fault }, clock)
}

fn fails(run: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(run)).is_err()
}

#[test]
fn the_suite_passes_the_oracle_and_fails_every_fault() {
    let run = |fault| {
        let (store, clock) = faulty(fault);
        fails(|| poll_now(conformance::run_all(&store, &clock)))
    };
    assert!(!run(Fault::None), "the oracle passes");
    for fault in FAULTS {
        assert!(run(fault), "{fault:?} passes");
    }
}

#[test]
fn random_traces_find_every_fault() {
    // But for those of probes, which they do not send.
    let sought = |fault: &Fault| *fault != Fault::FailsProbes;
    for fault in FAULTS.into_iter().filter(sought) {
        let (store, clock) = faulty(fault);
        let found = (0..20).any(|seed| {
            let options = TraceOptions {
                seed,
                ..TraceOptions::default()
            };
            fails(|| poll_now(conformance::random_trace(&store, &clock, &options)))
        });
        assert!(found, "{fault:?} passes 20 traces");
    }
}

#[test]
fn a_difference_is_told_with_its_seed_and_what_led_to_it() {
    let (store, clock) = faulty(Fault::RefundsNothing);
    let message = (0..20).find_map(|seed| {
        let options = TraceOptions {
            seed,
            ..TraceOptions::default()
        };
        let run = || poll_now(conformance::random_trace(&store, &clock, &options));
        let panic = catch_unwind(AssertUnwindSafe(run)).err()?;
        panic.downcast_ref::<String>().cloned()
    });
    let Some(message) = message else {
        panic!("no trace found the fault");
    };
    for part in [
        "seed ",
        "step ",
        "the store: ",
        "the oracle: ",
        "before:\nseed ",
    ] {
        assert!(message.contains(part), "{part:?} is not in {message}");
    }
}
