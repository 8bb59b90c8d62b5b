//! How often a client may try to get in.
//!
//! The limiter sits in the service's state and this middleware asks it, so that a denial is an
//! [`AppError`] like any other and looks like one.

mod store;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tollgate::{AnyStore, SystemClock, Timestamp};
use tollgate_http::HttpLimiter;
use tollgate_policy::{ClientIdentity, OnStoreFailure, Policy, PolicyLimiter, PolicySet, Reason};

pub use self::store::{in_memory, in_redis};
use crate::clock::Clock;
use crate::error::AppError;
use crate::state::AppState;

/// The limiter in the state of the service.
pub type Limiter = HttpLimiter<AnyStore>;

/// Ten requests a minute for each client address, in windows that start at the minute.
const AUTH_LIMIT: &str = "10/min fixed-window";

/// The limiter could not be built.
#[derive(Debug, thiserror::Error)]
#[error("the rate limiter cannot be built: {0}")]
pub struct LimiterError(String);

/// A limiter for the clients that `identity` tells apart, which counts in `store`.
///
/// # Errors
///
/// Never, unless the policy in this file is changed to one that is not possible.
pub fn limiter(identity: ClientIdentity, store: AnyStore) -> Result<Limiter, LimiterError> {
    let wrong = |error: &dyn std::fmt::Display| LimiterError(error.to_string());
    let policy = Policy::builder("auth")
        .path("/auth/**")
        .key("client.ip")
        .limit(AUTH_LIMIT.parse().map_err(|error| wrong(&error))?)
        // How many guesses are left is nobody's business.
        .hide_numbers(true)
        // Whoever can take Redis away must not get as many guesses as they like. A login would
        // fail then anyway: that is where sessions are.
        .on_store_failure(OnStoreFailure::Deny)
        .build()
        .map_err(|error| wrong(&error))?;
    let policies = PolicySet::new([policy]).map_err(|error| wrong(&error))?;
    Ok(HttpLimiter::builder(PolicyLimiter::new(policies, store))
        .identity(identity)
        .build())
}

/// Turns away who asks too often, before the handler, so that a refused login counts too.
///
/// # Errors
///
/// [`AppError::RateLimited`] if the client has used its requests up, and
/// [`AppError::Unavailable`] if they cannot be counted.
pub async fn rate_limit(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Result<Response, AppError> {
    let decision = state.limiter.check(&request).await;
    if decision.is_allowed() {
        return Ok(next.run(request).await);
    }
    match (decision.reason(), decision.retry_after()) {
        (Reason::MissingKey, _) => Err(AppError::Validation(
            "the client's address cannot be told".into(),
        )),
        (Reason::StoreFailedDeny, _) => Err(AppError::Unavailable(
            "requests cannot be counted at the moment; try again later",
        )),
        (_, Some(wait)) => Err(AppError::RateLimited {
            retry_after_secs: Some(wait.as_secs_ceil()),
        }),
        // No policy of this service blocks or charges more than one.
        (reason, None) => Err(AppError::Internal(
            format!("the rate limiter denies for {reason}").into(),
        )),
    }
}

/// The time by which the limiter counts: the system's, or a test's.
#[derive(Debug, Clone)]
pub enum LimiterClock {
    /// The system's, which never steps back.
    System(SystemClock),
    /// Seconds since the Unix epoch, as somebody else says.
    Manual(Arc<AtomicI64>),
}

impl From<&Clock> for LimiterClock {
    fn from(clock: &Clock) -> Self {
        match clock {
            Clock::System => Self::System(SystemClock::new()),
            Clock::Manual(seconds) => Self::Manual(Arc::clone(seconds)),
        }
    }
}

impl tollgate::Clock for LimiterClock {
    fn now(&self) -> Timestamp {
        match self {
            Self::System(clock) => clock.now(),
            Self::Manual(seconds) => {
                let seconds = seconds.load(Ordering::SeqCst);
                Timestamp::from_secs(seconds.try_into().unwrap_or(0))
            }
        }
    }
}
