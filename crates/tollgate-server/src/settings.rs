//! What a daemon is told beside its policy file.

use std::time::Duration;

use crate::{AdminToken, ListenAddress, Metrics, Password, TlsFiles};

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
    /// Where `/livez`, `/readyz` and `/metrics` are answered, and nothing else is: never encrypted,
    /// for those who watch it from nearby. They are part of HTTP, too.
    pub operations: Option<ListenAddress>,
    /// How many threads serve connections, each with a runtime of its own. With 0, the runtime that
    /// the server runs in serves them, by as many threads as it has.
    pub workers: usize,
    /// How many connections each listener has open at the same time, at least 1.
    pub max_connections: usize,
    /// How many of them one peer may have: an address, or a network of 64 bits with IPv6. `None`
    /// for as many as there may be, since the peers of a daemon are often a few proxies.
    pub max_connections_per_peer: Option<usize>,
    /// How many requests each surface decides at the same time, at least 1. Further ones are
    /// answered at once, in the words of the protocol for too many.
    pub max_requests: usize,
    /// How many bytes each surface of HTTP and gRPC keeps of requests that have not ended, over all
    /// of its connections: heads, messages that are not whole, answers that are not taken. Each
    /// connection has 64 KiB beside that, and none more than 4 MiB of it. Who finds none left is
    /// answered at once, as one too many.
    pub max_request_memory: usize,
    /// How long a connection may be on which nothing moves.
    pub idle_timeout: Duration,
    /// How long a handshake of TLS may take.
    pub handshake_timeout: Duration,
    /// Certificates, with which what comes over TCP is encrypted.
    pub tls: Option<TlsFiles>,
    /// The surfaces to which that does not apply.
    pub plain: Vec<SurfaceName>,
    /// Who may connect to Unix sockets, as `chmod` has it; `None` for what the process's mask says.
    pub unix_mode: Option<u32>,
    /// Whether other processes of the same user may listen on the same ports. The system shares
    /// connections among them, so that the next daemon can begin before this one ends.
    pub reuse_port: bool,
    /// How long, after the daemon was told to stop, it goes on as before, but says that it is not
    /// ready, and ends each connection of HTTP/1 with the next answer.
    pub drain_delay: Duration,
    /// How long what has begun may take to end after that.
    pub drain: Duration,
    /// What `/metrics` shows beside the daemon's own.
    pub metrics: Option<Metrics>,
}

/// A surface, where settings tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SurfaceName {
    /// HTTP.
    Http,
    /// gRPC.
    Grpc,
    /// The Redis protocol.
    Redis,
}

impl Default for ServerSettings {
    /// No listener; no administrator and no password; bodies of 64 KiB; a thread for each processor;
    /// 10 000 connections, however few peers have them, and 10 000 requests, which keep 32 MiB beside
    /// what connections have of their own; 5 min without a byte, 10 s for a handshake; no certificates; at the end no delay, and 10 s to drain; no metrics but the
    /// daemon's own.
    fn default() -> Self {
        Self {
            http: None,
            grpc: None,
            redis: None,
            admin_token: None,
            max_body: 64 * 1024,
            redis_password: None,
            operations: None,
            workers: std::thread::available_parallelism().map_or(1, Into::into),
            max_connections: 10_000,
            max_connections_per_peer: None,
            max_requests: 10_000,
            max_request_memory: 32 << 20,
            idle_timeout: Duration::from_secs(300),
            handshake_timeout: Duration::from_secs(10),
            tls: None,
            plain: Vec::new(),
            unix_mode: None,
            reuse_port: false,
            drain_delay: Duration::ZERO,
            drain: Duration::from_secs(10),
            metrics: None,
        }
    }
}
