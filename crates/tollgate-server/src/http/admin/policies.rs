//! `GET /v1/policies`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response};

use super::guard::admit;
use super::in_force::InForce;
use super::reload::{blocking, json_response};
use crate::http::Shared;
use crate::http::problem::Problem;

/// What is in force.
pub(super) async fn policies(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
) -> Result<Response<Body>, Problem> {
    admit(&shared, &headers)?;
    let engine = shared.engine.clone();
    // It may wait for a reload.
    let in_force = blocking(move || InForce::new(&engine, &engine.file())).await?;
    json_response(&in_force)
}
