//! `POST /v1/reset`.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, Response, StatusCode};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use tollgate_policy::file::nearest;
use tollgate_policy::{Decision, PolicySet, Question, ResetError, ResetErrorKind};

use super::guard::admit;
use super::reload::json_response;
use crate::attributes::GivenAttributes;
use crate::http::fields::{AttributesObject, Text, set, unknown};
use crate::http::problem::Problem;
use crate::http::{Shared, body};

const FIELDS: [&str; 2] = ["attributes", "policy"];

/// Whose counts are to be forgotten.
#[derive(Debug)]
struct ResetRequest<'b> {
    attributes: GivenAttributes<'b>,
    /// One policy; else all that match a request of these attributes.
    policy: Option<Cow<'b, str>>,
}

/// What was forgotten.
#[derive(Serialize)]
struct Forgotten {
    /// How many limits had something counted.
    forgotten: usize,
    /// Why there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Forgets what was counted for a key.
pub(super) async fn reset(
    State(shared): State<Arc<Shared>>,
    mut request: Request<Body>,
) -> Result<Response<Body>, Problem> {
    admit(&shared, request.headers())?;
    let body = body::json_of(&mut request, shared.max_body).await?;
    let mut reset: ResetRequest<'_> = body::read(&body)?;
    let policies = {
        let in_force = shared.engine.limiter().in_force();
        reset.attributes.identify(in_force.identity());
        in_force.policies().clone()
    };
    let forgotten = match &reset.policy {
        Some(policy) => policies
            .reset_policy(policy, &reset.attributes)
            .await
            .map_err(|error| problem(&error, policy, policies.policies()))?,
        None => policies
            .reset(&reset.attributes)
            .await
            .map_err(|_| store_failed())?,
    };
    let why = match (forgotten, &reset.policy) {
        (1.., _) => None,
        (0, Some(policy)) => Some(format!("`{policy}` has nothing counted for this key")),
        (0, None) => Some(why_nothing(
            &policies.peek(&Question::new(&reset.attributes)).await,
        )),
    };
    json_response(&Forgotten { forgotten, why })
}

/// Why nothing was forgotten of what policies have counted that match a request.
fn why_nothing(looked: &Decision) -> String {
    let mut lacking: Vec<String> = Vec::new();
    let mut is_any = false;
    for policy in looked.policies() {
        is_any = true;
        if let Some(part) = policy.missing_key() {
            lacking.push(format!("`{}` is counted by {part}", policy.policy().name()));
        } else if policy.key().is_some() {
            return "policies match, but have nothing counted for this key".to_owned();
        }
    }
    if !lacking.is_empty() {
        return format!("{}, which was not given", lacking.join(", "));
    }
    if is_any {
        return "the policies that match count nothing: they block, or have no limit".to_owned();
    }
    "no policy matches a request of these attributes: give all that policies match on, such as \
     `path`, or name the `policy` and give its key alone"
        .to_owned()
}

fn problem(error: &ResetError, policy: &str, set: &PolicySet) -> Problem {
    match error.kind() {
        ResetErrorKind::UnknownPolicy => {
            let names = set.policies().iter().map(|policy| policy.name());
            let meant = nearest(names, policy);
            let meant =
                meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            Problem::new(StatusCode::NOT_FOUND, format!("{error}{meant}"))
        }
        ResetErrorKind::MissingKey => Problem::bad_request(error.to_string()),
        _ => store_failed(),
    }
}

fn store_failed() -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "the store has failed, and not all may be forgotten: ask again when it is back",
    )
}

impl<'de> Deserialize<'de> for ResetRequest<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = ResetRequest<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `attributes`, and perhaps `policy`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut attributes, mut policy) = (None, None);
        while let Some(name) = map.next_key_seed(Text("the name of a field"))? {
            match &*name {
                "attributes" => {
                    let value = map.next_value_seed(AttributesObject)?;
                    set(&mut attributes, "attributes", value)?;
                }
                "policy" => {
                    let value = map.next_value_seed(Text("`policy`"))?;
                    set(&mut policy, "policy", value)?;
                }
                other => return Err(unknown(other, &FIELDS)),
            }
        }
        Ok(ResetRequest {
            attributes: attributes.ok_or_else(|| Error::missing_field("attributes"))?,
            policy,
        })
    }
}
