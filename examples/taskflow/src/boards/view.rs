//! A whole board in one answer, from the cache where it can be.

use std::collections::HashMap;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;

use super::access::require_member;
use crate::auth::CurrentUser;
use crate::cache::Lookup;
use crate::error::AppError;
use crate::extract::Path;
use crate::state::AppState;

/// A board with everything on it.
#[derive(Debug, Serialize)]
pub struct BoardView {
    /// The board's id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Raised by every change.
    pub version: i64,
    /// When it was created, in seconds since the Unix epoch.
    pub created_at: i64,
    /// Who may see it.
    pub members: Vec<MemberView>,
    /// Its columns from left to right, each with its cards.
    pub columns: Vec<ColumnView>,
    /// Its labels.
    pub labels: Vec<LabelView>,
}

/// A member of a board.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub struct MemberView {
    /// The user's id.
    pub user_id: i64,
    /// The user's address.
    pub email: String,
    /// The user's name.
    pub name: String,
    /// `owner` or `member`.
    pub role: String,
}

/// A column.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub struct ColumnView {
    /// The column's id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its place from the left, from 0.
    pub position: i64,
    /// Its cards from top to bottom.
    #[sqlx(skip)]
    pub cards: Vec<CardView>,
}

/// A card.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub struct CardView {
    /// The card's id.
    pub id: i64,
    /// The column it is in.
    pub column_id: i64,
    /// Its title.
    pub title: String,
    /// Its text.
    pub description: String,
    /// Its place in the column from the top, from 0.
    pub position: i64,
    /// The labels on it.
    #[sqlx(skip)]
    pub label_ids: Vec<i64>,
    /// When it was created, in seconds since the Unix epoch.
    pub created_at: i64,
    /// When it was last changed or moved.
    pub updated_at: i64,
}

/// A label.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub struct LabelView {
    /// The label's id.
    pub id: i64,
    /// Its name, which no other label of the board has.
    pub name: String,
    /// Its colour, `#rrggbb`.
    pub colour: String,
}

/// Where the cache keeps a board.
pub(super) fn cache_key(board_id: i64) -> String {
    format!("board:{board_id}")
}

/// `GET /boards/{board_id}`.
pub(super) async fn read(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(board_id): Path<i64>,
) -> Result<impl IntoResponse, AppError> {
    let key = cache_key(board_id);
    let json = match state.cache.lookup(&key).await {
        Lookup::Hit(json) => {
            require_cached_member(&json, user)?;
            json
        }
        Lookup::Miss(ticket) => {
            let board = load(&state, user, board_id).await?;
            let json = Bytes::from(serde_json::to_vec(&board).map_err(AppError::internal)?);
            state.cache.fill(&key, ticket, json.clone()).await;
            json
        }
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], json))
}

/// [`require_member`], asked of the cached board instead of the database.
fn require_cached_member(json: &[u8], user: CurrentUser) -> Result<(), AppError> {
    #[derive(Deserialize)]
    struct Board {
        members: Vec<Member>,
    }
    #[derive(Deserialize)]
    struct Member {
        user_id: i64,
    }

    let board: Board = serde_json::from_slice(json).map_err(AppError::internal)?;
    if board.members.iter().any(|member| member.user_id == user.id) {
        Ok(())
    } else {
        Err(AppError::NotFound("there is no such board"))
    }
}

/// Reads the board in one snapshot, so that a change is in it whole or not at all.
async fn load(state: &AppState, user: CurrentUser, board_id: i64) -> Result<BoardView, AppError> {
    let mut tx = state.db.begin_read().await?;
    require_member(&mut tx, user, board_id).await?;
    let (name, version, created_at) =
        sqlx::query_as("SELECT name, version, created_at FROM boards WHERE id = $1")
            .bind(board_id)
            .fetch_one(&mut *tx)
            .await?;
    let members = sqlx::query_as(
        "SELECT m.user_id, u.email, u.name, m.role
         FROM board_members m JOIN users u ON u.id = m.user_id
         WHERE m.board_id = $1 ORDER BY m.user_id",
    )
    .bind(board_id)
    .fetch_all(&mut *tx)
    .await?;
    let labels =
        sqlx::query_as("SELECT id, name, colour FROM labels WHERE board_id = $1 ORDER BY id")
            .bind(board_id)
            .fetch_all(&mut *tx)
            .await?;
    let columns = load_columns(&mut tx, board_id).await?;
    tx.commit().await?;
    Ok(BoardView {
        id: board_id,
        name,
        version,
        created_at,
        members,
        columns,
        labels,
    })
}

async fn load_columns(
    connection: &mut AnyConnection,
    board_id: i64,
) -> Result<Vec<ColumnView>, AppError> {
    let mut columns: Vec<ColumnView> = sqlx::query_as(
        "SELECT id, name, position FROM board_columns WHERE board_id = $1 ORDER BY position, id",
    )
    .bind(board_id)
    .fetch_all(&mut *connection)
    .await?;
    let cards: Vec<CardView> = sqlx::query_as(
        "SELECT id, column_id, title, description, position, created_at, updated_at
         FROM cards WHERE board_id = $1 ORDER BY position, id",
    )
    .bind(board_id)
    .fetch_all(&mut *connection)
    .await?;
    let attached: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT cl.card_id, cl.label_id
         FROM card_labels cl JOIN cards c ON c.id = cl.card_id
         WHERE c.board_id = $1 ORDER BY cl.label_id",
    )
    .bind(board_id)
    .fetch_all(&mut *connection)
    .await?;

    let mut labels: HashMap<i64, Vec<i64>> = HashMap::new();
    for (card_id, label_id) in attached {
        labels.entry(card_id).or_default().push(label_id);
    }
    let mut by_column: HashMap<i64, Vec<CardView>> = HashMap::new();
    for mut card in cards {
        card.label_ids = labels.remove(&card.id).unwrap_or_default();
        by_column.entry(card.column_id).or_default().push(card);
    }
    for column in &mut columns {
        column.cards = by_column.remove(&column.id).unwrap_or_default();
    }
    Ok(columns)
}
