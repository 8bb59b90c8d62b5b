//! TaskFlow: a board API, as complete as a small service is in earnest.
//!
//! [`Config`] says where everything is, [`AppState::connect`] goes there,
//! [`app`] is the router over it, and [`serve`] runs that until told to stop.
//!
//! Each area of the API is one module with its routes on top and its statements
//! below: [`auth`], [`boards`], [`members`], [`columns`], [`cards`], [`labels`].
//! What they share: [`db`] (either engine), [`cache`] (whole boards),
//! [`sessions`], [`error`] (the form of every error answer). What stands before
//! the routes of [`auth`]: [`rate_limit`]. What several processes share beside the
//! database, if they do: a Redis, by a [`redis_connection`].

pub mod auth;
pub mod boards;
pub mod cache;
pub mod cards;
pub mod columns;
pub mod config;
pub mod db;
pub mod health;
pub mod labels;
pub mod layers;
pub mod members;
pub mod rate_limit;
pub mod redis_connection;
pub mod server;
pub mod sessions;
pub mod state;
pub mod validate;

use axum::Router;
pub use examples_common::clock::Clock;
pub use examples_common::error::AppError;
pub use examples_common::{clock, error, extract};

pub use self::config::{Config, ConfigError};
pub use self::server::serve;
pub use self::state::AppState;

/// The whole API.
pub fn app(state: AppState) -> Router {
    let config = state.config.clone();
    let routes = Router::new()
        .merge(health::routes())
        .merge(auth::auth_routes(&state))
        .merge(boards::routes())
        .merge(members::routes())
        .merge(columns::routes())
        .merge(cards::routes())
        .merge(labels::routes())
        .fallback(async || AppError::NotFound("there is nothing at this path"))
        .method_not_allowed_fallback(async || AppError::MethodNotAllowed)
        .with_state(state);
    layers::wrap(routes, &config)
}
