//! Where counts live, who the client is, and what responses say.

use serde::Serialize;
use tollgate_policy::file::{PolicyFile, ResetUnit, StoreKind};
use tollgate_policy::{ClientIdentity, WhenHeaderMissing};

#[derive(Serialize)]
pub(super) struct Store<'a> {
    /// Without user, password and query.
    url: String,
    is_memory: bool,
    timeout: u128,
    max_waiting: usize,
    max_failures: u32,
    denial_cache: usize,
    prefix: &'a str,
    has_hash_secret: bool,
    max_keys: usize,
    max_log_bytes: usize,
}

#[derive(Serialize)]
pub(super) struct Client<'a> {
    trusted_proxies: Vec<String>,
    header: &'a str,
    ipv6_prefix: u8,
    trust_unix_peer: bool,
    when_header_missing: &'static str,
}

#[derive(Serialize)]
pub(super) struct Response {
    ietf: bool,
    x_ratelimit_reset: Option<&'static str>,
    expose: bool,
    count_preflight: bool,
    outage_retry_after: u128,
}

pub(super) fn store(file: &PolicyFile) -> Store<'_> {
    let store = &file.store;
    Store {
        url: store.url.to_string(),
        is_memory: store.url.kind() == StoreKind::Memory,
        timeout: store.timeout.as_millis(),
        max_waiting: store.max_waiting,
        max_failures: store.max_failures,
        denial_cache: store.denial_cache,
        prefix: &store.prefix,
        has_hash_secret: store.hash_secret.is_some(),
        max_keys: store.max_keys,
        max_log_bytes: store.max_log_bytes,
    }
}

pub(super) fn client(identity: &ClientIdentity) -> Client<'_> {
    let proxies = identity.trusted_proxies().iter();
    Client {
        trusted_proxies: proxies.map(ToString::to_string).collect(),
        header: identity.header_name(),
        ipv6_prefix: identity.ipv6_prefix(),
        trust_unix_peer: identity.trusts_unix_peer(),
        when_header_missing: match identity.when_header_missing() {
            WhenHeaderMissing::Missing => "missing",
            _ => "peer",
        },
    }
}

pub(super) fn response(file: &PolicyFile) -> Response {
    let response = &file.response;
    Response {
        ietf: response.ietf,
        x_ratelimit_reset: response.x_ratelimit.map(|reset| match reset {
            ResetUnit::Delta => "delta",
            _ => "epoch",
        }),
        expose: response.expose,
        count_preflight: response.count_preflight,
        outage_retry_after: response.outage_retry_after.as_millis(),
    }
}
