//! Places: find, create, read, change, delete.

mod change;
mod search;
mod shown;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use sqlx::AnyConnection;

pub use self::shown::Place;
use crate::caller::CurrentUser;
use crate::error::AppError;
use crate::extract::{self, Path};
use crate::geo::Position;
use crate::state::AppState;
use crate::{tags, validate};

/// What is said where there is no such place.
pub(crate) const NO_PLACE: &str = "there is no such place";

/// The routes of places themselves; what belongs to a place has its own modules.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/places", get(search::search).post(create))
        .route(
            "/places/{place_id}",
            get(read).patch(change::change).delete(delete),
        )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPlace {
    name: String,
    #[serde(default)]
    description: String,
    latitude: f64,
    longitude: f64,
    #[serde(default)]
    tags: Vec<String>,
}

async fn read(
    State(state): State<AppState>,
    Path(place_id): Path<i64>,
) -> Result<Json<Place>, AppError> {
    Place::find(state.db.pool(), place_id).await.map(Json)
}

async fn create(
    State(state): State<AppState>,
    user: CurrentUser,
    extract::Json(new): extract::Json<NewPlace>,
) -> Result<impl IntoResponse, AppError> {
    let name = validate::name(&new.name)?;
    let description = validate::description(new.description)?;
    let position = Position::new(new.latitude, new.longitude)?;
    let tags = validate::tags(&new.tags)?;
    let [x, y, z] = position.unit();
    let now = state.clock.now();
    let mut tx = state.db.begin_write().await?;
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO places (name, folded_name, description, latitude, longitude, x, y, z,
                             created_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) RETURNING id",
    )
    .bind(&name)
    .bind(name.to_lowercase())
    .bind(description)
    .bind(position.latitude())
    .bind(position.longitude())
    .bind(x)
    .bind(y)
    .bind(z)
    .bind(user.id)
    .bind(now)
    .fetch_one(&mut *tx)
    .await?;
    tags::set(&mut tx, id, &tags).await?;
    let place = Place::find(&mut *tx, id).await?;
    tx.commit().await?;
    let location = [(header::LOCATION, format!("/places/{id}"))];
    Ok((StatusCode::CREATED, location, Json(place)))
}

/// Deletes the place and all that belongs to it.
async fn delete(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(place_id): Path<i64>,
) -> Result<StatusCode, AppError> {
    let mut tx = state.db.begin_write().await?;
    require_owner(&mut tx, user, place_id).await?;
    remove(&mut tx, place_id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a place, its reviews, its services and their bookings.
///
/// # Errors
///
/// There is no such place, or the database fails.
pub(crate) async fn remove(connection: &mut AnyConnection, place_id: i64) -> Result<(), AppError> {
    let deleted = sqlx::query("DELETE FROM places WHERE id = $1")
        .bind(place_id)
        .execute(connection)
        .await?;
    match deleted.rows_affected() {
        0 => Err(AppError::NotFound(NO_PLACE)),
        _ => Ok(()),
    }
}

/// Refuses with 404 where there is no place, and with 403 whoever has not created it. That never
/// changes hands, so it need not be locked.
async fn require_owner(
    connection: &mut AnyConnection,
    user: CurrentUser,
    place_id: i64,
) -> Result<(), AppError> {
    let created_by: i64 = sqlx::query_scalar("SELECT created_by FROM places WHERE id = $1")
        .bind(place_id)
        .fetch_optional(connection)
        .await?
        .ok_or(AppError::NotFound(NO_PLACE))?;
    user.require_owner(created_by, "only who created the place may do this")
}

/// Refuses with 404 where there is no place.
///
/// # Errors
///
/// There is no such place, or the database fails.
pub(crate) async fn require(connection: &mut AnyConnection, place_id: i64) -> Result<(), AppError> {
    let found: Option<i64> = sqlx::query_scalar("SELECT id FROM places WHERE id = $1")
        .bind(place_id)
        .fetch_optional(connection)
        .await?;
    found.map(drop).ok_or(AppError::NotFound(NO_PLACE))
}
