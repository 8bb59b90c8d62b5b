//! Access logs: whatever stands in them, every line is a request or has a reason not to be.

mod record;
mod replay;
mod source;
mod text;

pub use replay::log_replay;
pub use source::{
    log_caddy, log_cloudflare, log_envoy_json, log_fields, log_format, log_source, log_traefik_json,
};
pub use text::{log_alb, log_cloudfront, log_common, log_envoy, log_haproxy, log_proxy_manager};

use tollgate_replay::log::Input;

/// The most bytes of an input that are looked at: longer ones find nothing that shorter ones do not.
const MOST: usize = 4096;

/// The lines of an input.
fn lines(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    data.get(..MOST)
        .unwrap_or(data)
        .split(|byte| *byte == b'\n')
}

/// A log in memory.
fn input(bytes: &[u8]) -> Input {
    Input::Text {
        name: "log".to_owned(),
        bytes: bytes.get(..MOST).unwrap_or(bytes).to_vec(),
    }
}
