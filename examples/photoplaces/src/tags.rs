//! Tags: a tag is there as long as a place has it.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;

use crate::error::AppError;
use crate::extract::Query;
use crate::page::{Listing, Page};
use crate::state::AppState;

/// `GET /tags`.
pub fn routes() -> Router<AppState> {
    Router::new().route("/tags", get(list))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    limit: Option<u32>,
    offset: Option<u32>,
}

#[derive(Serialize, sqlx::FromRow)]
struct Tag {
    tag: String,
    /// How many places have it.
    places: i64,
}

/// The most used first.
async fn list(
    State(state): State<AppState>,
    Query(piece): Query<Piece>,
) -> Result<Json<Listing<Tag>>, AppError> {
    let page = Page::new(piece.limit, piece.offset)?;
    let tags = sqlx::query_as(
        "SELECT tag, COUNT(*) AS places FROM place_tags
         GROUP BY tag ORDER BY places DESC, tag LIMIT $1 OFFSET $2",
    )
    .bind(page.rows())
    .bind(page.offset())
    .fetch_all(state.db.pool())
    .await?;
    Ok(Json(page.listing(tags)))
}

/// Gives a place these tags and no others, which the caller's transaction holds.
///
/// # Errors
///
/// The database fails.
pub(crate) async fn set(
    connection: &mut AnyConnection,
    place_id: i64,
    tags: &[String],
) -> Result<(), AppError> {
    sqlx::query("DELETE FROM place_tags WHERE place_id = $1")
        .bind(place_id)
        .execute(&mut *connection)
        .await?;
    for tag in tags {
        sqlx::query("INSERT INTO place_tags (place_id, tag) VALUES ($1, $2)")
            .bind(place_id)
            .bind(tag)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
