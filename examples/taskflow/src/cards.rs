//! Cards: create, read, update, delete, move. Their places are in `cards/positions.rs`.

mod positions;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use sqlx::AnyConnection;

use crate::auth::CurrentUser;
use crate::boards::{BoardWrite, CardView, require_member};
use crate::error::AppError;
use crate::extract::{self, Path};
use crate::state::AppState;
use crate::validate;

const CARDS_MAX: i64 = 1000;

/// The routes of a board's cards.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/boards/{board_id}/columns/{column_id}/cards", post(create))
        .route(
            "/boards/{board_id}/cards/{card_id}",
            get(read).patch(update).delete(delete),
        )
        .route("/boards/{board_id}/cards/{card_id}/move", post(move_to))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewCard {
    title: String,
    #[serde(default)]
    description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardChange {
    title: Option<String>,
    description: Option<String>,
}

/// Where to; a position past the last one means the end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Destination {
    column_id: i64,
    position: u32,
}

async fn create(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, column_id)): Path<(i64, i64)>,
    extract::Json(new): extract::Json<NewCard>,
) -> Result<impl IntoResponse, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let title = validate::title(&new.title)?;
    let description = validate::description(new.description)?;
    if !positions::column_exists(board.connection(), board_id, column_id).await? {
        return Err(AppError::NotFound("the board has no such column"));
    }
    let cards: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM cards WHERE board_id = $1")
        .bind(board_id)
        .fetch_one(board.connection())
        .await?;
    if cards >= CARDS_MAX {
        return Err(AppError::Conflict(
            "the board has as many cards as it can have",
        ));
    }
    let position = positions::count(board.connection(), column_id).await?;
    let now = state.clock.now();
    let id = sqlx::query_scalar(
        "INSERT INTO cards (board_id, column_id, title, description, position, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING id",
    )
    .bind(board_id)
    .bind(column_id)
    .bind(&title)
    .bind(&description)
    .bind(position)
    .bind(now)
    .fetch_one(board.connection())
    .await?;
    board.commit().await?;
    let card = CardView {
        id,
        column_id,
        title,
        description,
        position,
        label_ids: Vec::new(),
        created_at: now,
        updated_at: now,
    };
    Ok((StatusCode::CREATED, Json(card)))
}

async fn read(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, card_id)): Path<(i64, i64)>,
) -> Result<Json<CardView>, AppError> {
    let mut tx = state.db.begin_read().await?;
    require_member(&mut tx, user, board_id).await?;
    let card = load(&mut tx, board_id, card_id).await?;
    tx.commit().await?;
    Ok(Json(card))
}

async fn update(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, card_id)): Path<(i64, i64)>,
    extract::Json(change): extract::Json<CardChange>,
) -> Result<Json<CardView>, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let mut card = load(board.connection(), board_id, card_id).await?;
    if change.title.is_none() && change.description.is_none() {
        return Err(AppError::validation("send title, description or both"));
    }
    if let Some(title) = change.title {
        card.title = validate::title(&title)?;
    }
    if let Some(description) = change.description {
        card.description = validate::description(description)?;
    }
    card.updated_at = state.clock.now();
    sqlx::query("UPDATE cards SET title = $1, description = $2, updated_at = $3 WHERE id = $4")
        .bind(&card.title)
        .bind(&card.description)
        .bind(card.updated_at)
        .bind(card_id)
        .execute(board.connection())
        .await?;
    board.commit().await?;
    Ok(Json(card))
}

async fn move_to(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, card_id)): Path<(i64, i64)>,
    extract::Json(to): extract::Json<Destination>,
) -> Result<Json<CardView>, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let mut card = load(board.connection(), board_id, card_id).await?;
    if !positions::column_exists(board.connection(), board_id, to.column_id).await? {
        return Err(AppError::validation(
            "column_id: the board has no such column",
        ));
    }
    card.updated_at = state.clock.now();
    positions::move_card(
        board.connection(),
        &mut card,
        to.column_id,
        to.position.into(),
    )
    .await?;
    board.commit().await?;
    Ok(Json(card))
}

async fn delete(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, card_id)): Path<(i64, i64)>,
) -> Result<StatusCode, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let card = load(board.connection(), board_id, card_id).await?;
    sqlx::query("DELETE FROM cards WHERE id = $1")
        .bind(card_id)
        .execute(board.connection())
        .await?;
    positions::close_gap(board.connection(), card.column_id, card.position).await?;
    board.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A card of this board, with its labels.
async fn load(
    connection: &mut AnyConnection,
    board_id: i64,
    card_id: i64,
) -> Result<CardView, AppError> {
    let card: Option<CardView> = sqlx::query_as(
        "SELECT id, column_id, title, description, position, created_at, updated_at
         FROM cards WHERE id = $1 AND board_id = $2",
    )
    .bind(card_id)
    .bind(board_id)
    .fetch_optional(&mut *connection)
    .await?;
    let mut card = card.ok_or(AppError::NotFound("the board has no such card"))?;
    card.label_ids =
        sqlx::query_scalar("SELECT label_id FROM card_labels WHERE card_id = $1 ORDER BY label_id")
            .bind(card_id)
            .fetch_all(connection)
            .await?;
    Ok(card)
}
