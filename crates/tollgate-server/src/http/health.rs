//! Whether the daemon lives, and whether it decides.

use axum::extract::State;
use axum::http::StatusCode;

use super::Operations;

/// `GET /livez`: the process answers.
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: requests are decided. An outage of the store does not change that, since each
/// policy says what happens meanwhile; taking all daemons out for it would make it worse.
pub(super) async fn ready(State(operations): State<Operations>) -> (StatusCode, &'static str) {
    if operations.lifecycle().is_leaving() {
        let told = "draining: it ends soon, and should be asked nothing new\n";
        return (StatusCode::SERVICE_UNAVAILABLE, told);
    }
    let told = if operations.engine().store_is_away() {
        "ok, but the store is away: policies do what they say for that\n"
    } else {
        "ok\n"
    };
    (StatusCode::OK, told)
}
