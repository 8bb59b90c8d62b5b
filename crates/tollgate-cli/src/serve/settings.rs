//! From arguments to what the daemon is told.

use tollgate_server::{ServerSettings, SurfaceName, TlsFiles};

use super::secrets::Secrets;
use crate::arguments::Serve;

/// What the arguments say, and the secrets, which are read again.
pub(super) fn of(arguments: &Serve) -> anyhow::Result<(ServerSettings, Secrets)> {
    let mut settings = ServerSettings::default();
    settings.http = arguments.http.0.clone();
    settings.grpc = arguments.grpc.0.clone();
    settings.redis = arguments.redis.0.clone();
    settings.operations = arguments.operations.0.clone();
    if let Some(workers) = arguments.workers {
        settings.workers = workers.get();
    }

    let encryption = &arguments.encryption;
    if let (Some(certificate), Some(key)) = (&encryption.tls_cert, &encryption.tls_key) {
        settings.tls = Some(TlsFiles {
            certificate: certificate.clone(),
            key: key.clone(),
            client_ca: encryption.tls_client_ca.clone(),
        });
    }
    let plain = encryption.tls_except.iter().copied();
    settings.plain = plain.map(Into::into).collect();

    let bounds = &arguments.bounds;
    settings.max_connections = bounds.max_connections.get();
    settings.max_connections_per_peer = bounds.max_connections_per_peer.map(Into::into);
    settings.max_requests = bounds.max_requests.get();
    settings.max_request_memory = bounds.max_request_memory;
    settings.max_body = bounds.max_body.get();
    settings.idle_timeout = bounds.idle_timeout;
    settings.unix_mode = bounds.unix_mode;
    settings.reuse_port = bounds.reuse_port;

    settings.drain_delay = arguments.ending.drain_delay;
    settings.drain = arguments.ending.drain;

    let mut secrets = Secrets::default();
    settings.admin_token = secrets.admin_token(arguments)?;
    settings.redis_password = secrets.redis_password(arguments)?;
    Ok((settings, secrets))
}

/// Surfaces as a line of the log has them.
pub(super) fn shown(surfaces: &[SurfaceName]) -> String {
    let names = surfaces.iter().map(|surface| match surface {
        SurfaceName::Http => "http",
        SurfaceName::Grpc => "grpc",
        SurfaceName::Redis => "redis",
        _ => "another",
    });
    let names: Vec<&str> = names.collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}
