//! Accounts: register, log in, log out.

mod user;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::post;
use serde::{Deserialize, Serialize};

pub use self::user::{Bearer, CurrentUser};
use crate::error::AppError;
use crate::extract::Json;
use crate::rate_limit::rate_limit;
use crate::state::AppState;
use crate::validate;
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registration {
    email: String,
    password: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    email: String,
    password: String,
}

#[derive(Serialize)]
struct User {
    id: i64,
    email: String,
    name: String,
}

#[derive(Serialize)]
struct Session {
    token: String,
    expires_at: i64,
    user: User,
}

async fn register(
    State(state): State<AppState>,
    Json(new): Json<Registration>,
) -> Result<impl IntoResponse, AppError> {
    let email = validate::email(&new.email)?;
    let name = validate::name("name", &new.name)?;
    validate::password(&new.password)?;
    let password_hash = state
        .passwords
        .hash(new.password)
        .await
        .map_err(AppError::internal)?;
    let mut tx = state.db.begin_write().await?;
    let id = sqlx::query_scalar(
        "INSERT INTO users (email, name, password_hash, created_at) VALUES ($1, $2, $3, $4) RETURNING id",
    )
    .bind(&email)
    .bind(&name)
    .bind(password_hash)
    .bind(state.clock.now())
    .fetch_one(&mut *tx)
    .await
    .map_err(|error| AppError::unique(error, "this e-mail address is already registered"))?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, axum::Json(User { id, email, name })))
}

async fn login(
    State(state): State<AppState>,
    Json(login): Json<Login>,
) -> Result<impl IntoResponse, AppError> {
    let account = match validate::email(&login.email) {
        Ok(email) => account(&state, email).await?,
        Err(_) => None,
    };
    let (user, hash) = account.unzip();
    // Also without an account, so that the time taken does not tell whether there is one.
    let right = state
        .passwords
        .verify(login.password, hash)
        .await
        .map_err(AppError::internal)?;
    let user = user.filter(|_| right).ok_or(AppError::Unauthorized(
        "the e-mail address or the password is wrong",
    ))?;
    let session = state.sessions.open(user.id).await?;
    let answer = Session {
        token: session.token.expose().to_owned(),
        expires_at: session.expires_at,
        user,
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(answer)))
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
