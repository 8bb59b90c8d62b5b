//! Access logs: whatever stands in them, every line is a request or has a reason not to be.

mod record;
mod text;

pub use text::{log_alb, log_cloudfront, log_common, log_envoy, log_haproxy, log_proxy_manager};

/// The most bytes of an input that are looked at: longer ones find nothing that shorter ones do not.
const MOST: usize = 4096;

/// The lines of an input.
fn lines(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    data.get(..MOST)
        .unwrap_or(data)
        .split(|byte| *byte == b'\n')
}
