//! Services: what photographers offer at a place.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use crate::caller::CurrentUser;
use crate::error::AppError;
use crate::extract::{self, Path, Query};
use crate::page::{Listing, Page};
use crate::places::NO_PLACE;
use crate::state::AppState;
use crate::validate;

/// What is said where there is no such service.
pub(crate) const NO_SERVICE: &str = "there is no such service";

/// The routes of services.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/services", get(list))
        .route("/services/{service_id}", get(read))
        .route("/places/{place_id}/services", post(create))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewService {
    title: String,
    price_cents: i64,
    contact: String,
}

/// Which services: of one place, or of all.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    place: Option<i64>,
    limit: Option<u32>,
    offset: Option<u32>,
}

#[derive(Serialize, sqlx::FromRow)]
struct Service {
    id: i64,
    place_id: i64,
    user_id: i64,
    user_name: String,
    title: String,
    price_cents: i64,
    contact: String,
    created_at: i64,
}

/// The oldest first.
async fn list(
    State(state): State<AppState>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Listing<Service>>, AppError> {
    let page = Page::new(wanted.limit, wanted.offset)?;
    let all = "SELECT * FROM shown_services ORDER BY id LIMIT $1 OFFSET $2";
    let of_place =
        "SELECT * FROM shown_services WHERE place_id = $3 ORDER BY id LIMIT $1 OFFSET $2";
    let services = match wanted.place {
        None => sqlx::query_as(all).bind(page.rows()).bind(page.offset()),
        Some(place_id) => sqlx::query_as(of_place)
            .bind(page.rows())
            .bind(page.offset())
            .bind(place_id),
    };
    let services = services.fetch_all(state.db.pool()).await?;
    Ok(Json(page.listing(services)))
}

async fn read(
    State(state): State<AppState>,
    Path(service_id): Path<i64>,
) -> Result<Json<Service>, AppError> {
    find(state.db.pool(), service_id).await.map(Json)
}

async fn find(
    database: impl sqlx::Executor<'_, Database = sqlx::Any>,
    service_id: i64,
) -> Result<Service, AppError> {
    sqlx::query_as("SELECT * FROM shown_services WHERE id = $1")
        .bind(service_id)
        .fetch_optional(database)
        .await?
        .ok_or(AppError::NotFound(NO_SERVICE))
}

async fn create(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(place_id): Path<i64>,
    extract::Json(new): extract::Json<NewService>,
) -> Result<impl IntoResponse, AppError> {
    let title = validate::title(&new.title)?;
    let price_cents = validate::price_cents(new.price_cents)?;
    let contact = validate::contact(&new.contact)?;
    let mut tx = state.db.begin_write().await?;
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO services (place_id, user_id, title, price_cents, contact, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(place_id)
    .bind(user.id)
    .bind(title)
    .bind(price_cents)
    .bind(contact)
    .bind(state.clock.now())
    .fetch_one(&mut *tx)
    .await
    .map_err(|error| AppError::from(error).or_missing(NO_PLACE))?;
    let service = find(&mut *tx, id).await?;
    tx.commit().await?;
    let location = [(header::LOCATION, format!("/services/{id}"))];
    Ok((StatusCode::CREATED, location, Json(service)))
}
