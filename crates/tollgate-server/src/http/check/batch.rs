//! `/v1/check/batch`: several requests at once.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, Response};
use futures_util::future::join_all;
use tollgate::AnyStore;
use tollgate_policy::{Decision, PolicyLimiter};

use super::batch_request::BatchRequest;
use super::request::CheckRequest;
use super::{answer, json_response, pairs, unknown_parameter};
use crate::http::json::Json;
use crate::http::problem::Problem;
use crate::http::{Shared, body};
use crate::metrics::Outcome;

/// `POST /v1/check/batch`.
pub(super) async fn check(
    State(shared): State<Arc<Shared>>,
    mut request: Request<Body>,
) -> Result<Response<Body>, Problem> {
    shared.count(decide(&shared, &mut request).await)
}

/// A batch is one request, which is allowed if all of it is.
async fn decide(shared: &Shared, request: &mut Request<Body>) -> Result<Response<Body>, Problem> {
    let span = shared.surface.trace("check batch", request.headers());
    if let Some(pair) = pairs(request.uri()).next() {
        return Err(unknown_parameter(pair, &[]));
    }
    let body = body::json_of(request, shared.max_body).await?;
    let mut batch: BatchRequest<'_> = body::read(&body)?;
    let counted = shared.begin()?;
    let limiter = shared.engine.limiter();
    let policies = {
        let in_force = limiter.in_force();
        for check in &mut batch.checks {
            check.attributes.identify(in_force.identity());
        }
        in_force.policies().clone()
    };
    // What is decided in memory waits for nothing, and leaves at once.
    let several = if batch.all_or_nothing {
        1
    } else {
        batch.checks.len()
    };
    let (places, counted) = shared.wait(counted, several)?;
    let decisions = if batch.all_or_nothing {
        together(&policies, &batch.checks).await
    } else {
        let mut decisions = Vec::with_capacity(batch.checks.len());
        for checks in batch.checks.chunks(places.num_permits()) {
            decisions.extend(join_all(checks.iter().map(|check| alone(&policies, check))).await);
        }
        decisions
    };
    drop(places);
    let are_allowed = decisions.iter().all(|decision| decision.is_allowed());
    let mut json = Json::with_capacity(512 * decisions.len());
    json.raw(r#"{"allowed":"#).bool(are_allowed);
    json.raw(r#","decisions":["#);
    for (number, decision) in decisions.iter().enumerate() {
        if number > 0 {
            json.raw(",");
        }
        answer::decision(&mut json, decision, limiter);
    }
    json.raw("]}");
    span.end_all(decisions.iter().map(AsRef::as_ref));
    counted.end(match are_allowed {
        true => Outcome::Allow,
        false => Outcome::Deny,
    });
    Ok(json_response(json))
}

async fn together(
    policies: &PolicyLimiter<AnyStore>,
    checks: &[CheckRequest<'_>],
) -> Vec<Arc<Decision>> {
    let decided = {
        let questions: Vec<_> = checks.iter().map(CheckRequest::question).collect();
        policies.decide_together_at_once(&questions)
    };
    match decided {
        Ok(decisions) => decisions.into_iter().collect(),
        Err(undecided) => {
            let decisions = policies.decide_together_later(undecided).await;
            decisions.into_iter().collect()
        }
    }
}

async fn alone(policies: &PolicyLimiter<AnyStore>, check: &CheckRequest<'_>) -> Arc<Decision> {
    if check.peek {
        return Arc::new(policies.peek(&check.question()).await);
    }
    let decided = policies.decide_question_at_once(&check.question());
    match decided {
        Ok(decision) => decision,
        Err(undecided) => policies.decide_later(undecided).await,
    }
}
