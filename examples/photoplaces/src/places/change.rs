//! `PATCH /places/{place_id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use sqlx::AnyConnection;

use super::{NO_PLACE, Place, require_owner};
use crate::caller::CurrentUser;
use crate::error::AppError;
use crate::extract::{self, Path};
use crate::geo::Position;
use crate::state::AppState;
use crate::{tags, validate};

/// What is left out stays as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Changes {
    name: Option<String>,
    description: Option<String>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    tags: Option<Vec<String>>,
}

pub(super) async fn change(
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
