//! Places: find, create, read, change, delete.

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
        .route("/places/{place_id}", get(read).patch(change).delete(delete))
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

/// What is left out stays as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    name: Option<String>,
    description: Option<String>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    tags: Option<Vec<String>>,
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

async fn change(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(place_id): Path<i64>,
    extract::Json(changes): extract::Json<Changes>,
) -> Result<Json<Place>, AppError> {
    let mut tx = state.db.begin_write().await?;
    require_owner(&mut tx, user, place_id).await?;
    let name = changes.name.as_deref().map(validate::name).transpose()?;
    let description = changes.description.map(validate::description).transpose()?;
    let position = new_position(changes.latitude, changes.longitude)?;
    let tags = changes.tags.as_deref().map(validate::tags).transpose()?;
    if name.is_none() && description.is_none() && position.is_none() && tags.is_none() {
        return Err(AppError::validation(
            "the body must have a name, a description, a latitude and a longitude, or tags",
        ));
    }
    // Also holds the place against everyone else who changes it, its tags included.
    let changed = sqlx::query(
        "UPDATE places SET name = COALESCE($1, name), folded_name = COALESCE($2, folded_name),
                description = COALESCE($3, description), updated_at = $4
         WHERE id = $5",
    )
    .bind(&name)
    .bind(name.as_ref().map(|name| name.to_lowercase()))
    .bind(description)
    .bind(state.clock.now())
    .bind(place_id)
    .execute(&mut *tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(AppError::NotFound(NO_PLACE));
    }
    if let Some(position) = position {
        move_to(&mut tx, place_id, position).await?;
    }
    if let Some(tags) = tags {
        tags::set(&mut tx, place_id, &tags).await?;
    }
    let place = Place::find(&mut *tx, place_id).await?;
    tx.commit().await?;
    Ok(Json(place))
}

/// By itself, since the driver cannot bind the absence of a float for PostgreSQL: it gives it the
/// type of half the size, and the statement keeps the types that it was first prepared with.
async fn move_to(
    connection: &mut AnyConnection,
    place_id: i64,
    position: Position,
) -> Result<(), AppError> {
    let [x, y, z] = position.unit();
    sqlx::query(
        "UPDATE places SET latitude = $1, longitude = $2, x = $3, y = $4, z = $5 WHERE id = $6",
    )
    .bind(position.latitude())
    .bind(position.longitude())
    .bind(x)
    .bind(y)
    .bind(z)
    .bind(place_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Half a position moves a place to where nobody meant it to be.
fn new_position(
    latitude: Option<f64>,
    longitude: Option<f64>,
) -> Result<Option<Position>, AppError> {
    match (latitude, longitude) {
        (None, None) => Ok(None),
        (Some(latitude), Some(longitude)) => Ok(Some(Position::new(latitude, longitude)?)),
        (Some(_), None) => Err(AppError::validation(
            "longitude: must be sent with latitude",
        )),
        (None, Some(_)) => Err(AppError::validation(
            "latitude: must be sent with longitude",
        )),
    }
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
