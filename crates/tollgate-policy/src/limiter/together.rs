//! Several requests in one call of the store.

use std::sync::Arc;

use smallvec::SmallVec;
use tollgate::{Outcomes, Store};

use super::{PolicyLimiter, Question};
use crate::decision::{Charges, Decisions, Effect, UndecidedTogether};
use crate::{Attributes, Decision};

/// The decisions of a call, while they are made.
type Begun = SmallVec<[Arc<Decision>; 1]>;
/// The same, where nobody shares them yet.
type Each<'d> = SmallVec<[&'d mut Decision; 4]>;

impl<S: Store> PolicyLimiter<S> {
    /// Decides several requests together: all are admitted and spent, or nothing is spent anywhere.
    ///
    /// The store is asked once for the charges of all questions, or not at all if nothing is to be
    /// counted. Each question has a decision of its own, which says what it gets by itself, with
    /// the numbers as they stand if nothing was spent. So a decision can be allowed although the
    /// call is not ([`Decisions::are_allowed`]); [`Decision::only_looked`] says so.
    ///
    /// * If a question is denied without the store, by a block or for a missing key, the store is
    ///   only looked at for the others.
    /// * Where two questions charge the same count, their costs add up: the later one is admitted
    ///   only if what both ask for fits.
    /// * A policy in shadow takes no part in any verdict. Each question's is judged and spent by
    ///   itself, if the call is admitted.
    /// * If the store makes no decision, each policy's
    ///   [`on_store_failure`](crate::PolicyBuilder::on_store_failure) decides. What is decided in
    ///   this process is decided by one call too, and only looked at if any question is denied.
    ///
    /// The requests are read before this function returns, so that the future does not hold on to
    /// them. Never fails. No questions are allowed.
    pub fn decide_together<'s, A: Attributes + ?Sized>(
        &'s self,
        questions: &[Question<'_, A>],
    ) -> impl Future<Output = Decisions> + Send + use<'s, S, A> {
        self.decide_together_later(UndecidedTogether::new(self.begin_all(questions)))
    }

    /// Decides like [`decide_together`](Self::decide_together), if that takes no waiting: if
    /// nothing is to be counted, or the store [decides at once](Store::decide_at_once). For one
    /// question nothing is allocated beside its decision.
    ///
    /// # Errors
    ///
    /// If the store might have to be waited for, as also where it is only to be looked at. Nothing
    /// was charged then; [`decide_together_later`](Self::decide_together_later) waits.
    pub fn decide_together_at_once<A: Attributes + ?Sized>(
        &self,
        questions: &[Question<'_, A>],
    ) -> Result<Decisions, UndecidedTogether> {
        let mut begun = self.begin_all(questions);
        let is_decided = match begun.as_mut_slice() {
            [one] => self.ask_at_once(Arc::make_mut(one)),
            several => self.ask_all_at_once(&mut each(several)),
        };
        if is_decided {
            Ok(Decisions::new(begun))
        } else {
            Err(UndecidedTogether::new(begun))
        }
    }

    /// Decides requests that could not be decided at once.
    pub fn decide_together_later(
        &self,
        undecided: UndecidedTogether,
    ) -> impl Future<Output = Decisions> + Send + use<'_, S> {
        let mut begun = undecided.into_begun();
        async move {
            match begun.as_mut_slice() {
                [one] => self.ask(Arc::make_mut(one)).await,
                several => self.ask_all(&mut each(several)).await,
            }
            Decisions::new(begun)
        }
    }

    fn begin_all<A: Attributes + ?Sized>(&self, questions: &[Question<'_, A>]) -> Begun {
        let begin = |question| {
            let mut shared = Arc::<Decision>::default();
            // Nobody shares it yet, so that this copies nothing.
            self.begin_question(question, Effect::Spend, Arc::make_mut(&mut shared));
            shared
        };
        questions.iter().map(begin).collect()
    }

    /// Asks a store that need not be waited for; false if it must be, and then it was not asked.
    fn ask_all_at_once(&self, each: &mut [&mut Decision]) -> bool {
        let mut charges = Charges::new();
        push_questions(each, &mut charges);
        let count = charges.len();
        let answer = match () {
            () if count == 0 => None,
            () if !may_spend(each) => return false,
            () => match self.store.decide_at_once(&charges) {
                Some(answer) => answer.ok(),
                None => return false,
            },
        };
        drop(charges);
        self.conclude_all(each, count, answer);
        true
    }

    async fn ask_all(&self, each: &mut [&mut Decision]) {
        let mut charges = Charges::new();
        push_questions(each, &mut charges);
        let count = charges.len();
        let answer = if count == 0 {
            None
        } else if may_spend(each) {
            self.store.decide(&charges).await.ok()
        } else {
            self.store.peek(&charges).await.ok()
        };
        drop(charges);
        self.conclude_all(each, count, answer);
    }

    /// Ends the decisions of a call when the store has answered so many charges, or has not.
    fn conclude_all(&self, each: &mut [&mut Decision], charges: usize, answer: Option<Outcomes>) {
        match answer.filter(|outcomes| outcomes.as_slice().len() == charges) {
            Some(outcomes) => share_out(each, &outcomes, None),
            None if charges == 0 => {}
            None => self.fall_back(each),
        }
        for decision in each.iter_mut() {
            decision.conclude();
        }
        if !each.iter().all(|decision| decision.is_allowed()) {
            for decision in each.iter_mut().filter(|decision| decision.is_allowed()) {
                decision.effect = Effect::Look;
            }
        }
        for decision in each.iter() {
            self.observe(decision);
        }
    }

    /// Decides in this process what the store did not decide and policies say is decided here.
    #[cold]
    pub(super) fn fall_back(&self, each: &mut [&mut Decision]) {
        let mut spends = may_spend(each);
        let mut count = 0;
        for decision in each.iter_mut() {
            let fallback = decision.prepare_local();
            count += fallback.charges;
            spends &= !fallback.denies;
        }
        if count == 0 {
            return;
        }
        let mut charges = Charges::new();
        let mut first = 0;
        for decision in each.iter() {
            decision.push_local(first, &mut charges);
            first += decision.entries.len();
        }
        let ended = self.store.outages();
        let (outages, answer) = if spends {
            self.local().decide(ended, &charges)
        } else {
            self.local().peek(ended, &charges)
        };
        drop(charges);
        match answer {
            Ok(outcomes) => share_out(each, &outcomes, Some(outages)),
            Err(_) => {
                for decision in each.iter_mut() {
                    decision.fail_locally();
                }
            }
        }
    }
}

/// Nobody shares them yet, so that this copies nothing.
fn each(begun: &mut [Arc<Decision>]) -> Each<'_> {
    begun.iter_mut().map(Arc::make_mut).collect()
}

/// True if nothing is denied so far, and something is to be spent.
fn may_spend(each: &[&mut Decision]) -> bool {
    each.iter()
        .all(|decision| decision.effect == Effect::Spend && decision.is_allowed())
}

/// The charges of all questions that are not denied already, in order. Each question's policies in
/// shadow are groups of their own.
fn push_questions<'a>(each: &'a [&mut Decision], charges: &mut Charges<'a>) {
    let mut first = 0;
    for decision in each {
        decision.push_question(first, charges);
        first += decision.entries.len();
    }
}

/// Gives each question the outcomes of its charges: of the store, or of the local one after so
/// many outages.
fn share_out(each: &mut [&mut Decision], outcomes: &Outcomes, local: Option<u64>) {
    let mut rest = outcomes.as_slice();
    for decision in each {
        let Some((own, others)) = rest.split_at_checked(decision.asks()) else {
            return;
        };
        rest = others;
        if !own.is_empty() {
            decision.take(outcomes.at(), own, local);
        }
    }
}
