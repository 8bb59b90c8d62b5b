//! Boards: list, create, read, rename, delete.

mod access;
mod view;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

pub use self::access::{BoardWrite, Role, require_member};
pub use self::view::{BoardView, CardView, ColumnView, LabelView, MemberView};
use crate::auth::CurrentUser;
use crate::error::AppError;
use crate::extract::{self, Path};
use crate::state::AppState;
use crate::validate;

/// The routes of boards themselves; what is on a board has its own modules.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/boards", get(list).post(create))
        .route(
            "/boards/{board_id}",
            get(view::read).patch(rename).delete(delete),
        )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardName {
    name: String,
}

#[derive(Serialize, sqlx::FromRow)]
struct Board {
    id: i64,
    name: String,
    role: String,
    created_at: i64,
}

#[derive(Serialize)]
struct Boards {
    boards: Vec<Board>,
}

async fn list(State(state): State<AppState>, user: CurrentUser) -> Result<Json<Boards>, AppError> {
    let boards = sqlx::query_as(
        "SELECT b.id, b.name, m.role, b.created_at
         FROM boards b JOIN board_members m ON m.board_id = b.id
         WHERE m.user_id = $1 ORDER BY b.id",
    )
    .bind(user.id)
    .fetch_all(state.db.pool())
    .await?;
    Ok(Json(Boards { boards }))
}

async fn create(
    State(state): State<AppState>,
    user: CurrentUser,
    extract::Json(new): extract::Json<BoardName>,
) -> Result<impl IntoResponse, AppError> {
    let name = validate::name("name", &new.name)?;
    let created_at = state.clock.now();
    let mut tx = state.db.begin_write().await?;
    let id =
        sqlx::query_scalar("INSERT INTO boards (name, created_at) VALUES ($1, $2) RETURNING id")
            .bind(&name)
            .bind(created_at)
            .fetch_one(&mut *tx)
            .await?;
    sqlx::query("INSERT INTO board_members (board_id, user_id, role) VALUES ($1, $2, $3)")
        .bind(id)
        .bind(user.id)
        .bind(Role::Owner.as_str())
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    let role = Role::Owner.as_str().to_owned();
    Ok((
        StatusCode::CREATED,
        Json(Board {
            id,
            name,
            role,
            created_at,
        }),
    ))
}

async fn rename(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(board_id): Path<i64>,
    extract::Json(new): extract::Json<BoardName>,
) -> Result<Json<Board>, AppError> {
    let mut board = BoardWrite::begin_as_owner(&state, user, board_id).await?;
    let name = validate::name("name", &new.name)?;
    let created_at =
        sqlx::query_scalar("UPDATE boards SET name = $1 WHERE id = $2 RETURNING created_at")
            .bind(&name)
            .bind(board_id)
            .fetch_one(board.connection())
            .await?;
    board.commit().await?;
    Ok(Json(Board {
        id: board_id,
        name,
        role: Role::Owner.as_str().to_owned(),
        created_at,
    }))
}

async fn delete(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(board_id): Path<i64>,
) -> Result<StatusCode, AppError> {
    let mut board = BoardWrite::begin_as_owner(&state, user, board_id).await?;
    sqlx::query("DELETE FROM boards WHERE id = $1")
        .bind(board_id)
        .execute(board.connection())
        .await?;
    board.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
