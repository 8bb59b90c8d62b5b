//! `ShouldRateLimit`: descriptors → questions → decisions → an answer.

use std::pin::Pin;
use std::sync::Arc;

use prost::Message as _;
use smallvec::SmallVec;
use tollgate::{AnyStore, StoreError};
use tollgate_engine::Engine;
use tollgate_http::HttpLimiter;
use tollgate_policy::{
    ClientIdentity, Decision, Decisions, PolicyLimiter, PolicySet, Question, UndecidedTogether,
};
use tonic::Status;

use super::answer;
use super::bounds;
use super::descriptor::Descriptor;
use super::generated::{RateLimitOverride, RateLimitRequest, RateLimitResponse};
use super::overrides::Overrides;
use super::wire;
use crate::attributes::shown;
use crate::seldom::Seldom;
use crate::trace::Tracing;

/// Envoy's rate limit service.
pub(super) struct RateLimiter {
    engine: Engine,
    overrides: Overrides,
    /// Of paths that are none.
    no_path: Seldom,
}

/// A call that has begun.
pub(super) enum Begun {
    Answered(Answer),
    /// Its answer, as soon as the store has answered.
    Waits(Pin<Box<dyn Future<Output = Result<Answer, Status>> + Send>>),
}

/// The answer to a call.
pub(super) struct Answer {
    /// A `RateLimitResponse` with the prefix that messages of gRPC have.
    pub(super) message: Vec<u8>,
    /// True if its overall code is OK.
    pub(super) is_allowed: bool,
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
            no_path: Seldom::new(),
        }
    }

    /// Begins a call that gives nothing back, and answers it if that takes no waiting.
    ///
    /// # Errors
    ///
    /// What is asked breaks a bound or is not understood, or there is no decision.
    pub(super) fn begin(
        &self,
        request: &wire::Request<'_>,
        span: Tracing,
    ) -> Result<Begun, Status> {
        let (asked, decided) = self.decide(request)?;
        let limiter = self.engine.limiter();
        match decided {
            Ok(decisions) => {
                answer_all(limiter, limits(&asked), decisions, span).map(Begun::Answered)
            }
            Err((policies, undecided)) => {
                let limits: Few<_> = limits(&asked).collect();
                let limiter = limiter.clone();
                Ok(Begun::Waits(Box::pin(async move {
                    let decisions = policies.decide_together_later(undecided).await;
                    answer_all(&limiter, limits, decisions, span)
                })))
            }
        }
    }

    fn read<'m>(
        &self,
        request: &wire::Request<'m>,
        identity: &ClientIdentity,
    ) -> Result<Few<Asked<'m>>, Status> {
        let domain = bounds::name(request.domain, || "domain".to_owned())?;
        bounds::check_descriptors(request.descriptors.len())?;
        let mut all = Few::new();
        for (position, descriptor) in request.descriptors.iter().enumerate() {
            let limit = match descriptor.limit {
                None => None,
                Some(limit) => Some((limit, self.overrides.policies(position, limit)?)),
            };
            let read = Descriptor::read(domain, position, descriptor, identity)?;
            if read.has_no_path() {
                self.tell_of_no_path(domain);
            }
            all.push(Asked {
                hits: hits(request, descriptor),
                is_negative: descriptor.is_negative_hits,
                limit,
                descriptor: read,
            });
        }
        Ok(all)
    }

    /// An error would let the request through where the proxy lets those through that are not decided.
    #[cold]
    fn tell_of_no_path(&self, domain: &str) {
        if let Some(untold) = self.no_path.tell() {
            tracing::warn!(
                domain = shown(domain),
                untold,
                "an entry `path` does not begin with `/`, so that no policy on a path matches it: send \
                 `:path` as it is"
            );
        }
    }

    /// Reads a call, and decides what it spends if that takes no waiting.
    fn decide<'m>(
        &self,
        request: &wire::Request<'m>,
    ) -> Result<(Few<Asked<'m>>, Result<Decisions, Waits>), Status> {
        let in_force = self.engine.limiter().in_force();
        let asked = self.read(request, in_force.identity())?;
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

    /// Decides a call of any form, and answers it.
    pub(super) async fn decide_message(
        &self,
        message: RateLimitRequest,
        span: Tracing,
    ) -> Result<RateLimitResponse, Status> {
        let (asked, decided) = self.decide(&wire::Request::of(&message))?;
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
        let answer = answer::of(self.engine.limiter(), &answers)?;
        span.end_all(decisions_of(&answers));
        let message = answer.get(answer::PREFIX..).unwrap_or_default();
        let message = RateLimitResponse::decode(message);
        // What we have written can be read.
        message.map_err(|error| Status::internal(error.to_string()))
    }
}

/// The answer to a call all of whose descriptors were decided.
fn answer_all(
    limiter: &HttpLimiter<AnyStore>,
    limits: impl IntoIterator<Item = Option<RateLimitOverride>>,
    decisions: Decisions,
    span: Tracing,
) -> Result<Answer, Status> {
    let is_allowed = decisions.are_allowed();
    let answers = limits.into_iter().zip(decisions);
    let answers: Few<_> = answers
        .map(|(limit, decision)| Answered {
            decision: Some(decision),
            limit,
        })
        .collect();
    let message = answer::of(limiter, &answers)?;
    span.end_all(decisions_of(&answers));
    Ok(Answer {
        message,
        is_allowed,
    })
}

fn decisions_of(answers: &[Answered]) -> impl Iterator<Item = &Decision> {
    answers.iter().filter_map(|it| it.decision.as_deref())
}

fn limits(asked: &[Asked<'_>]) -> impl Iterator<Item = Option<RateLimitOverride>> {
    let limits = asked.iter().map(|asked| asked.limit.as_ref());
    limits.map(|limit| limit.map(|(limit, _)| *limit))
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
fn hits(request: &wire::Request<'_>, descriptor: &wire::Descriptor<'_>) -> u64 {
    match (descriptor.hits_addend, request.hits_addend) {
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
