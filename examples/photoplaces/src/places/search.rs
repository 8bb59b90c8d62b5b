//! `GET /places`: by name, by tag, by distance.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use super::shown::{Place, Row};
use crate::error::AppError;
use crate::extract::Query;
use crate::geo::{Area, Position};
use crate::page::{Listing, Page};
use crate::state::AppState;
use crate::validate;

const TEXT_MAX: usize = 100;

/// What places are looked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// A part of the name, in any case.
    q: Option<String>,
    /// A tag.
    tag: Option<String>,
    /// The nearest first, from `LATITUDE,LONGITUDE`.
    near: Option<String>,
    /// At most so many km from there.
    within: Option<f64>,
    limit: Option<u32>,
    offset: Option<u32>,
}

/// What both ways to look have in common.
struct Filter {
    /// For LIKE.
    pattern: String,
    /// Empty for any.
    tag: String,
    page: Page,
}

pub(super) async fn search(
    State(state): State<AppState>,
    Query(search): Query<Search>,
) -> Result<Json<Listing<Place>>, AppError> {
    let filter = Filter {
        pattern: pattern(search.q.as_deref().unwrap_or_default())?,
        tag: search
            .tag
            .map(|tag| validate::tag("tag", &tag))
            .transpose()?
            .unwrap_or_default(),
        page: Page::new(search.limit, search.offset)?,
    };
    let places = match (search.near, search.within) {
        (Some(near), within) => {
            let here = Position::parse("near", &near)?;
            by_distance(&state, &filter, here, Area::new(here, within)?).await?
        }
        (None, None) => in_order(&state, &filter).await?,
        (None, Some(_)) => return Err(AppError::validation("within: must be sent with near")),
    };
    Ok(Json(filter.page.listing(places)))
}

/// The oldest first.
async fn in_order(state: &AppState, filter: &Filter) -> Result<Vec<Place>, AppError> {
    let rows: Vec<Row> = sqlx::query_as(
        r"SELECT s.* FROM (
              SELECT p.id FROM places p
              WHERE p.folded_name LIKE $1 ESCAPE '\'
                AND ($2 = '' OR EXISTS (SELECT 1 FROM place_tags t
                                        WHERE t.tag = $2 AND t.place_id = p.id))
              ORDER BY p.id LIMIT $3 OFFSET $4
          ) found JOIN shown_places s ON s.id = found.id
          ORDER BY s.id",
    )
    .bind(&filter.pattern)
    .bind(&filter.tag)
    .bind(filter.page.rows())
    .bind(filter.page.offset())
    .fetch_all(state.db.pool())
    .await?;
    Ok(rows.into_iter().map(Place::from).collect())
}

/// The nearest first. The box is what an index can look up; the chord decides.
async fn by_distance(
    state: &AppState,
    filter: &Filter,
    here: Position,
    area: Area,
) -> Result<Vec<Place>, AppError> {
    let [x, y, z] = area.center();
    let [x_range, y_range, z_range] = area.bounding_box();
    let rows: Vec<Row> = sqlx::query_as(
        r"SELECT s.* FROM (
              SELECT boxed.id, boxed.squared_chord FROM (
                  SELECT p.id, (p.x - $3) * (p.x - $3) + (p.y - $4) * (p.y - $4)
                               + (p.z - $5) * (p.z - $5) AS squared_chord
                  FROM places p
                  WHERE p.x BETWEEN $6 AND $7 AND p.y BETWEEN $8 AND $9
                    AND p.z BETWEEN $10 AND $11
                    AND p.folded_name LIKE $1 ESCAPE '\'
                    AND ($2 = '' OR EXISTS (SELECT 1 FROM place_tags t
                                            WHERE t.tag = $2 AND t.place_id = p.id))
              ) boxed
              WHERE boxed.squared_chord <= $12
              ORDER BY boxed.squared_chord, boxed.id LIMIT $13 OFFSET $14
          ) found JOIN shown_places s ON s.id = found.id
          ORDER BY found.squared_chord, found.id",
    )
    .bind(&filter.pattern)
    .bind(&filter.tag)
    .bind(x)
    .bind(y)
    .bind(z)
    .bind(x_range.0)
    .bind(x_range.1)
    .bind(y_range.0)
    .bind(y_range.1)
    .bind(z_range.0)
    .bind(z_range.1)
    .bind(area.squared_chord())
    .bind(filter.page.rows())
    .bind(filter.page.offset())
    .fetch_all(state.db.pool())
    .await?;
    let places = rows.into_iter().map(|row| Place::seen_from(row, here));
    Ok(places.collect())
}

/// The pattern for names that have `text` in them, as names are folded. What LIKE would take for
/// more than itself is escaped.
fn pattern(text: &str) -> Result<String, AppError> {
    if text.chars().count() > TEXT_MAX || text.contains('\0') {
        return Err(AppError::validation(format!(
            "q: must be text of at most {TEXT_MAX} characters"
        )));
    }
    let mut pattern = String::from("%");
    for character in text.trim().to_lowercase().chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    Ok(pattern)
}
