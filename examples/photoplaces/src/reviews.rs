//! Reviews: one of each user for each place.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use crate::caller::CurrentUser;
use crate::error::AppError;
use crate::extract::{self, Path, Query};
use crate::page::{Listing, Page};
use crate::places::{self, NO_PLACE};
use crate::state::AppState;
use crate::validate;

const NO_REVIEW: AppError = AppError::NotFound("there is no such review");

/// The routes of reviews.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/places/{place_id}/reviews", get(list).post(create))
        .route("/reviews/{review_id}", get(read).delete(delete))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewReview {
    rating: i64,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    limit: Option<u32>,
    offset: Option<u32>,
}

#[derive(Serialize, sqlx::FromRow)]
struct Review {
    id: i64,
    place_id: i64,
    user_id: i64,
    user_name: String,
    rating: i64,
    text: String,
    created_at: i64,
}

/// The newest first.
async fn list(
    State(state): State<AppState>,
    Path(place_id): Path<i64>,
    Query(piece): Query<Piece>,
) -> Result<Json<Listing<Review>>, AppError> {
    let page = Page::new(piece.limit, piece.offset)?;
    let mut tx = state.db.begin_read().await?;
    places::require(&mut tx, place_id).await?;
    let reviews = sqlx::query_as(
        "SELECT * FROM shown_reviews WHERE place_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3",
    )
    .bind(place_id)
    .bind(page.rows())
    .bind(page.offset())
    .fetch_all(&mut *tx)
    .await?;
    Ok(Json(page.listing(reviews)))
}

async fn read(
    State(state): State<AppState>,
    Path(review_id): Path<i64>,
) -> Result<Json<Review>, AppError> {
    find(state.db.pool(), review_id).await.map(Json)
}

async fn find(
    database: impl sqlx::Executor<'_, Database = sqlx::Any>,
    review_id: i64,
) -> Result<Review, AppError> {
    sqlx::query_as("SELECT * FROM shown_reviews WHERE id = $1")
        .bind(review_id)
        .fetch_optional(database)
        .await?
        .ok_or(NO_REVIEW)
}

async fn create(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(place_id): Path<i64>,
    extract::Json(new): extract::Json<NewReview>,
) -> Result<impl IntoResponse, AppError> {
    let rating = validate::rating(new.rating)?;
    let text = validate::review_text(new.text)?;
    let mut tx = state.db.begin_write().await?;
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO reviews (place_id, user_id, rating, text, created_at)
         VALUES ($1, $2, $3, $4, $5) RETURNING id",
    )
    .bind(place_id)
    .bind(user.id)
    .bind(rating)
    .bind(text)
    .bind(state.clock.now())
    .fetch_one(&mut *tx)
    .await
    .map_err(|error| AppError::unique(error, "you have reviewed this place already"))
    .map_err(|error| error.or_missing(NO_PLACE))?;
    let review = find(&mut *tx, id).await?;
    tx.commit().await?;
    let location = [(header::LOCATION, format!("/reviews/{id}"))];
    Ok((StatusCode::CREATED, location, Json(review)))
}

async fn delete(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(review_id): Path<i64>,
) -> Result<StatusCode, AppError> {
    let mut tx = state.db.begin_write().await?;
    let review = find(&mut *tx, review_id).await?;
    user.require_owner(review.user_id, "only who wrote the review may do this")?;
    sqlx::query("DELETE FROM reviews WHERE id = $1")
        .bind(review_id)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
