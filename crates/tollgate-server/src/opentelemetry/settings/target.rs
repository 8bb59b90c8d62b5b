//! Whereto a signal is exported, and how.

use std::fmt::{self, Debug, Formatter};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use tokio_rustls::rustls::ClientConfig;

use super::variables::{Said, Variables};
use super::{Endpoint, OpenTelemetryError, Signal, headers};
use crate::opentelemetry::trust::{self, TrustFiles};

/// How long an export may take (`OTEL_EXPORTER_OTLP_TIMEOUT`).
const TIMEOUT: Duration = Duration::from_secs(10);

/// A collector, for one signal.
#[derive(Clone)]
pub(in super::super) struct Target {
    pub(in super::super) signal: Signal,
    pub(in super::super) endpoint: Endpoint,
    pub(in super::super) protocol: Protocol,
    pub(in super::super) headers: HeaderMap,
    pub(in super::super) timeout: Duration,
    /// For what is encrypted.
    pub(in super::super) tls: Option<Arc<ClientConfig>>,
}

/// How OTLP is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Protocol {
    Http,
    Grpc,
}

impl Target {
    /// Where a signal goes, if anywhere. `named` is the collector of an option.
    pub(super) fn read(
        variables: &Variables<'_>,
        signal: Signal,
        named: Option<&str>,
    ) -> Result<Option<Self>, OpenTelemetryError> {
        let alone = signal.in_variables();
        let own = variables.get(&format!("OTEL_EXPORTER_OTLP_{alone}_ENDPOINT"))?;
        let common = match named {
            Some(named) => Some(Said {
                variable: "--otlp-endpoint".to_owned(),
                value: named.to_owned(),
            }),
            None => variables.get("OTEL_EXPORTER_OTLP_ENDPOINT")?,
        };
        let is_asked_for = match variables.get(&format!("OTEL_{alone}_EXPORTER"))? {
            None => own.is_some() || common.is_some(),
            Some(said) => exporter(&said, signal)?,
        };
        if !is_asked_for {
            return Ok(None);
        }
        let protocol = Protocol::read(variables, signal)?;
        let endpoint = match (own, common) {
            // As it is: the specification wants no path added to it.
            (Some(own), _) => Endpoint::read(&own)?,
            (None, common) => {
                let common = common.unwrap_or_else(|| protocol.usual());
                let endpoint = Endpoint::read(&common)?;
                match protocol {
                    Protocol::Http => endpoint.below(signal, &common)?,
                    Protocol::Grpc => endpoint,
                }
            }
        };
        if let Some(said) = variables.of(signal, "COMPRESSION")? {
            said.supported(&["none"])?;
        }
        let headers = variables.of(signal, "HEADERS")?;
        let headers = headers.map(|said| headers::read(&said)).transpose()?;
        let timeout = variables.of(signal, "TIMEOUT")?;
        let timeout = timeout.map(|said| said.millis()).transpose()?;
        Ok(Some(Self {
            tls: match endpoint.is_encrypted() {
                true => Some(trust(variables, signal, protocol)?),
                false => None,
            },
            signal,
            endpoint,
            protocol,
            headers: headers.unwrap_or_default(),
            timeout: timeout.unwrap_or(TIMEOUT),
        }))
    }
}

/// Whether `otlp` is among the exporters that are named.
fn exporter(said: &Said, signal: Signal) -> Result<bool, OpenTelemetryError> {
    // What Prometheus reads is there anyway.
    let known: &[&str] = match signal {
        Signal::Metrics => &["otlp", "prometheus", "none"],
        Signal::Traces => &["otlp", "none"],
    };
    let mut names = said.value.split(',').map(str::trim);
    if names.clone().any(|name| !known.contains(&name)) {
        return Err(said.is_none_of(known));
    }
    Ok(names.any(|name| name == "otlp"))
}

impl Protocol {
    fn read(variables: &Variables<'_>, signal: Signal) -> Result<Self, OpenTelemetryError> {
        let Some(said) = variables.of(signal, "PROTOCOL")? else {
            return Ok(Self::Http);
        };
        match &*said.value {
            "http/protobuf" => Ok(Self::Http),
            "grpc" => Ok(Self::Grpc),
            _ => Err(said.is_none_of(&["http/protobuf", "grpc"])),
        }
    }

    /// Where a collector listens if nobody says otherwise.
    fn usual(self) -> Said {
        let value = match self {
            Self::Http => "http://localhost:4318",
            Self::Grpc => "http://localhost:4317",
        };
        Said {
            variable: "OTEL_EXPORTER_OTLP_ENDPOINT".to_owned(),
            value: value.to_owned(),
        }
    }

    /// By which name it is agreed on when a connection is encrypted.
    fn in_handshakes(self) -> &'static [u8] {
        match self {
            Self::Http => b"http/1.1",
            Self::Grpc => b"h2",
        }
    }
}

fn trust(
    variables: &Variables<'_>,
    signal: Signal,
    protocol: Protocol,
) -> Result<Arc<ClientConfig>, OpenTelemetryError> {
    let path = |said: &Said| PathBuf::from(&said.value);
    let authorities = variables.of(signal, "CERTIFICATE")?;
    let certificate = variables.of(signal, "CLIENT_CERTIFICATE")?;
    let key = variables.of(signal, "CLIENT_KEY")?;
    let client = match (&certificate, &key) {
        (Some(certificate), Some(key)) => Some((path(certificate), path(key))),
        (None, None) => None,
        (Some(alone), None) => {
            return Err(alone.wrong("needs OTEL_EXPORTER_OTLP_CLIENT_KEY beside it"));
        }
        (None, Some(alone)) => {
            return Err(alone.wrong("needs OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE beside it"));
        }
    };
    let files = TrustFiles {
        authorities: authorities.as_ref().map(path),
        client,
    };
    let config = trust::config(&files, protocol.in_handshakes());
    config.map(Arc::new).map_err(|problem| {
        let variable = [&authorities, &certificate].into_iter().flatten().next();
        let variable = variable.map_or("OTEL_EXPORTER_OTLP_CERTIFICATE", |it| &it.variable);
        OpenTelemetryError::new(variable, problem)
    })
}

impl Debug for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target")
            .field("signal", &self.signal)
            .field("endpoint", &self.endpoint)
            .field("protocol", &self.protocol)
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
