//! Accounts: register, log in, log out.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use examples_common::session_token::SessionToken;
use serde::{Deserialize, Serialize};

use crate::caller::{CurrentUser, Plan, Role};
use crate::error::AppError;
use crate::extract;
use crate::state::AppState;
use crate::validate;

/// The routes under `/auth`.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/auth/register", post(register))
        .route("/auth/login", post(login))
        .route("/auth/logout", post(logout))
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

/// A user, as shown to themselves.
#[derive(Serialize)]
struct Account {
    id: i64,
    email: String,
    name: String,
    role: Role,
    plan: Plan,
}

#[derive(Serialize)]
struct Session {
    token: String,
    expires_at: i64,
    user: Account,
}

async fn register(
    State(state): State<AppState>,
    extract::Json(new): extract::Json<Registration>,
) -> Result<impl IntoResponse, AppError> {
    let email = validate::email(&new.email)?;
    let name = validate::name(&new.name)?;
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
    let account = Account {
        id,
        email,
        name,
        role: Role::User,
        plan: Plan::Free,
    };
    Ok((StatusCode::CREATED, Json(account)))
}

async fn login(
    State(state): State<AppState>,
    extract::Json(login): extract::Json<Login>,
) -> Result<impl IntoResponse, AppError> {
    let found = match validate::email(&login.email) {
        Ok(email) => find(&state, email).await?,
        Err(_) => None,
    };
    let (found, hash) = found
        .map(|found| ((found.account, found.is_blocked), found.password_hash))
        .unzip();
    // Also without an account, so that the time taken does not tell whether there is one.
    let right = state
        .passwords
        .verify(login.password, hash)
        .await
        .map_err(AppError::internal)?;
    let (user, is_blocked) = found.filter(|_| right).ok_or(AppError::Unauthorized(
        "the e-mail address or the password is wrong",
    ))?;
    if is_blocked {
        return Err(AppError::Forbidden("this account is blocked"));
    }
    let session = state.sessions.open(user.id).await?;
    let answer = Session {
        token: session.token.expose().to_owned(),
        expires_at: session.expires_at,
        user,
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(answer)))
}

struct Found {
    account: Account,
    password_hash: String,
    is_blocked: bool,
}

/// The account with this address.
async fn find(state: &AppState, email: String) -> Result<Option<Found>, AppError> {
    let row: Option<(i64, String, String, String, String, Option<i64>)> = sqlx::query_as(
        "SELECT id, name, role, plan, password_hash, blocked_at FROM users WHERE email = $1",
    )
    .bind(&email)
    .fetch_optional(state.db.pool())
    .await?;
    Ok(
        row.map(|(id, name, role, plan, password_hash, blocked_at)| Found {
            account: Account {
                id,
                email,
                name,
                role: Role::from_stored(&role),
                plan: Plan::from_stored(&plan),
            },
            password_hash,
            is_blocked: blocked_at.is_some(),
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
