//! `/v1/check`: requests that a program describes.

mod answer;
mod batch;
mod batch_request;
mod request;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{Request, Response, Uri};
use axum::routing::post;
use tollgate_policy::file::nearest;

use super::Shared;
use super::body::{self, ReadBody};
use super::json::Json;
use super::problem::Problem;
use crate::attributes::shown;
use crate::metrics::Outcome;
use request::CheckRequest;

/// Where single requests are checked.
pub(super) const PATH: &str = "/v1/check";

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route(
            PATH,
            post(
                async |State(shared): State<Arc<Shared>>, mut request: Request<Body>| {
                    check(&shared, &mut request).await
                },
            ),
        )
        .route("/v1/check/batch", post(batch::check))
}

/// `POST /v1/check`.
pub(super) async fn check<B: ReadBody>(
    shared: &Shared,
    request: &mut Request<B>,
) -> Result<Response<Body>, Problem> {
    shared.count(decide(shared, request).await)
}

async fn decide<B: ReadBody>(
    shared: &Shared,
    request: &mut Request<B>,
) -> Result<Response<Body>, Problem> {
    let span = shared.surface.trace("check", request.headers());
    let status = Status::of(request.uri())?;
    let body = body::json_of(request, shared.max_body).await?;
    let mut check: CheckRequest<'_> = body::read(&body)?;
    let counted = shared.begin()?;
    let limiter = shared.engine.limiter();
    let decided = {
        let in_force = limiter.in_force();
        check.attributes.identify(in_force.identity());
        let policies = in_force.policies();
        if check.peek {
            Err((policies.clone(), None))
        } else {
            let decided = policies.decide_question_at_once(&check.question());
            decided.map_err(|undecided| (policies.clone(), Some(undecided)))
        }
    };
    let (decision, counted) = match decided {
        Ok(decision) => (decision, counted),
        Err((policies, undecided)) => {
            let (_place, counted) = shared.wait(counted, 1)?;
            let decision = match undecided {
                Some(undecided) => Box::pin(policies.decide_later(undecided)).await,
                None => Arc::new(Box::pin(policies.peek(&check.question())).await),
            };
            (decision, counted)
        }
    };
    let mut json = Json::with_capacity(512);
    answer::decision(&mut json, &decision, limiter);
    let mut response = json_response(json);
    if status == Status::Decision {
        *response.status_mut() = tollgate_http::status(&decision);
    }
    limiter.write_headers(&decision, response.headers_mut());
    span.end(&decision);
    counted.end(Outcome::of(&decision));
    Ok(response)
}

/// Which status tells of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// 200, whatever it is.
    Ok,
    /// What a request so decided is to be answered with.
    Decision,
}

impl Status {
    /// What the query asks for.
    fn of(uri: &Uri) -> Result<Self, Problem> {
        let mut status = Self::Ok;
        for pair in pairs(uri) {
            match pair.split_once('=') {
                Some(("status", "decision")) => status = Self::Decision,
                Some(("status", "ok")) => status = Self::Ok,
                Some(("status", _)) => {
                    return Err(Problem::bad_request(
                        "`status` in the query is `ok` (200 for every decision) or `decision` \
                         (429, 403, 400 or 503 for a denial)",
                    ));
                }
                _ => return Err(unknown_parameter(pair, &["status"])),
            }
        }
        Ok(status)
    }
}

fn pairs(uri: &Uri) -> impl Iterator<Item = &str> {
    let query = uri.query().unwrap_or_default();
    query.split('&').filter(|pair| !pair.is_empty())
}

fn unknown_parameter(pair: &str, known: &[&str]) -> Problem {
    let name = pair.split_once('=').map_or(pair, |(name, _)| name);
    let meant = nearest(known.iter().copied(), name);
    let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    Problem::bad_request(format!(
        "there is no parameter `{}` in the query{meant}",
        shown(name)
    ))
}

fn json_response(json: Json) -> Response<Body> {
    let mut response = Response::new(Body::from(json.into_bytes()));
    let headers = response.headers_mut();
    // For these and those of a request that is allowed.
    headers.reserve(6);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
