//! What would be decided.

use tollgate::Store;

use super::{PolicyLimiter, Question};
use crate::decision::{Charges, Effect};
use crate::{Attributes, Decision};

impl<S: Store> PolicyLimiter<S> {
    /// What [`decide_question`](Self::decide_question) would decide, with the numbers as they
    /// stand. Nothing is spent or written, and operators see nothing of it, in counters or logs.
    ///
    /// Never fails: when the store does not answer, it says what would be decided then, in this
    /// process too. The request is read before this function returns.
    pub fn peek<'s, A: Attributes + ?Sized>(
        &'s self,
        question: &Question<'_, A>,
    ) -> impl Future<Output = Decision> + Send + use<'s, S, A> {
        let mut begun = Decision::default();
        self.begin_question(question, Effect::Look, &mut begun);
        async move {
            let count = self.look(&mut begun).await;
            if !begun.is_answered(count) {
                self.fall_back(&mut [&mut begun]);
            }
            begun.conclude();
            begun
        }
    }

    /// Looks at the charges of a decision, and says how many they are.
    pub(super) async fn look(&self, begun: &mut Decision) -> usize {
        let mut charges = Charges::new();
        let outcomes = begun.question(&mut charges);
        if !charges.is_empty() {
            *outcomes = self.store.peek(&charges).await.ok();
        }
        charges.len()
    }
}
