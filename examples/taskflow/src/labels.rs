//! Labels of a board: create, change, delete, put on a card and take off.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{patch, post, put};
use axum::{Json, Router};
use serde::Deserialize;
use sqlx::AnyConnection;

use crate::auth::CurrentUser;
use crate::boards::{BoardWrite, LabelView};
use crate::error::AppError;
use crate::extract::{self, Path};
use crate::state::AppState;
use crate::validate;

const LABELS_MAX: i64 = 100;
const NO_LABEL: AppError = AppError::NotFound("the board has no such label");
const NAME_TAKEN: &str = "the board has a label of this name already";

/// The routes of a board's labels.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/boards/{board_id}/labels", post(create))
        .route(
            "/boards/{board_id}/labels/{label_id}",
            patch(update).delete(delete),
        )
        .route(
            "/boards/{board_id}/cards/{card_id}/labels/{label_id}",
            put(attach).delete(detach),
        )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewLabel {
    name: String,
    colour: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelChange {
    name: Option<String>,
    colour: Option<String>,
}

async fn create(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(board_id): Path<i64>,
    extract::Json(new): extract::Json<NewLabel>,
) -> Result<impl IntoResponse, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let name = validate::name("name", &new.name)?;
    let colour = validate::colour(&new.colour)?;
    let labels: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM labels WHERE board_id = $1")
        .bind(board_id)
        .fetch_one(board.connection())
        .await?;
    if labels >= LABELS_MAX {
        return Err(AppError::Conflict(
            "the board has as many labels as it can have",
        ));
    }
    let id = sqlx::query_scalar(
        "INSERT INTO labels (board_id, name, colour) VALUES ($1, $2, $3) RETURNING id",
    )
    .bind(board_id)
    .bind(&name)
    .bind(&colour)
    .fetch_one(board.connection())
    .await
    .map_err(|error| AppError::unique(error, NAME_TAKEN))?;
    board.commit().await?;
    Ok((StatusCode::CREATED, Json(LabelView { id, name, colour })))
}

async fn update(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, label_id)): Path<(i64, i64)>,
    extract::Json(change): extract::Json<LabelChange>,
) -> Result<Json<LabelView>, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let mut label = load(board.connection(), board_id, label_id).await?;
    if change.name.is_none() && change.colour.is_none() {
        return Err(AppError::validation("send name, colour or both"));
    }
    if let Some(name) = change.name {
        label.name = validate::name("name", &name)?;
    }
    if let Some(colour) = change.colour {
        label.colour = validate::colour(&colour)?;
    }
    sqlx::query("UPDATE labels SET name = $1, colour = $2 WHERE id = $3")
        .bind(&label.name)
        .bind(&label.colour)
        .bind(label_id)
        .execute(board.connection())
        .await
        .map_err(|error| AppError::unique(error, NAME_TAKEN))?;
    board.commit().await?;
    Ok(Json(label))
}

async fn delete(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, label_id)): Path<(i64, i64)>,
) -> Result<StatusCode, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let deleted = sqlx::query("DELETE FROM labels WHERE id = $1 AND board_id = $2")
        .bind(label_id)
        .bind(board_id)
        .execute(board.connection())
        .await?;
    if deleted.rows_affected() == 0 {
        return Err(NO_LABEL);
    }
    board.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Puts the label on the card; no error if it is there.
async fn attach(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, card_id, label_id)): Path<(i64, i64, i64)>,
) -> Result<StatusCode, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    require_both(board.connection(), board_id, card_id, label_id).await?;
    sqlx::query(
        "INSERT INTO card_labels (card_id, label_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    )
    .bind(card_id)
    .bind(label_id)
    .execute(board.connection())
    .await?;
    board.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes the label off the card; no error if it is not there.
async fn detach(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, card_id, label_id)): Path<(i64, i64, i64)>,
) -> Result<StatusCode, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    require_both(board.connection(), board_id, card_id, label_id).await?;
    sqlx::query("DELETE FROM card_labels WHERE card_id = $1 AND label_id = $2")
        .bind(card_id)
        .bind(label_id)
        .execute(board.connection())
        .await?;
    board.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn load(
    connection: &mut AnyConnection,
    board_id: i64,
    label_id: i64,
) -> Result<LabelView, AppError> {
    sqlx::query_as("SELECT id, name, colour FROM labels WHERE id = $1 AND board_id = $2")
        .bind(label_id)
        .bind(board_id)
        .fetch_optional(connection)
        .await?
        .ok_or(NO_LABEL)
}

/// Both are on this board: a label of another must not get onto a card here.
async fn require_both(
    connection: &mut AnyConnection,
    board_id: i64,
    card_id: i64,
    label_id: i64,
) -> Result<(), AppError> {
    load(connection, board_id, label_id).await?;
    let card: Option<i64> =
        sqlx::query_scalar("SELECT id FROM cards WHERE id = $1 AND board_id = $2")
            .bind(card_id)
            .bind(board_id)
            .fetch_optional(connection)
            .await?;
    card.map(drop)
        .ok_or(AppError::NotFound("the board has no such card"))
}
