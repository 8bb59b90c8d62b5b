//! Bookings: a service, for an hour.
//!
//! A booking is between who booked and who offers the service. To everyone else but an
//! administrator it does not exist.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{delete, get};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use crate::caller::{CurrentUser, Role};
use crate::error::AppError;
use crate::extract::{self, Path, Query};
use crate::page::{Listing, Page};
use crate::services::NO_SERVICE;
use crate::state::AppState;

/// A slot is an hour, and begins with one.
const SLOT_SECS: i64 = 60 * 60;
const AHEAD_MAX_SECS: i64 = 366 * 24 * 60 * 60;

/// The routes of bookings.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/bookings", get(list).post(create))
        .route("/bookings/{booking_id}", delete(cancel))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBooking {
    service_id: i64,
    starts_at: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    limit: Option<u32>,
    offset: Option<u32>,
}

#[derive(Serialize, sqlx::FromRow)]
struct Booking {
    id: i64,
    service_id: i64,
    user_id: i64,
    starts_at: i64,
    state: String,
    created_at: i64,
}

/// What the caller has booked, and what others have booked of the caller's services; the newest
/// first.
async fn list(
    State(state): State<AppState>,
    user: CurrentUser,
    Query(piece): Query<Piece>,
) -> Result<Json<Listing<Booking>>, AppError> {
    let page = Page::new(piece.limit, piece.offset)?;
    let bookings = sqlx::query_as(
        "SELECT id, service_id, user_id, starts_at, state, created_at FROM bookings
         WHERE user_id = $1 OR service_id IN (SELECT id FROM services WHERE user_id = $1)
         ORDER BY id DESC LIMIT $2 OFFSET $3",
    )
    .bind(user.id)
    .bind(page.rows())
    .bind(page.offset())
    .fetch_all(state.db.pool())
    .await?;
    Ok(Json(page.listing(bookings)))
}

/// Books a slot. That it is free is not looked up but left to the database, where nobody can come
/// in between.
async fn create(
    State(state): State<AppState>,
    user: CurrentUser,
    extract::Json(new): extract::Json<NewBooking>,
) -> Result<impl IntoResponse, AppError> {
    let now = state.clock.now();
    check_slot(new.starts_at, now)?;
    let mut tx = state.db.begin_write().await?;
    let booking: Booking = sqlx::query_as(
        "INSERT INTO bookings (service_id, user_id, starts_at, created_at)
         VALUES ($1, $2, $3, $4)
         RETURNING id, service_id, user_id, starts_at, state, created_at",
    )
    .bind(new.service_id)
    .bind(user.id)
    .bind(new.starts_at)
    .bind(now)
    .fetch_one(&mut *tx)
    .await
    .map_err(|error| AppError::unique(error, "this slot is booked already"))
    .map_err(|error| error.or_missing(NO_SERVICE))?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(booking)))
}

fn check_slot(starts_at: i64, now: i64) -> Result<(), AppError> {
    if starts_at.rem_euclid(SLOT_SECS) != 0 {
        return Err(AppError::validation(
            "starts_at: must be the beginning of an hour, in seconds since the Unix epoch",
        ));
    }
    if starts_at <= now || starts_at > now.saturating_add(AHEAD_MAX_SECS) {
        return Err(AppError::validation(
            "starts_at: must be after now, and at most 366 days ahead",
        ));
    }
    Ok(())
}

/// Cancels a booking, and frees its slot. No error if it is cancelled already.
async fn cancel(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(booking_id): Path<i64>,
) -> Result<StatusCode, AppError> {
    let is_admin = i64::from(user.role == Role::Admin);
    let mut tx = state.db.begin_write().await?;
    let cancelled = sqlx::query(
        "UPDATE bookings SET state = 'cancelled'
         WHERE id = $1 AND (user_id = $2 OR $3 = 1
                            OR service_id IN (SELECT id FROM services WHERE user_id = $2))",
    )
    .bind(booking_id)
    .bind(user.id)
    .bind(is_admin)
    .execute(&mut *tx)
    .await?;
    if cancelled.rows_affected() == 0 {
        return Err(AppError::NotFound("there is no such booking"));
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
