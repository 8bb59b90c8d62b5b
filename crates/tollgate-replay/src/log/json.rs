//! Logs whose lines are JSON.
//!
//! Numbers may be written as text. Of several members with one name the last counts.

pub(crate) mod caddy;
pub(crate) mod cloudflare;
pub(crate) mod envoy;
pub(crate) mod headers;
pub(crate) mod recent;
pub(crate) mod scan;
mod state;
pub(crate) mod text;
pub(crate) mod traefik;
pub(crate) mod value;

pub(crate) use state::JsonState;

use self::scan::Value;
use super::{Line, Reject};

/// A form of JSON in which servers write their access logs, a line a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum JsonForm {
    /// Caddy, of every format of time and duration that it knows.
    Caddy,
    /// Traefik.
    Traefik,
    /// Envoy, Envoy Gateway and Istio.
    Envoy,
    /// Cloudflare's Logpush of requests.
    Cloudflare,
}

impl JsonForm {
    /// Every form.
    pub(crate) const ALL: [Self; 4] = [Self::Caddy, Self::Traefik, Self::Envoy, Self::Cloudflare];

    /// The form whose names these are.
    pub(crate) fn of(value: Value<'_, '_>) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.is(value))
    }

    pub(crate) fn is(self, value: Value<'_, '_>) -> bool {
        match self {
            Self::Caddy => caddy::is(value),
            Self::Traefik => traefik::is(value),
            Self::Envoy => envoy::is(value),
            Self::Cloudflare => cloudflare::is(value),
        }
    }

    pub(crate) fn read<'l>(
        self,
        value: Value<'_, 'l>,
        state: &mut JsonState,
    ) -> Result<Line<'l>, Reject> {
        if !self.is(value) {
            return Err(Reject::OtherForm);
        }
        match self {
            Self::Caddy => caddy::read(value, state),
            Self::Traefik => traefik::read(value, state),
            Self::Envoy => envoy::read(value, state),
            Self::Cloudflare => cloudflare::read(value, state),
        }
    }
}

#[cfg(test)]
mod tests;
