//! What administrators ask: what is in force, the file read again, counts forgotten.

mod guard;
mod in_force;
mod policies;
mod reload;
mod reset;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::Shared;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/v1/policies", get(policies::policies))
        .route("/v1/reload", post(reload::reload))
        .route("/v1/reset", post(reset::reset))
}
