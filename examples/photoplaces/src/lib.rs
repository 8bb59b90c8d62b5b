//! PhotoPlaces: places to take photographs at, and who takes them there.
//!
//! [`Config`] says where everything is, [`AppState::connect`] goes there, [`RateLimits::open`] reads
//! how often who may call, [`app`] is the router over both, and [`serve`] runs that until told to
//! stop.
//!
//! Each area of the API is one module with its routes on top and its statements below:
//! [`accounts`], [`places`], [`tags`], [`reviews`], [`services`], [`bookings`], [`admin`]. What
//! they share: [`caller`] (who asks), [`error`] (the form of every error answer), [`page`] (lists
//! in pieces), [`validate`]. What stands around all of them, and where the rate limiter has its
//! place, is in [`layers`]; the limiter is in [`rate_limit`], and what operators see of it in
//! [`metrics`].

pub mod accounts;
pub mod admin;
pub mod bookings;
pub mod caller;
pub mod clock;
pub mod config;
pub mod db;
pub mod geo;
pub mod health;
pub mod layers;
pub mod metrics;
pub mod page;
pub mod places;
pub mod rate_limit;
pub mod reviews;
pub mod server;
pub mod services;
pub mod sessions;
pub mod state;
pub mod tags;
pub mod validate;

use axum::Router;
pub use examples_common::error::AppError;
pub use examples_common::{error, extract};

pub use self::clock::Clock;
pub use self::config::{Config, ConfigError};
pub use self::rate_limit::RateLimits;
pub use self::server::serve;
pub use self::state::AppState;

/// The whole API, limited.
pub fn app(state: AppState, limits: &RateLimits) -> Router {
    layers::wrap(routes(), state, |routes| limits.around(routes))
}

/// The routes, without what surrounds them.
pub fn routes() -> Router<AppState> {
    Router::new()
        .merge(health::routes())
        .merge(accounts::routes())
        .merge(places::routes())
        .merge(tags::routes())
        .merge(reviews::routes())
        .merge(services::routes())
        .merge(bookings::routes())
        .merge(admin::routes())
        .fallback(async || AppError::NotFound("there is nothing at this path"))
        .method_not_allowed_fallback(async || AppError::MethodNotAllowed)
}
