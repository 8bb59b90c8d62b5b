//! Why a server did not run a call.

use redis::{ErrorKind, RedisError, ServerErrorKind};
use tollgate::StoreError;

use crate::error::{is_read_only, store_error};

/// A call was not answered as it should be.
#[derive(Debug)]
pub(crate) struct NodeError {
    pub(crate) refusal: Refusal,
    pub(crate) error: StoreError,
}

/// What whoever knows other servers may do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Nothing is known to help.
    Other,
    /// Not run: the slot has moved to another server of the cluster.
    Moved { address: String },
    /// Not run: this slot is moving, and this key has gone to another server already.
    Ask { address: String },
    /// Not run: this slot is moving, and its keys are in two places.
    TryAgain,
    /// Not run: the cluster does not serve this slot at the moment.
    ClusterDown,
    /// Not run: the server takes no writes, since it is no master (any longer).
    NotMaster,
    /// The server could not be reached, or did not answer; the call may have been run.
    Unreachable,
}

impl From<RedisError> for NodeError {
    fn from(error: RedisError) -> Self {
        Self {
            refusal: refusal(&error),
            error: store_error(error),
        }
    }
}

impl From<StoreError> for NodeError {
    /// An error of connecting.
    fn from(error: StoreError) -> Self {
        Self {
            refusal: Refusal::Unreachable,
            error,
        }
    }
}

fn refusal(error: &RedisError) -> Refusal {
    let redirect = || error.redirect_node().map(|(address, _)| address.to_owned());
    if error.is_timeout() || error.is_unrecoverable_error() || error.is_io_error() {
        return Refusal::Unreachable;
    }
    if is_read_only(error) {
        return Refusal::NotMaster;
    }
    match error.kind() {
        ErrorKind::Server(ServerErrorKind::Moved) => {
            redirect().map(|address| Refusal::Moved { address })
        }
        ErrorKind::Server(ServerErrorKind::Ask) => {
            redirect().map(|address| Refusal::Ask { address })
        }
        ErrorKind::Server(ServerErrorKind::TryAgain) => Some(Refusal::TryAgain),
        ErrorKind::Server(ServerErrorKind::ClusterDown) => Some(Refusal::ClusterDown),
        _ => None,
    }
    .unwrap_or(Refusal::Other)
}
