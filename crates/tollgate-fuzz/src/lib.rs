//! What must be true of every input, whoever chose it: the bodies of the fuzz targets.
//!
//! A target is a function of bytes that panics if something is wrong. `fuzz/` runs each of them
//! under libFuzzer, which searches for such bytes; the tests of this crate run them on the seeds of
//! those searches and on the corpora that they left, so that what was reached once is tried by every
//! `cargo test`.
//!
//! Where it can be told what is right, a target says so by a second way that shares nothing with the
//! first (`naive`); else by what holds whatever is right.
//!
//! Not published.

mod client_identity;
mod http;
mod limit_text;
mod log;
mod memory_store;
mod paths;
mod policy_file;
mod policy_keys;
mod resp_commands;
mod store_keys;

pub use client_identity::client_identity;
pub use http::{http_check, http_forward_auth};
pub use limit_text::limit_text;
pub use log::{
    log_alb, log_caddy, log_cloudflare, log_cloudfront, log_common, log_envoy, log_envoy_json,
    log_fields, log_format, log_haproxy, log_proxy_manager, log_replay, log_source,
    log_traefik_json,
};
pub use memory_store::memory_store;
pub use paths::paths;
pub use policy_file::policy_file;
pub use policy_keys::policy_keys;
pub use resp_commands::resp_commands;
pub use store_keys::store_keys;

/// A target: panics if something is wrong with what becomes of the bytes.
pub type Target = fn(&[u8]);

/// All targets by their names, which are those of their corpora in `fuzz/corpus`.
pub const TARGETS: [(&str, Target); 24] = [
    ("client_identity", client_identity),
    ("http_check", http_check),
    ("http_forward_auth", http_forward_auth),
    ("limit_text", limit_text),
    ("log_alb", log_alb),
    ("log_caddy", log_caddy),
    ("log_cloudflare", log_cloudflare),
    ("log_cloudfront", log_cloudfront),
    ("log_common", log_common),
    ("log_envoy", log_envoy),
    ("log_envoy_json", log_envoy_json),
    ("log_fields", log_fields),
    ("log_format", log_format),
    ("log_haproxy", log_haproxy),
    ("log_proxy_manager", log_proxy_manager),
    ("log_replay", log_replay),
    ("log_source", log_source),
    ("log_traefik_json", log_traefik_json),
    ("memory_store", memory_store),
    ("paths", paths),
    ("policy_file", policy_file),
    ("policy_keys", policy_keys),
    ("resp_commands", resp_commands),
    ("store_keys", store_keys),
];

/// What stands before the first line feed, and what follows it.
fn first_line(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|byte| *byte == b'\n') {
        Some(at) => (
            data.get(..at).unwrap_or_default(),
            data.get(at + 1..).unwrap_or_default(),
        ),
        None => (data, &[]),
    }
}
