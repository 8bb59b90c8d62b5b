//! Accounts: register, log in, log out.

mod user;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::post;
use examples_common::accounts::{Login, Registered, Registration};
use serde::Serialize;

pub use self::user::{Bearer, CurrentUser};
use crate::error::AppError;
use crate::extract::Json;
use crate::rate_limit::rate_limit;
use crate::state::AppState;
pub use examples_common::password::{PasswordCost, Passwords};

/// The routes under `/auth`, and nothing else: what limits them is mounted on
/// this router, and runs before the handlers, so that a refused login counts too.
pub fn auth_routes(state: &AppState) -> Router<AppState> {
    Router::new()
        .route("/auth/register", post(register))
        .route("/auth/login", post(login))
        .route("/auth/logout", post(logout))
        .route_layer(from_fn_with_state(state.clone(), rate_limit))
}

#[derive(Serialize)]
struct User {
    id: i64,
    email: String,
    name: String,
}

async fn register(
    State(state): State<AppState>,
    Json(new): Json<Registration>,
) -> Result<impl IntoResponse, AppError> {
    let Registered { id, email, name } = new
        .store(&state.db, &state.passwords, state.clock.now())
        .await?;
    Ok((StatusCode::CREATED, axum::Json(User { id, email, name })))
}

async fn login(
    State(state): State<AppState>,
    Json(login): Json<Login>,
) -> Result<impl IntoResponse, AppError> {
    let find = async |email| account(&state, email).await;
    let user = login.verify(&state.passwords, find).await?;
    let session = state.sessions.open(user.id).await?;
    Ok(session.into_answer(user))
}

/// The user with this address, and the hash of the password.
async fn account(state: &AppState, email: String) -> Result<Option<(User, String)>, AppError> {
    let row: Option<(i64, String, String)> =
        sqlx::query_as("SELECT id, name, password_hash FROM users WHERE email = $1")
            .bind(&email)
            .fetch_optional(state.db.pool())
            .await?;
    Ok(row.map(|(id, name, hash)| (User { id, email, name }, hash)))
}

async fn logout(
    State(state): State<AppState>,
    _: CurrentUser,
    Bearer(token): Bearer,
) -> Result<StatusCode, AppError> {
    state.sessions.close(&token).await?;
    Ok(StatusCode::NO_CONTENT)
}
