//! What a limiter is asked about one request.

use std::fmt;
use std::sync::Arc;

use tollgate::{Clock, MemoryStore, Store};

use super::PolicyLimiter;
use crate::decision::Effect;
use crate::{Attributes, Decision, PolicySet, Undecided};

/// A request, how many units it takes, and the policies that it is decided by.
///
/// ```
/// use tollgate::MemoryStore;
/// use tollgate_policy::{AttributeMap, Policy, PolicyLimiter, PolicySet, Question};
///
/// let tokens = Policy::builder("tokens").shared().limit("100/min fixed-window".parse()?);
/// let limiter = PolicyLimiter::new(PolicySet::new([tokens.build()?])?, MemoryStore::default());
/// let request = AttributeMap::new();
///
/// let decision = limiter.decide_question_now(&Question::new(&request).cost(60));
/// assert!(decision.is_allowed());
/// let decision = limiter.decide_question_now(&Question::new(&request).cost(60));
/// assert!(!decision.is_allowed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Question<'q, A: ?Sized = dyn Attributes + 'q> {
    pub(super) request: &'q A,
    pub(super) cost: u64,
    pub(super) policies: Option<&'q Arc<PolicySet>>,
}

impl<'q, A: Attributes + ?Sized> Question<'q, A> {
    /// Asks about a request of cost 1, decided by the limiter's policies.
    #[must_use]
    pub const fn new(request: &'q A) -> Self {
        Self {
            request,
            cost: 1,
            policies: None,
        }
    }

    /// How many units the whole request takes. The default is 1.
    ///
    /// Each policy charges its own [cost](crate::Policy::cost) so many times. A product above
    /// [`MAX_UNITS`](tollgate::MAX_UNITS) is more than any limit ever admits
    /// ([`Reason::NeverFits`](crate::Reason::NeverFits)). 0 only looks: nothing is spent or written.
    #[must_use]
    pub const fn cost(self, cost: u64) -> Self {
        Self { cost, ..self }
    }

    /// Decides by these policies in place of the limiter's, for this question alone.
    ///
    /// What they count is in the limiter's store, under their own names: a policy of the same name,
    /// key, algorithm and period as one of the limiter's counts with it. Secrets in keys are hashed
    /// as the limiter's policies hash them, whatever hash secret these have. Their names become
    /// labels of metrics like others, so no client may choose one.
    #[must_use]
    pub const fn decided_by(self, policies: &'q Arc<PolicySet>) -> Self {
        Self {
            policies: Some(policies),
            ..self
        }
    }
}

impl<A: ?Sized> Clone for Question<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: ?Sized> Copy for Question<'_, A> {}

/// Without the request, whose values may be secrets.
impl<A: ?Sized> fmt::Debug for Question<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("cost", &self.cost)
            .field("policies", &self.policies)
            .finish_non_exhaustive()
    }
}

impl<S: Store> PolicyLimiter<S> {
    /// Decides a request of a cost, or by policies of its own: see [`Question`]; else like
    /// [`decide`](Self::decide).
    pub fn decide_question<'s, A: Attributes + ?Sized>(
        &'s self,
        question: &Question<'_, A>,
    ) -> impl Future<Output = Decision> + Send + use<'s, S, A> {
        let mut begun = Decision::default();
        self.begin_question(question, Effect::Spend, &mut begun);
        async move {
            self.ask(&mut begun).await;
            begun
        }
    }

    /// Decides a question like [`decide_at_once`](Self::decide_at_once).
    ///
    /// # Errors
    ///
    /// If the store might have to be waited for. Nothing was charged then;
    /// [`decide_later`](Self::decide_later) waits.
    pub fn decide_question_at_once<A: Attributes + ?Sized>(
        &self,
        question: &Question<'_, A>,
    ) -> Result<Arc<Decision>, Undecided> {
        let mut shared = Arc::<Decision>::default();
        // Nobody shares it yet, so that this copies nothing.
        let begun = Arc::make_mut(&mut shared);
        self.begin_question(question, Effect::Spend, begun);
        if self.ask_at_once(begun) {
            Ok(shared)
        } else {
            Err(Undecided::new(shared))
        }
    }
}

impl<C: Clock> PolicyLimiter<MemoryStore<C>> {
    /// Decides a question without awaiting anything: see
    /// [`decide_question`](Self::decide_question).
    pub fn decide_question_now<A: Attributes + ?Sized>(
        &self,
        question: &Question<'_, A>,
    ) -> Decision {
        let mut begun = Decision::default();
        self.begin_question(question, Effect::Spend, &mut begun);
        // A store in memory need not be waited for.
        self.ask_at_once(&mut begun);
        begun
    }
}
