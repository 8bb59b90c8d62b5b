//! Whether the daemon lives, and whether it decides.

use axum::extract::State;
use tollgate_engine::Engine;

/// `GET /livez`: the process answers.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: requests are decided. An outage of the store does not change that, since each
/// policy says what happens meanwhile; taking all daemons out for it would make it worse.
pub(super) async fn ready(State(engine): State<Engine>) -> &'static str {
    if engine.store_is_away() {
        "ok, but the store is away: policies do what they say for that\n"
    } else {
        "ok\n"
    }
}
