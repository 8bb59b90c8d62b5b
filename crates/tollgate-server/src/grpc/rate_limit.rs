//! `ShouldRateLimit`: descriptors → questions → decisions → an answer.

use std::sync::Arc;

use smallvec::SmallVec;
use tollgate::{AnyStore, StoreError};
use tollgate_engine::Engine;
use tollgate_policy::{
    ClientIdentity, Decision, Decisions, PolicyLimiter, PolicySet, Question, UndecidedTogether,
};
use tonic::{Request, Response, Status};

use super::answer;
use super::bounds;
use super::descriptor::Descriptor;
use super::generated::{
    RateLimitDescriptor, RateLimitOverride, RateLimitRequest, RateLimitResponse,
};
use super::overrides::Overrides;

/// Envoy's rate limit service.
pub(super) struct RateLimiter {
    engine: Engine,
    overrides: Overrides,
}

/// What is asked about one descriptor.
struct Asked<'m> {
    descriptor: Descriptor<'m>,
    hits: u64,
    /// The hits are given back.
    is_negative: bool,
    /// The limit that it brings along, and the policies that are made of it.
    limit: Option<(RateLimitOverride, Arc<PolicySet>)>,
}

/// What became of a descriptor.
pub(super) struct Answered {
    /// `None` if it was not decided: what it gives back is given only if the call is admitted.
    pub(super) decision: Option<Arc<Decision>>,
    /// The limit that it brought along.
    pub(super) limit: Option<RateLimitOverride>,
}

impl RateLimiter {
    pub(super) fn new(engine: Engine) -> Self {
        Self {
            engine,
            overrides: Overrides::default(),
        }
    }

    fn read<'m>(
        &self,
        message: &'m RateLimitRequest,
        identity: &ClientIdentity,
    ) -> Result<Few<Asked<'m>>, Status> {
        let domain = bounds::name(&message.domain, || "domain".to_owned())?;
        bounds::check_descriptors(message.descriptors.len())?;
        let mut all = Few::new();
        for (position, descriptor) in message.descriptors.iter().enumerate() {
            let limit = match descriptor.limit {
                None => None,
                Some(limit) => Some((limit, self.overrides.policies(position, limit)?)),
            };
            all.push(Asked {
                hits: hits(message, descriptor),
                is_negative: descriptor.is_negative_hits,
                limit,
                descriptor: Descriptor::read(domain, position, descriptor, identity)?,
            });
        }
        Ok(all)
    }

    /// Reads a call, and decides it if that takes no waiting.
    fn begin<'m>(
        &self,
        message: &'m RateLimitRequest,
    ) -> Result<(Few<Asked<'m>>, Result<Decisions, Waits>), Status> {
        let in_force = self.engine.limiter().in_force();
        let asked = self.read(message, in_force.identity())?;
        let spending = asked.iter().filter(|asked| !asked.is_negative);
        let questions: Few<_> = spending.map(Asked::question).collect();
        let policies = in_force.policies();
        let decided = policies.decide_together_at_once(&questions);
        drop(questions);
        let decided = decided.map_err(|undecided| (policies.clone(), undecided));
        Ok((asked, decided))
    }

    async fn give_back(&self, asked: &Asked<'_>) -> Result<Arc<Decision>, Status> {
        let policies = self.engine.policies();
        let given = policies.give_back(&asked.question()).await;
        given.map(Arc::new).map_err(|error| not_given_back(&error))
    }
}

impl RateLimiter {
    /// Decides a call, and answers it.
    pub(super) async fn decide(
        &self,
        request: Request<RateLimitRequest>,
    ) -> Result<Response<RateLimitResponse>, Status> {
        let message = request.into_inner();
        let (asked, decided) = self.begin(&message)?;
        let decisions = match decided {
            Ok(decisions) => decisions,
            Err((policies, undecided)) => policies.decide_together_later(undecided).await,
        };
        let are_allowed = decisions.are_allowed();
        let mut decisions = decisions.into_iter();
        let mut answers = Few::new();
        for asked in &asked {
            let decision = match asked.is_negative {
                false => decisions.next(),
                // A call that is denied changes nothing, so that it can be made again.
                true if are_allowed => Some(self.give_back(asked).await?),
                true => None,
            };
            answers.push(Answered {
                decision,
                limit: asked.limit.as_ref().map(|(limit, _)| *limit),
            });
        }
        answer::of(self.engine.limiter(), &answers).map(Response::new)
    }
}

/// What goes on if the store has to be waited for.
type Waits = (PolicyLimiter<AnyStore>, UndecidedTogether);

/// Most calls have one descriptor.
pub(super) type Few<T> = SmallVec<[T; 1]>;

impl<'m> Asked<'m> {
    fn question(&self) -> Question<'_, Descriptor<'m>> {
        let question = Question::new(&self.descriptor).cost(self.hits);
        match &self.limit {
            Some((_, policies)) => question.decided_by(policies),
            None => question,
        }
    }
}

/// The units that a descriptor takes, or gives back.
fn hits(message: &RateLimitRequest, descriptor: &RateLimitDescriptor) -> u64 {
    match (descriptor.hits_addend, message.hits_addend) {
        (Some(hits), _) => hits,
        // Envoy sends 0 where nothing is set.
        (None, 0) => 1,
        (None, hits) => hits.into(),
    }
}

#[cold]
fn not_given_back(error: &StoreError) -> Status {
    tracing::debug!(%error, "hits were not given back");
    Status::unavailable("the store could not give back what the descriptors say; try again")
}
