//! Where proxies say what they ask about.

use axum::http::header::{HOST, HeaderName};

/// In which fields a proxy describes a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `X-Forwarded-Method`, `X-Forwarded-Uri`, `X-Forwarded-Host`: Traefik and Caddy set them.
    Forwarded,
    /// `X-Original-Method`, `X-Original-URI`, `Host`: as the documentation of nginx has it. The host
    /// is not taken from a field that nginx would pass on as its client wrote it.
    Original,
}

impl Dialect {
    pub(super) const fn method(self) -> HeaderName {
        match self {
            Self::Forwarded => HeaderName::from_static("x-forwarded-method"),
            Self::Original => HeaderName::from_static("x-original-method"),
        }
    }

    pub(super) const fn target(self) -> HeaderName {
        match self {
            Self::Forwarded => HeaderName::from_static("x-forwarded-uri"),
            Self::Original => HeaderName::from_static("x-original-uri"),
        }
    }

    pub(super) const fn host(self) -> HeaderName {
        match self {
            Self::Forwarded => HeaderName::from_static("x-forwarded-host"),
            Self::Original => HOST,
        }
    }
}
