//! The forms of logs, by name.

use std::fmt;
use std::str::FromStr;

use tollgate_policy::file::nearest;

use super::TextForm;
use super::json::JsonForm;

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Form {
    /// `combined`: the common log format and its kin, as nginx, Apache and Traefik write it.
    Combined,
    /// `envoy`: Envoy's default text.
    Envoy,
    /// `alb`: AWS Application Load Balancer.
    Alb,
    /// `cloudfront`: AWS CloudFront.
    CloudFront,
    /// `haproxy`: HAProxy's `httplog`.
    HaProxy,
    /// `nginx-proxy-manager`.
    ProxyManager,
    /// `caddy`: Caddy's JSON.
    Caddy,
    /// `traefik-json`.
    TraefikJson,
    /// `envoy-json`: Envoy, Envoy Gateway, Istio.
    EnvoyJson,
    /// `cloudflare`: Cloudflare's Logpush.
    Cloudflare,
    /// `fields`: any JSON, by a [`FieldMap`](super::FieldMap).
    Fields,
    /// `log-format`: a [`LogFormat`](super::LogFormat) of nginx.
    LogFormat,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Combined,
        Self::Envoy,
        Self::Alb,
        Self::CloudFront,
        Self::HaProxy,
        Self::ProxyManager,
        Self::Caddy,
        Self::TraefikJson,
        Self::EnvoyJson,
        Self::Cloudflare,
        Self::Fields,
        Self::LogFormat,
    ];

    /// Other names by which people know some of them.
    const ALIASES: [(&'static str, Self); 11] = [
        ("common", Self::Combined),
        ("vhost", Self::Combined),
        ("vhost-combined", Self::Combined),
        ("clf", Self::Combined),
        ("nginx", Self::Combined),
        ("apache", Self::Combined),
        ("traefik", Self::Combined),
        ("traefik-clf", Self::Combined),
        ("istio", Self::EnvoyJson),
        ("npm", Self::ProxyManager),
        ("json", Self::Fields),
    ];

    /// Its name, which never changes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Combined => "combined",
            Self::Envoy => "envoy",
            Self::Alb => "alb",
            Self::CloudFront => "cloudfront",
            Self::HaProxy => "haproxy",
            Self::ProxyManager => "nginx-proxy-manager",
            Self::Caddy => "caddy",
            Self::TraefikJson => "traefik-json",
            Self::EnvoyJson => "envoy-json",
            Self::Cloudflare => "cloudflare",
            Self::Fields => "fields",
            Self::LogFormat => "log-format",
        }
    }

    pub(crate) const fn text(self) -> Option<TextForm> {
        Some(match self {
            Self::Combined => TextForm::Combined,
            Self::Envoy => TextForm::Envoy,
            Self::Alb => TextForm::Alb,
            Self::CloudFront => TextForm::CloudFront,
            Self::HaProxy => TextForm::HaProxy,
            Self::ProxyManager => TextForm::ProxyManager,
            _ => return None,
        })
    }

    pub(crate) const fn json(self) -> Option<JsonForm> {
        Some(match self {
            Self::Caddy => JsonForm::Caddy,
            Self::TraefikJson => JsonForm::Traefik,
            Self::EnvoyJson => JsonForm::Envoy,
            Self::Cloudflare => JsonForm::Cloudflare,
            _ => return None,
        })
    }
}

impl From<TextForm> for Form {
    fn from(form: TextForm) -> Self {
        match form {
            TextForm::Combined => Self::Combined,
            TextForm::Envoy => Self::Envoy,
            TextForm::Alb => Self::Alb,
            TextForm::CloudFront => Self::CloudFront,
            TextForm::HaProxy => Self::HaProxy,
            TextForm::ProxyManager => Self::ProxyManager,
        }
    }
}

impl From<JsonForm> for Form {
    fn from(form: JsonForm) -> Self {
        match form {
            JsonForm::Caddy => Self::Caddy,
            JsonForm::Traefik => Self::TraefikJson,
            JsonForm::Envoy => Self::EnvoyJson,
            JsonForm::Cloudflare => Self::Cloudflare,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// By its name, or another by which it is known: `nginx`, `apache`, `istio`.
impl FromStr for Form {
    type Err = ParseFormError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.map(|form| (form.as_str(), form));
        let mut known = named.iter().chain(&Self::ALIASES);
        let form = known.find(|(name, _)| *name == text);
        form.map(|(_, form)| *form).ok_or_else(|| ParseFormError {
            text: text.chars().take(60).collect(),
        })
    }
}

/// A text that names no form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFormError {
    text: String,
}

impl fmt::Display for ParseFormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Form::ALL.map(Form::as_str);
        let aliases = Form::ALIASES.map(|(name, _)| name);
        write!(f, "there is no format `{}`; ", self.text.escape_debug())?;
        match nearest(names.into_iter().chain(aliases), &self.text) {
            Some(meant) => write!(f, "did you mean `{meant}`? The formats are ")?,
            None => f.write_str("the formats are ")?,
        }
        f.write_str(&names.join(", "))
    }
}

impl std::error::Error for ParseFormError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_by_the_name_that_it_prints() {
        for form in Form::ALL {
            assert_eq!(form.to_string().parse(), Ok(form));
            let text = form.text().map(Form::from);
            let json = form.json().map(Form::from);
            let own = matches!(form, Form::Fields | Form::LogFormat);
            assert_eq!(text.or(json).or_else(|| own.then_some(form)), Some(form));
        }
        assert_eq!("nginx".parse(), Ok(Form::Combined));
    }

    #[test]
    fn a_form_that_there_is_not_is_answered_with_those_there_are() {
        let error = "cady".parse::<Form>().unwrap_err().to_string();
        assert!(
            error.starts_with(
                "there is no format `cady`; did you mean `caddy`? The formats are combined, envoy,"
            ),
            "{error}"
        );
        let error = "x\n".parse::<Form>().unwrap_err().to_string();
        assert!(
            error.starts_with("there is no format `x\\n`; the formats are "),
            "{error}"
        );
    }
}
