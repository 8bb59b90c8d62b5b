//! How each server writes a line.

pub(super) mod alb;
pub(super) mod apache;
pub(super) mod caddy;
pub(super) mod cloudflare;
pub(super) mod cloudfront;
pub(super) mod custom;
pub(super) mod envoy;
pub(super) mod haproxy;
pub(super) mod nginx;
pub(super) mod proxy_manager;
pub(super) mod traefik;

use super::exchange::Exchange;

/// `HTTP/1.1`, `HTTP/2.0`.
fn protocol(it: &Exchange) -> &'static str {
    match it.version {
        10 => "HTTP/1.0",
        11 => "HTTP/1.1",
        20 => "HTTP/2.0",
        _ => "HTTP/3.0",
    }
}

/// `HTTP/1.1`, `HTTP/2`.
fn short_protocol(it: &Exchange) -> &'static str {
    match it.version {
        20 => "HTTP/2",
        30 => "HTTP/3",
        _ => protocol(it),
    }
}

/// The line that came, as one would have sent it by HTTP/1.
fn request_line(it: &Exchange) -> Vec<u8> {
    match it.malformed {
        Some(arrived) => arrived.to_vec(),
        None => format!("{} {} {}", it.method, it.target(), protocol(it)).into_bytes(),
    }
}

/// The text, or `-`.
fn or_dash(text: Option<&str>) -> &str {
    text.unwrap_or("-")
}
