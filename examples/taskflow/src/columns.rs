//! Columns of a board: create, rename, move, delete.
//!
//! Positions are dense, 0 to n − 1 from the left. Every statement that touches
//! them runs inside a [`BoardWrite`], which keeps other writers out.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{patch, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;

use crate::auth::CurrentUser;
use crate::boards::BoardWrite;
use crate::error::AppError;
use crate::extract::{self, Path};
use crate::state::AppState;
use crate::validate;

const COLUMNS_MAX: i64 = 100;
const NO_COLUMN: AppError = AppError::NotFound("the board has no such column");

/// The routes of a board's columns.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/boards/{board_id}/columns", post(create))
        .route(
            "/boards/{board_id}/columns/{column_id}",
            patch(rename).delete(delete),
        )
        .route("/boards/{board_id}/columns/{column_id}/move", post(move_to))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnName {
    name: String,
}

/// Where to; a position past the last one means the end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Destination {
    position: u32,
}

#[derive(Serialize)]
struct Column {
    id: i64,
    name: String,
    position: i64,
}

async fn create(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(board_id): Path<i64>,
    extract::Json(new): extract::Json<ColumnName>,
) -> Result<impl IntoResponse, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let name = validate::name("name", &new.name)?;
    let position = count(board.connection(), board_id).await?;
    if position >= COLUMNS_MAX {
        return Err(AppError::Conflict(
            "the board has as many columns as it can have",
        ));
    }
    let id = sqlx::query_scalar(
        "INSERT INTO board_columns (board_id, name, position) VALUES ($1, $2, $3) RETURNING id",
    )
    .bind(board_id)
    .bind(&name)
    .bind(position)
    .fetch_one(board.connection())
    .await?;
    board.commit().await?;
    Ok((StatusCode::CREATED, Json(Column { id, name, position })))
}

async fn rename(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, column_id)): Path<(i64, i64)>,
    extract::Json(new): extract::Json<ColumnName>,
) -> Result<Json<Column>, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let name = validate::name("name", &new.name)?;
    let position = sqlx::query_scalar(
        "UPDATE board_columns SET name = $1 WHERE id = $2 AND board_id = $3 RETURNING position",
    )
    .bind(&name)
    .bind(column_id)
    .bind(board_id)
    .fetch_optional(board.connection())
    .await?
    .ok_or(NO_COLUMN)?;
    board.commit().await?;
    Ok(Json(Column {
        id: column_id,
        name,
        position,
    }))
}

async fn move_to(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, column_id)): Path<(i64, i64)>,
    extract::Json(to): extract::Json<Destination>,
) -> Result<Json<Column>, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let (name, from): (String, i64) = find(board.connection(), board_id, column_id).await?;
    let last = count(board.connection(), board_id).await? - 1;
    let position = i64::from(to.position).min(last);
    close_gap(board.connection(), board_id, from).await?;
    sqlx::query(
        "UPDATE board_columns SET position = position + 1
         WHERE board_id = $1 AND position >= $2 AND id <> $3",
    )
    .bind(board_id)
    .bind(position)
    .bind(column_id)
    .execute(board.connection())
    .await?;
    sqlx::query("UPDATE board_columns SET position = $1 WHERE id = $2")
        .bind(position)
        .bind(column_id)
        .execute(board.connection())
        .await?;
    board.commit().await?;
    Ok(Json(Column {
        id: column_id,
        name,
        position,
    }))
}

/// Deletes the column and the cards in it.
async fn delete(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, column_id)): Path<(i64, i64)>,
) -> Result<StatusCode, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let (_, from) = find(board.connection(), board_id, column_id).await?;
    sqlx::query("DELETE FROM board_columns WHERE id = $1")
        .bind(column_id)
        .execute(board.connection())
        .await?;
    close_gap(board.connection(), board_id, from).await?;
    board.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The name and the position of a column.
async fn find(
    connection: &mut AnyConnection,
    board_id: i64,
    column_id: i64,
) -> Result<(String, i64), AppError> {
    sqlx::query_as("SELECT name, position FROM board_columns WHERE id = $1 AND board_id = $2")
        .bind(column_id)
        .bind(board_id)
        .fetch_optional(connection)
        .await?
        .ok_or(NO_COLUMN)
}

async fn count(connection: &mut AnyConnection, board_id: i64) -> Result<i64, AppError> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM board_columns WHERE board_id = $1")
        .bind(board_id)
        .fetch_one(connection)
        .await?;
    Ok(count)
}

/// Moves every column right of `position` one to the left.
async fn close_gap(
    connection: &mut AnyConnection,
    board_id: i64,
    position: i64,
) -> Result<(), AppError> {
    sqlx::query(
        "UPDATE board_columns SET position = position - 1 WHERE board_id = $1 AND position > $2",
    )
    .bind(board_id)
    .bind(position)
    .execute(connection)
    .await?;
    Ok(())
}
