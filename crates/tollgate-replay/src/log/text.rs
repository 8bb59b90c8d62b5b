//! Logs whose lines are text.

pub(crate) mod address;
pub(crate) mod escape;
pub(crate) mod message;
pub(crate) mod request_line;
pub(crate) mod scan;

use super::time::text::Dates;
use super::time::zone::TimeZone;
use super::{Line, Reject, alb, clf, cloudfront, envoy, haproxy, proxy_manager};

/// A form of text in which servers write their access logs, a line a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TextForm {
    /// `combined` and its kin: nginx' and Apache's `combined`, Apache's `common` and
    /// `vhost_combined`, Traefik's text, and these with the usual things added at either end.
    Combined,
    /// Envoy's default format, and Istio's.
    Envoy,
    /// AWS Application Load Balancer.
    Alb,
    /// AWS CloudFront, with the columns that its `#Fields` line names.
    CloudFront,
    /// HAProxy's `httplog`.
    HaProxy,
    /// nginx-proxy-manager, of its proxies and of its own hosts.
    ProxyManager,
}

impl TextForm {
    /// Every form. A line of one is read by no other, so the order does not matter.
    pub const ALL: [Self; 6] = [
        Self::Combined,
        Self::Envoy,
        Self::Alb,
        Self::CloudFront,
        Self::HaProxy,
        Self::ProxyManager,
    ];

    /// A name that never changes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Combined => "combined",
            Self::Envoy => "envoy",
            Self::Alb => "alb",
            Self::CloudFront => "cloudfront",
            Self::HaProxy => "haproxy",
            Self::ProxyManager => "nginx-proxy-manager",
        }
    }

    /// Reads a line, without the bytes that ended it. A carriage return at its end, and zeros at its
    /// begin as a truncated file has them, are not part of it.
    ///
    /// # Errors
    ///
    /// Why it is not a line of this form; [`Reject::OtherForm`] if nothing in it is.
    pub fn read<'l>(self, line: &'l [u8], state: &mut TextState) -> Result<Line<'l>, Reject> {
        let line = match scan::content(line) {
            Ok(line) => line,
            Err(skipped) => return Ok(Line::Skipped(skipped)),
        };
        match self {
            Self::Combined => clf::read(line, state),
            Self::Envoy => envoy::read(line, state),
            Self::Alb => alb::read(line, state),
            Self::CloudFront => cloudfront::read(line, state),
            Self::HaProxy => haproxy::read(line, state),
            Self::ProxyManager => proxy_manager::read(line, state),
        }
    }
}

/// What is remembered from line to line of one file.
#[derive(Clone, Debug, Default)]
pub struct TextState {
    pub(crate) dates: Dates,
    pub(crate) columns: cloudfront::Columns,
}

impl TextState {
    /// The state before the first line. `time_zone` is that of times without offset; without one,
    /// lines with such times are rejected.
    #[must_use]
    pub fn new(time_zone: Option<TimeZone>) -> Self {
        Self {
            dates: Dates::with_zone(time_zone),
            columns: cloudfront::Columns::default(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
