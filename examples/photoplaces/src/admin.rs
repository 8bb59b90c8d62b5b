//! What administrators do: users' roles and plans, blocking, deleting places.

mod first;
mod users;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{delete, get};

pub use self::first::ensure_first;
use crate::caller::Admin;
use crate::error::AppError;
use crate::extract::Path;
use crate::places;
use crate::state::AppState;

/// The routes under `/admin`.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/admin/users", get(users::list))
        .route(
            "/admin/users/{user_id}",
            get(users::read).patch(users::change),
        )
        .route("/admin/places/{place_id}", delete(delete_place))
}

async fn delete_place(
    State(state): State<AppState>,
    _: Admin,
    Path(place_id): Path<i64>,
) -> Result<StatusCode, AppError> {
    let mut tx = state.db.begin_write().await?;
    places::remove(&mut tx, place_id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
