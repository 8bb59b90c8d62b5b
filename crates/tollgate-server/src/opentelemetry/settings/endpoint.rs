//! Where a collector is.

use std::fmt::{self, Debug, Display, Formatter};

use http::Uri;
use http::uri::{Authority, Scheme};

use super::variables::Said;
use super::{OpenTelemetryError, Signal};

/// A collector's URL. Shown without its query, which may be a secret.
#[derive(Clone, PartialEq, Eq)]
pub(in super::super) struct Endpoint {
    uri: Uri,
    authority: Authority,
    is_encrypted: bool,
}

impl Endpoint {
    /// Reads a URL, as it is.
    pub(super) fn read(said: &Said) -> Result<Self, OpenTelemetryError> {
        // It is not shown: a URL may have a password in it, whatever else is wrong with it.
        let wrong = |problem: &str| {
            said.wrong(format!(
                "{problem}; write it like `http://127.0.0.1:4318` or `https://otel.example.com`"
            ))
        };
        let uri: Uri = said.value.parse().map_err(|_| wrong("is no URL"))?;
        let is_encrypted = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTP => false,
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            _ => return Err(wrong("does not begin with `http://` or `https://`")),
        };
        let authority = uri.authority().cloned();
        let authority = authority.ok_or_else(|| wrong("names no host"))?;
        if authority.as_str().contains('@') {
            return Err(wrong(
                "has a user in it; say who exports in OTEL_EXPORTER_OTLP_HEADERS, as \
                 `authorization=Basic%20…`",
            ));
        }
        if authority.host().is_empty() {
            return Err(wrong("names no host"));
        }
        Ok(Self {
            uri,
            authority,
            is_encrypted,
        })
    }

    /// Where a signal goes below a URL that is for all of them (the specification's "Endpoint URLs
    /// for OTLP/HTTP").
    pub(super) fn below(self, signal: Signal, said: &Said) -> Result<Self, OpenTelemetryError> {
        let path = self.uri.path().trim_end_matches('/');
        let path = format!("{path}/v1/{}", signal.name());
        let mut parts = self.uri.into_parts();
        let target = match parts.path_and_query.as_ref().and_then(|it| it.query()) {
            Some(query) => format!("{path}?{query}"),
            None => path,
        };
        parts.path_and_query = target.parse().ok();
        let uri = Uri::from_parts(parts).map_err(|_| said.wrong("is no URL"))?;
        Ok(Self { uri, ..self })
    }

    pub(in super::super) const fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// A name or an address, as a socket is connected to it.
    pub(in super::super) fn host(&self) -> &str {
        let host = self.authority.host();
        let inner = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        inner.unwrap_or(host)
    }

    pub(in super::super) fn port(&self) -> u16 {
        let usual = if self.is_encrypted { 443 } else { 80 };
        self.authority.port_u16().unwrap_or(usual)
    }

    pub(in super::super) const fn authority(&self) -> &Authority {
        &self.authority
    }

    /// The path with the query.
    pub(in super::super) fn target(&self) -> &str {
        self.uri.path_and_query().map_or("/", |it| it.as_str())
    }

    pub(in super::super) const fn scheme(&self) -> &'static str {
        if self.is_encrypted { "https" } else { "http" }
    }
}

impl Display for Endpoint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}://{}{}",
            self.scheme(),
            self.authority,
            self.uri.path()
        )
    }
}

impl Debug for Endpoint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
