//! The bodies of `/v1/check` and `/v1/check/batch`.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Map, Value};
use tollgate_policy::AttributeName;

use super::SURFACE;

/// The first byte chooses what is asked, the rest is the body.
///
/// What a general reader of JSON finds to be of another form is refused, and the answer to a batch
/// has a decision for each of its requests.
pub fn http_check(data: &[u8]) {
    let Some((choice, body)) = data.split_first() else {
        return;
    };
    let is_batch = choice % 2 == 1;
    let path = match (is_batch, choice / 2 % 2) {
        (true, _) => "/v1/check/batch",
        (false, 0) => "/v1/check",
        (false, _) => "/v1/check?status=decision",
    };
    let request = Request::post(path).header("content-type", "application/json");
    let Ok(request) = request.body(Body::from(body.to_vec())) else {
        return;
    };
    let answer = SURFACE.ask(request);
    let read: Option<Value> = serde_json::from_slice(body).ok();
    let form = read.as_ref().and_then(Value::as_object);
    let is_form = form.is_some_and(if is_batch { is_batch_form } else { is_check });
    let is_decided = answer.field("content-type") == Some("application/json");
    assert!(is_form || !is_decided, "accepted: {}", body.escape_ascii());
    if is_decided && is_batch {
        let json = answer.json();
        let asked = form.and_then(|form| form.get("checks")?.as_array());
        let decided = json["decisions"].as_array();
        assert_eq!(asked.map(Vec::len), decided.map(Vec::len));
        let all = decided.is_some_and(|all| all.iter().all(|one| one["allowed"] == true));
        assert_eq!(json["allowed"], all);
    }
}

/// What a body may be at most, by a reader that keeps the last of members of one name.
fn is_check(form: &Map<String, Value>) -> bool {
    let attributes = form.get("attributes").and_then(Value::as_object);
    let are_attributes = attributes.is_some_and(|attributes| {
        attributes.len() <= 64
            && attributes
                .iter()
                .all(|(name, value)| name.parse::<AttributeName>().is_ok() && value.is_string())
    });
    let is_cost = |cost: &Value| cost.as_f64().is_some_and(|cost| cost.fract() == 0.0);
    are_attributes
        && form.iter().all(|(name, value)| match name.as_str() {
            "attributes" => true,
            "cost" => is_cost(value),
            "peek" => value.is_boolean(),
            _ => false,
        })
}

fn is_batch_form(form: &Map<String, Value>) -> bool {
    let checks = form.get("checks").and_then(Value::as_array);
    form.len() == 2
        && form.get("all_or_nothing").is_some_and(Value::is_boolean)
        && checks.is_some_and(|checks| {
            let mut forms = checks.iter().map(Value::as_object);
            (1..=100).contains(&checks.len()) && forms.all(|form| form.is_some_and(is_check))
        })
}
