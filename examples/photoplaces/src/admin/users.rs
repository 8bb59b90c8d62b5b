//! Users, as administrators see and change them.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;

use crate::caller::{Admin, CurrentUser, Plan, Role};
use crate::error::AppError;
use crate::extract::{self, Path, Query};
use crate::page::{Listing, Page};
use crate::sessions;
use crate::state::AppState;

const NO_USER: AppError = AppError::NotFound("there is no such user");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Piece {
    limit: Option<u32>,
    offset: Option<u32>,
}

/// What is left out stays as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Changes {
    role: Option<Role>,
    plan: Option<Plan>,
    blocked: Option<bool>,
}

#[derive(Serialize, sqlx::FromRow)]
pub(super) struct User {
    id: i64,
    email: String,
    name: String,
    role: String,
    plan: String,
    /// Since when the user is blocked; none if not.
    blocked_at: Option<i64>,
    created_at: i64,
}

/// The oldest first.
pub(super) async fn list(
    State(state): State<AppState>,
    _: Admin,
    Query(piece): Query<Piece>,
) -> Result<Json<Listing<User>>, AppError> {
    let page = Page::new(piece.limit, piece.offset)?;
    let users = sqlx::query_as(
        "SELECT id, email, name, role, plan, blocked_at, created_at FROM users
         ORDER BY id LIMIT $1 OFFSET $2",
    )
    .bind(page.rows())
    .bind(page.offset())
    .fetch_all(state.db.pool())
    .await?;
    Ok(Json(page.listing(users)))
}

pub(super) async fn read(
    State(state): State<AppState>,
    _: Admin,
    Path(user_id): Path<i64>,
) -> Result<Json<User>, AppError> {
    find(state.db.pool(), user_id).await.map(Json)
}

async fn find(
    database: impl sqlx::Executor<'_, Database = sqlx::Any>,
    user_id: i64,
) -> Result<User, AppError> {
    sqlx::query_as(
        "SELECT id, email, name, role, plan, blocked_at, created_at FROM users WHERE id = $1",
    )
    .bind(user_id)
    .fetch_optional(database)
    .await?
    .ok_or(NO_USER)
}

/// Changes role and plan, blocks and unblocks. A user who is blocked has no session any more.
pub(super) async fn change(
    State(state): State<AppState>,
    Admin(admin): Admin,
    Path(user_id): Path<i64>,
    extract::Json(changes): extract::Json<Changes>,
) -> Result<Json<User>, AppError> {
    if changes.role.is_none() && changes.plan.is_none() && changes.blocked.is_none() {
        return Err(AppError::validation(
            "the body must have a role, a plan or blocked",
        ));
    }
    let mut tx = state.db.begin_write().await?;
    lock(&mut tx, admin, user_id).await?;
    let user = find(&mut *tx, user_id).await?;
    // With that, whoever changes a role has it and keeps it: there is always an administrator.
    if user_id == admin.id && (changes.role == Some(Role::User) || changes.blocked == Some(true)) {
        return Err(AppError::Conflict(
            "administrators can neither block nor demote themselves",
        ));
    }
    let blocked_at = match changes.blocked {
        None => user.blocked_at,
        Some(true) => user.blocked_at.or_else(|| Some(state.clock.now())),
        Some(false) => None,
    };
    sqlx::query(
        "UPDATE users SET role = COALESCE($1, role), plan = COALESCE($2, plan), blocked_at = $3
         WHERE id = $4",
    )
    .bind(changes.role.map(Role::as_str))
    .bind(changes.plan.map(Plan::as_str))
    .bind(blocked_at)
    .bind(user_id)
    .execute(&mut *tx)
    .await?;
    if changes.blocked == Some(true) {
        sessions::close_all(&mut tx, user_id).await?;
    }
    let user = find(&mut *tx, user_id).await?;
    tx.commit().await?;
    Ok(Json(user))
}

/// Holds both users until the end of the transaction, and looks once more whether the first is an
/// administrator: two who demote each other at the same time must not both succeed. Everyone locks
/// in the order of ids, so that nobody waits for each other.
async fn lock(
    connection: &mut AnyConnection,
    admin: CurrentUser,
    user_id: i64,
) -> Result<(), AppError> {
    for id in [admin.id.min(user_id), admin.id.max(user_id)] {
        sqlx::query("UPDATE users SET role = role WHERE id = $1")
            .bind(id)
            .execute(&mut *connection)
            .await?;
    }
    let still: Option<i64> = sqlx::query_scalar(
        "SELECT id FROM users WHERE id = $1 AND role = 'admin' AND blocked_at IS NULL",
    )
    .bind(admin.id)
    .fetch_optional(connection)
    .await?;
    match still {
        Some(_) => Ok(()),
        None => Err(AppError::Forbidden("only an administrator may do this")),
    }
}
