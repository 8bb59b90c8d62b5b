//! What a daemon is told beside its policy file.

use std::time::Duration;

use crate::{AdminToken, ListenAddress, Password};

/// Where a daemon listens, and what it allows itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerSettings {
    /// Where HTTP is spoken, if anywhere.
    pub http: Option<ListenAddress>,
    /// Where gRPC is spoken, if anywhere.
    pub grpc: Option<ListenAddress>,
    /// Where the Redis protocol is spoken, if anywhere.
    pub redis: Option<ListenAddress>,
    /// What requests of administrators must carry over HTTP. Without it, they are refused.
    pub admin_token: Option<AdminToken>,
    /// The largest body of an HTTP request that is read, in bytes.
    pub max_body: usize,
    /// What clients of the Redis protocol must give before anything else. Without it, they need none.
    pub redis_password: Option<Password>,
    /// How long a client of the Redis protocol may send nothing, or not read its answers, before
    /// its connection is closed. Without it, for as long as it likes.
    pub redis_idle: Option<Duration>,
    /// How many threads serve connections, at least 1.
    pub workers: usize,
    /// How many connections each listener has open at the same time, at least 1.
    pub max_connections: usize,
    /// How long what has begun may take to end after the daemon was told to stop.
    pub drain: Duration,
}

impl Default for ServerSettings {
    /// No listener; no administrator, no password and no idle time; bodies of 64 KiB; a thread for
    /// each processor; 10 000 connections; 10 s to drain.
    fn default() -> Self {
        Self {
            http: None,
            grpc: None,
            redis: None,
            admin_token: None,
            max_body: 64 * 1024,
            redis_password: None,
            redis_idle: None,
            workers: std::thread::available_parallelism().map_or(1, Into::into),
            max_connections: 10_000,
            drain: Duration::from_secs(10),
        }
    }
}
