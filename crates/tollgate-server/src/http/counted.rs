//! Requests that are counted, and not more decided at a time than may be.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::middleware::map_response;
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;

use super::Shared;
use super::problem::Problem;
use crate::memory::Exhausted;
use crate::metrics::{InFlight, Outcome, Surface};

impl Shared {
    /// Takes on a request that is whole and is now to be decided: who sends slowly takes nobody's
    /// place.
    ///
    /// # Errors
    ///
    /// There are as many as may be.
    pub(super) fn begin(&self) -> Result<InFlight, Problem> {
        self.surface.begin().map_err(|overloaded| {
            Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                format!("{overloaded}, or start the daemon with a larger `--max-requests`"),
            )
            // As the refusal of connections, a second.
            .field(RETRY_AFTER, "1")
        })
    }

    /// Lets a request wait for the store, for so many decisions at a time.
    ///
    /// # Errors
    ///
    /// Too many wait.
    pub(super) fn wait(
        &self,
        counted: InFlight,
        several: usize,
    ) -> Result<(OwnedSemaphorePermit, InFlight), Problem> {
        match self.waiting.enter_with(several) {
            Ok(places) => Ok((places, counted)),
            Err(too_many_wait) => {
                counted.end(Outcome::Overloaded);
                let detail = too_many_wait.to_string();
                Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).field(RETRY_AFTER, "1"))
            }
        }
    }

    /// Counts a request that came to no decision through a mistake of the client's. What was too
    /// much is counted already.
    pub(super) fn count<T>(&self, done: Result<T, Problem>) -> Result<T, Problem> {
        done.inspect_err(|problem| {
            if problem.status().is_client_error() {
                self.surface.count(Outcome::Invalid);
            }
        })
    }
}

/// A request for which there is no memory, or no more of it.
#[cold]
pub(super) fn no_memory(exhausted: Exhausted) -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        format!("{exhausted}, or start the daemon with a larger `--max-request-memory`"),
    )
    .field(RETRY_AFTER, "1")
}

/// Counts what asks for no decision.
pub(super) fn as_other<S: Clone + Send + Sync + 'static>(
    routes: Router<S>,
    surface: &Arc<Surface>,
) -> Router<S> {
    let surface = Arc::clone(surface);
    routes.layer(map_response(move |response: Response| {
        let is_mistake = response.status().is_client_error();
        surface.count(match is_mistake {
            true => Outcome::Invalid,
            false => Outcome::Other,
        });
        std::future::ready(response)
    }))
}
