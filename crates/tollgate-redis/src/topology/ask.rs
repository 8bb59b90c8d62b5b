//! A question to a server, by a connection of its own.

use std::time::Duration;

use redis::{AsyncConnectionConfig, Client, Cmd, ConnectionInfo, Value};
use tollgate::{StoreError, StoreErrorKind};

use crate::error::{UrlError, store_error};

/// How long to wait for a connection and an answer. A server that hangs keeps a search no longer
/// from the next question; one that is alive is quicker, even from afar.
const PATIENCE: Duration = Duration::from_millis(400);

/// The server's answer to one command.
pub(super) async fn ask(info: ConnectionInfo, command: &Cmd) -> Result<Value, StoreError> {
    let asking = async {
        let client = Client::open(info)?;
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let mut connection = client
            .get_multiplexed_async_connection_with_config(&config)
            .await?;
        let answer = connection.send_packed_command(command).await?;
        answer.extract_error()
    };
    within_patience(async { asking.await.map_err(store_error) }).await
}

/// The answer, if it comes soon enough.
pub(super) async fn within_patience<T>(
    asking: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match tokio::time::timeout(PATIENCE, asking).await {
        Ok(answer) => answer,
        Err(_) => Err(StoreError::new(
            StoreErrorKind::Timeout,
            format!("no answer within {} ms", PATIENCE.as_millis()),
        )),
    }
}

/// The error with the server's address before it.
pub(super) fn said_by(server: &impl std::fmt::Display, error: StoreError) -> StoreError {
    StoreError::new(error.kind(), format!("{server}: {error}")).with_source(error)
}

/// A server does not know the question: it is of another kind than the URL says.
pub(super) fn is_no(kind: &str, error: StoreError) -> StoreError {
    if error.kind() != StoreErrorKind::Protocol {
        return error;
    }
    let message = format!("this is no {kind}, or its user may not ask; compare the url's scheme");
    StoreError::new(StoreErrorKind::Unavailable, message).with_source(error)
}

/// A server has said where another is, and nobody can be there.
pub(super) fn unusable(error: UrlError) -> StoreError {
    StoreError::new(
        StoreErrorKind::Unavailable,
        "the address of a redis cannot be used",
    )
    .with_source(error)
}
