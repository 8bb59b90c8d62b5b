//! Units that turn out not to be needed.

use tollgate::{Charge, Outcome, Outcomes, Store, StoreError, Timestamp};

use super::{PolicyLimiter, Question};
use crate::decision::{Charges, Effect};
use crate::{Attributes, Decision};

impl<S: Store> PolicyLimiter<S> {
    /// Gives back units that were spent, by whatever request: each limit that the request would be
    /// charged to has so many units less counted, and at least none. That also holds for limits of
    /// policies in shadow.
    ///
    /// Use it where the caller learns later that less was needed and has no [`Decision`] to
    /// [settle](Self::settle). What it means is the same in every store:
    ///
    /// * A fixed window counts less in its present window. What was spent in an earlier one no longer
    ///   counts, and is not given back.
    /// * A sliding window gives back of its present window, and what that does not hold of the one
    ///   before, where a unit weighs less.
    /// * A sliding log forgets its newest admissions, the last one in part.
    /// * A token bucket is filled up by so many units, to its burst at most. What it has refilled
    ///   since they were spent is not taken off.
    ///
    /// Nothing is denied: a block and a missing key give nothing back. The decision has the numbers
    /// after it, and takes no units; without numbers if the store does not tell them any more.
    /// Operators see nothing of it. The request is read before this function returns.
    ///
    /// # Errors
    ///
    /// If the store could not give back. What this process counts in its place, where policies say
    /// so, was given back all the same.
    pub fn give_back<'s, A: Attributes + ?Sized>(
        &'s self,
        question: &Question<'_, A>,
    ) -> impl Future<Output = Result<Decision, StoreError>> + Send + use<'s, S, A> {
        let mut begun = Decision::default();
        self.begin_question(question, Effect::GiveBack, &mut begun);
        async move {
            if let Err(error) = self.refund_any(&begun).await {
                self.refund_any_here(&mut begun);
                return Err(error);
            }
            begun.take_no_units();
            let count = self.look(&mut begun).await;
            // Without an answer there are no numbers; what was given back stays so.
            begun.is_answered(count);
            begun.conclude();
            Ok(begun)
        }
    }

    async fn refund_any(&self, begun: &Decision) -> Result<(), StoreError> {
        let mut charges = Charges::new();
        begun.push_question(0, &mut charges);
        if charges.iter().all(|charge| charge.cost() == 0) {
            return Ok(());
        }
        self.store.refund(&charges, &any_admission(&charges)).await
    }

    #[cold]
    fn refund_any_here(&self, begun: &mut Decision) {
        if begun.prepare_local().charges > 0 {
            let mut charges = Charges::new();
            begun.push_local(0, &mut charges);
            let outages = self.store.outages();
            self.local()
                .refund(outages, &charges, &any_admission(&charges));
        }
    }
}

/// Stands for the admissions of charges, whichever they were.
fn any_admission(charges: &[Charge<'_>]) -> Outcomes {
    let each = charges
        .iter()
        .map(|charge| (Outcome::ANY_ADMISSION, charge.shadow().is_none()));
    Outcomes::new(Timestamp::EPOCH, each)
}
