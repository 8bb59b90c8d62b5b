//! Who asks: found before the limiter runs, required by handlers.
//!
//! [`resolve`] looks the session up and never refuses a request. A handler that needs to know
//! takes [`CurrentUser`] or [`Admin`] as an argument.

mod standing;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;
use examples_common::session_token::SessionToken;
use tollgate_http::RequestAttributes;

pub use self::standing::{Plan, Role};
use crate::error::AppError;
use crate::state::AppState;

/// What is known of the caller, in the extensions of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// Nobody: no session was shown.
    Anonymous,
    /// Nobody: what was shown is no open session.
    InvalidSession,
    /// The user of an open session.
    User(CurrentUser),
    /// A session was shown, and the database did not say whose it is. To call its user logged out
    /// would be wrong.
    Unknown,
}

/// The user whose session the request shows. As an argument of a handler: without one the answer
/// is 401.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentUser {
    /// The user's id.
    pub id: i64,
    /// What the user may do.
    pub role: Role,
    /// What the user pays for.
    pub plan: Plan,
}

impl CurrentUser {
    /// The user as the limiter's policies see it: `user`, `user.role` and `user.plan`.
    #[must_use]
    pub fn attributes(self) -> RequestAttributes {
        RequestAttributes::new()
            .with("user", self.id.to_string())
            .with("user.role", self.role.as_str())
            .with("user.plan", self.plan.as_str())
    }

    /// Refuses everyone but the owner of something and administrators.
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`] with `message`.
    pub fn require_owner(self, owner_id: i64, message: &'static str) -> Result<(), AppError> {
        if self.id == owner_id || self.role == Role::Admin {
            Ok(())
        } else {
            Err(AppError::Forbidden(message))
        }
    }
}

/// An administrator. As an argument of a handler: anyone else gets 401 or 403.
#[derive(Debug, Clone, Copy)]
pub struct Admin(pub CurrentUser);

/// Finds the caller and tells it to what comes after: to the limiter as [`RequestAttributes`], to
/// handlers as [`Caller`]. A middleware; it lets every request through.
pub async fn resolve(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let caller = caller_of(&state, request.headers()).await;
    let extensions = request.extensions_mut();
    if let Caller::User(user) = caller {
        extensions.insert(user.attributes());
    }
    extensions.insert(caller);
    next.run(request).await
}

/// Asks the database only if what is shown looks like a session.
async fn caller_of(state: &AppState, headers: &HeaderMap) -> Caller {
    let Some(token) = SessionToken::in_headers(headers) else {
        return if headers.contains_key(header::AUTHORIZATION) {
            Caller::InvalidSession
        } else {
            Caller::Anonymous
        };
    };
    match state.sessions.user(&token).await {
        Ok(Some(user)) => Caller::User(user),
        Ok(None) => Caller::InvalidSession,
        Err(error) => {
            tracing::error!(%error, "a session cannot be looked up");
            Caller::Unknown
        }
    }
}

impl<S: Sync> FromRequestParts<S> for CurrentUser {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        match parts.extensions.get() {
            Some(Caller::User(user)) => Ok(*user),
            Some(Caller::Anonymous) => Err(AppError::Unauthorized(
                "log in and send `Authorization: Bearer <token>`",
            )),
            Some(Caller::InvalidSession) => Err(AppError::Unauthorized(
                "the session is not valid or has ended",
            )),
            Some(Caller::Unknown) => Err(AppError::Unavailable(
                "sessions cannot be read at the moment; try again later",
            )),
            None => Err(AppError::internal("no layer has looked for the caller")),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Admin {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        let user = CurrentUser::from_request_parts(parts, state).await?;
        match user.role {
            Role::Admin => Ok(Self(user)),
            Role::User => Err(AppError::Forbidden("only an administrator may do this")),
        }
    }
}
