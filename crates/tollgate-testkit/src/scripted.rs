//! A store that answers what it was told to.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tollgate::{Outcomes, Store, StoreError, StoreErrorKind};
use tollgate_core::{Charge, Limit};

/// What a [`ScriptedStore`] answers to one call of `decide` or `peek`.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a script has a handful of answers"
)]
pub enum ScriptedAnswer {
    /// These outcomes, whatever was asked.
    Outcomes(Outcomes),
    /// An error of this kind.
    Error(StoreErrorKind),
    /// Nothing, ever: the future stays pending.
    Silence,
}

/// A store that answers a list of answers in order, and counts its calls.
///
/// A call beyond the end of the list panics, so that no test passes by asking more often than it
/// says. Refunds and resets succeed.
#[derive(Debug, Default)]
pub struct ScriptedStore {
    answers: Mutex<VecDeque<ScriptedAnswer>>,
    decisions: AtomicUsize,
    peeks: AtomicUsize,
    refunds: AtomicUsize,
    resets: AtomicUsize,
}

impl ScriptedStore {
    /// A store that will give these answers.
    pub fn new(answers: impl IntoIterator<Item = ScriptedAnswer>) -> Self {
        Self {
            answers: Mutex::new(answers.into_iter().collect()),
            ..Self::default()
        }
    }

    /// Adds an answer at the end.
    pub fn then(&self, answer: ScriptedAnswer) {
        self.answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_back(answer);
    }

    /// How often `decide` was called.
    pub fn decisions(&self) -> usize {
        self.decisions.load(Ordering::SeqCst)
    }

    /// How often `peek` was called.
    pub fn peeks(&self) -> usize {
        self.peeks.load(Ordering::SeqCst)
    }

    /// How often `refund` was called.
    pub fn refunds(&self) -> usize {
        self.refunds.load(Ordering::SeqCst)
    }

    /// How often `reset` was called.
    pub fn resets(&self) -> usize {
        self.resets.load(Ordering::SeqCst)
    }

    async fn answer(&self) -> Result<Outcomes, StoreError> {
        let answer = self
            .answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front();
        match answer {
            Some(ScriptedAnswer::Outcomes(outcomes)) => Ok(outcomes),
            Some(ScriptedAnswer::Error(kind)) => Err(StoreError::new(kind, "told to fail")),
            Some(ScriptedAnswer::Silence) => pending().await,
            None => panic!("the store was asked more often than it has answers"),
        }
    }
}

impl Store for ScriptedStore {
    async fn decide(&self, _charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.decisions.fetch_add(1, Ordering::SeqCst);
        self.answer().await
    }

    async fn peek(&self, _charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.peeks.fetch_add(1, Ordering::SeqCst);
        self.answer().await
    }

    async fn refund(
        &self,
        _charges: &[Charge<'_>],
        _admitted: &Outcomes,
    ) -> Result<(), StoreError> {
        self.refunds.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    async fn reset(&self, _limit: &Limit, _policy: &str, _key: &str) -> Result<bool, StoreError> {
        self.resets.fetch_add(1, Ordering::SeqCst);
        Ok(true)
    }
}
