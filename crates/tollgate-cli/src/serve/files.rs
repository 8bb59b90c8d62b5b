//! How many files the process may have open: each connection is one.

use rustix::process::{Resource, getrlimit, setrlimit};
use tollgate_server::ServerSettings;

/// What is open beside connections: the store's, the log, files that are read.
const OTHERS: u64 = 64;

/// Raises the limit to what the system lets the process have, and says if that is too little.
pub(super) fn raise(settings: &ServerSettings) {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files cannot be raised");
    }
    let addresses = [
        &settings.http,
        &settings.grpc,
        &settings.redis,
        &settings.operations,
    ];
    let listeners = addresses.into_iter().flatten().count();
    let connections = settings.max_connections.saturating_mul(listeners);
    let needed = u64::try_from(connections).unwrap_or(u64::MAX);
    let needed = needed.saturating_add(OTHERS);
    // `None` is no limit.
    if let Some(most) = getrlimit(Resource::Nofile).current
        && most < needed
    {
        tracing::warn!(
            most,
            needed,
            "fewer files may be open than there may be connections; raise the hard limit (LimitNOFILE, ulimit -Hn) or lower --max-connections"
        );
    }
}
