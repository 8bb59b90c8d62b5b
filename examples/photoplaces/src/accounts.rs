//! Accounts: register, log in, log out.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use examples_common::accounts::{Login, Registration};
use examples_common::session_token::SessionToken;
use serde::Serialize;

use crate::caller::{CurrentUser, Plan, Role};
use crate::error::AppError;
use crate::extract;
use crate::state::AppState;

/// The routes under `/auth`.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/auth/register", post(register))
        .route("/auth/login", post(login))
        .route("/auth/logout", post(logout))
}

/// A user, as shown to themselves.
#[derive(Serialize)]
struct Account {
    id: i64,
    email: String,
    name: String,
    role: Role,
    plan: Plan,
}

async fn register(
    State(state): State<AppState>,
    extract::Json(new): extract::Json<Registration>,
) -> Result<impl IntoResponse, AppError> {
    let new = new
        .store(&state.db, &state.passwords, state.clock.now())
        .await?;
    let account = Account {
        id: new.id,
        email: new.email,
        name: new.name,
        role: Role::User,
        plan: Plan::Free,
    };
    Ok((StatusCode::CREATED, Json(account)))
}

async fn login(
    State(state): State<AppState>,
    extract::Json(login): extract::Json<Login>,
) -> Result<impl IntoResponse, AppError> {
    let find = async |email| find(&state, email).await;
    let (user, is_blocked) = login.verify(&state.passwords, find).await?;
    if is_blocked {
        return Err(AppError::Forbidden("this account is blocked"));
    }
    let session = state.sessions.open(user.id).await?;
    Ok(session.into_answer(user))
}

/// The account with this address, whether it is blocked, and the hash of the password.
async fn find(
    state: &AppState,
    email: String,
) -> Result<Option<((Account, bool), String)>, AppError> {
    let row: Option<(i64, String, String, String, String, Option<i64>)> = sqlx::query_as(
        "SELECT id, name, role, plan, password_hash, blocked_at FROM users WHERE email = $1",
    )
    .bind(&email)
    .fetch_optional(state.db.pool())
    .await?;
    Ok(
        row.map(|(id, name, role, plan, password_hash, blocked_at)| {
            let account = Account {
                id,
                email,
                name,
                role: Role::from_stored(&role),
                plan: Plan::from_stored(&plan),
            };
            ((account, blocked_at.is_some()), password_hash)
        }),
    )
}

async fn logout(
    State(state): State<AppState>,
    _: CurrentUser,
    headers: HeaderMap,
) -> Result<StatusCode, AppError> {
    if let Some(token) = SessionToken::in_headers(&headers) {
        state.sessions.close(&token).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
