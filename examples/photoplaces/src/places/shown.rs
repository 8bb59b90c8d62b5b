//! A place as it is shown.

use serde::Serialize;

use super::NO_PLACE;
use crate::error::AppError;
use crate::geo::Position;

/// A place as it is shown.
#[derive(Debug, Serialize)]
pub struct Place {
    id: i64,
    name: String,
    description: String,
    latitude: f64,
    longitude: f64,
    tags: Vec<String>,
    created_by: i64,
    created_at: i64,
    updated_at: i64,
    /// How many reviews it has.
    reviews: i64,
    /// Their average.
    rating: Option<f64>,
    /// From where was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance_km: Option<f64>,
}

/// A row of the view `shown_places`.
#[derive(sqlx::FromRow)]
pub(super) struct Row {
    id: i64,
    name: String,
    description: String,
    latitude: f64,
    longitude: f64,
    /// Separated by commas, which no tag has; none without tags.
    tags: Option<String>,
    created_by: i64,
    created_at: i64,
    updated_at: i64,
    reviews: i64,
    rating: Option<f64>,
}

impl Place {
    /// The place with this id.
    ///
    /// # Errors
    ///
    /// There is none, or the database fails.
    pub(super) async fn find(
        database: impl sqlx::Executor<'_, Database = sqlx::Any>,
        place_id: i64,
    ) -> Result<Self, AppError> {
        let row: Option<Row> = sqlx::query_as("SELECT * FROM shown_places WHERE id = $1")
            .bind(place_id)
            .fetch_optional(database)
            .await?;
        row.map(Self::from).ok_or(AppError::NotFound(NO_PLACE))
    }

    /// The place, with how far it is from `here`.
    pub(super) fn seen_from(row: Row, here: Position) -> Self {
        let mut place = Self::from(row);
        // What is stored is in range.
        let there = Position::new(place.latitude, place.longitude);
        place.distance_km = there.ok().map(|there| here.distance_km(there));
        place
    }
}

impl From<Row> for Place {
    fn from(row: Row) -> Self {
        let tags = row.tags.as_deref().unwrap_or_default().split(',');
        Self {
            id: row.id,
            name: row.name,
            description: row.description,
            latitude: row.latitude,
            longitude: row.longitude,
            tags: tags
                .filter(|tag| !tag.is_empty())
                .map(str::to_owned)
                .collect(),
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
            reviews: row.reviews,
            rating: row.rating,
            distance_km: None,
        }
    }
}
