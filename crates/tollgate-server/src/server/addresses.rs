//! Where a daemon listens.

use crate::ListenAddress;

/// Where a daemon listens, with the ports that were taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Addresses {
    /// HTTP.
    pub http: Option<ListenAddress>,
    /// gRPC.
    pub grpc: Option<ListenAddress>,
    /// The Redis protocol.
    pub redis: Option<ListenAddress>,
    /// What operators ask.
    pub operations: Option<ListenAddress>,
}
