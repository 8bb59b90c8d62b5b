//! Reports made by hand, in each form.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

mod browser;
mod curve;
mod fixtures;
mod html;
mod json;
mod peaks;
mod shadow;
mod text;
