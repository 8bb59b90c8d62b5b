//! Envoy's rate limit service: a prepared request, and a client that asks one thing at a time.

mod client;
mod message;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use prost::Message as _;

pub(super) use client::Client;
pub(super) use message::{Answer, Request};

/// The one method.
pub(super) const PATH: &str = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

/// A message with its frame, as it goes over the wire.
pub(super) fn framed(request: &Request) -> Vec<u8> {
    let message = request.encode_to_vec();
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    let mut framed = vec![0];
    framed.extend(length.to_be_bytes());
    framed.extend(message);
    framed
}

/// For `h2load`.
pub(super) fn write(path: &Path, request: &Request) -> Result<()> {
    fs::write(path, framed(request)).context("writing a request for h2load")
}
