//! The forms of logs.

use tollgate::{Micros, Timestamp};

use super::escape;
use super::exchange::Exchange;
use super::forms::{
    alb, apache, caddy, cloudflare, cloudfront, custom, envoy, haproxy, nginx, proxy_manager,
    traefik,
};
use super::known::{Basis, Known, cut};

/// A form of log, as its server writes it unless told otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// nginx, `combined`.
    NginxCombined,
    /// nginx, the first part of it.
    NginxCommon,
    /// nginx, `$host` before `combined`.
    NginxVhost,
    /// nginx, `$request_time` after `combined`.
    NginxTimed,
    /// nginx, `"$http_x_forwarded_for"` after `combined`.
    NginxForwarded,
    /// nginx, by [`log_format`](Form::log_format): `$msec`, `$request_time` and a list.
    NginxCustom,
    /// nginx, JSON by `escape=json`, whose fields are named by [`fields`](Form::fields).
    NginxJson,
    /// Apache, `common`.
    ApacheCommon,
    /// Apache, `combined`.
    ApacheCombined,
    /// Apache, `vhost_combined`.
    ApacheVhost,
    /// Caddy 2, JSON.
    Caddy,
    /// Traefik, `common`.
    TraefikText,
    /// Traefik, JSON.
    TraefikJson,
    /// Envoy, its default text.
    EnvoyText,
    /// Envoy as Istio sets it, JSON.
    EnvoyJson,
    /// AWS, an application load balancer.
    Alb,
    /// AWS, CloudFront's standard log.
    CloudFront,
    /// Cloudflare, `http_requests`.
    Cloudflare,
    /// HAProxy, `option httplog`. Its times are in UTC, and do not say so.
    HaProxy,
    /// nginx-proxy-manager.
    ProxyManager,
}

/// What lines of a form tell.
struct Shape {
    basis: Basis,
    resolution: Micros,
    /// The unit of durations; `None` if there are none.
    duration: Option<Micros>,
    /// False if the peer is all that is known of the client.
    client: bool,
    user: bool,
    host: bool,
    user_agent: bool,
    referer: bool,
}

const MICROSECOND: Micros = Micros::new(1);

impl Form {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::NginxCombined,
        Self::NginxCommon,
        Self::NginxVhost,
        Self::NginxTimed,
        Self::NginxForwarded,
        Self::NginxCustom,
        Self::NginxJson,
        Self::ApacheCommon,
        Self::ApacheCombined,
        Self::ApacheVhost,
        Self::Caddy,
        Self::TraefikText,
        Self::TraefikJson,
        Self::EnvoyText,
        Self::EnvoyJson,
        Self::Alb,
        Self::CloudFront,
        Self::Cloudflare,
        Self::HaProxy,
        Self::ProxyManager,
    ];

    /// A name, for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NginxCombined => "nginx combined",
            Self::NginxCommon => "nginx common",
            Self::NginxVhost => "nginx vhost",
            Self::NginxTimed => "nginx timed",
            Self::NginxForwarded => "nginx forwarded",
            Self::NginxCustom => "nginx custom",
            Self::NginxJson => "nginx json",
            Self::ApacheCommon => "apache common",
            Self::ApacheCombined => "apache combined",
            Self::ApacheVhost => "apache vhost",
            Self::Caddy => "caddy",
            Self::TraefikText => "traefik text",
            Self::TraefikJson => "traefik json",
            Self::EnvoyText => "envoy text",
            Self::EnvoyJson => "envoy json",
            Self::Alb => "alb",
            Self::CloudFront => "cloudfront",
            Self::Cloudflare => "cloudflare",
            Self::HaProxy => "haproxy",
            Self::ProxyManager => "nginx-proxy-manager",
        }
    }

    /// The directive of nginx that writes the form, if a reader must be told.
    #[must_use]
    pub const fn log_format(self) -> Option<&'static str> {
        match self {
            Self::NginxCustom => Some(nginx::CUSTOM),
            _ => None,
        }
    }

    /// Attributes and the fields of JSON that hold them, if a reader must be told.
    #[must_use]
    pub const fn fields(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::NginxJson => custom::FIELDS,
            _ => &[],
        }
    }

    /// What stands before the first line.
    #[must_use]
    pub const fn head(self) -> &'static str {
        match self {
            Self::CloudFront => cloudfront::HEAD,
            _ => "",
        }
    }

    /// Appends the line of a request, without a line feed.
    ///
    /// # Panics
    ///
    /// Never, for requests that [`knows`](Self::knows).
    pub fn write(self, it: &Exchange, out: &mut String) {
        match self {
            Self::NginxCombined => nginx::combined(it, out),
            Self::NginxCommon => nginx::common(it, out),
            Self::NginxVhost => nginx::vhost(it, out),
            Self::NginxTimed => nginx::timed(it, out),
            Self::NginxForwarded => nginx::forwarded(it, out),
            Self::NginxCustom => nginx::custom(it, out),
            Self::NginxJson => custom::write(it, out),
            Self::ApacheCommon => apache::common(it, out),
            Self::ApacheCombined => apache::combined(it, out),
            Self::ApacheVhost => apache::vhost(it, out),
            Self::Caddy => caddy::write(it, out),
            Self::TraefikText => traefik::text(it, out),
            Self::TraefikJson => traefik::json(it, out),
            Self::EnvoyText => envoy::text(it, out),
            Self::EnvoyJson => envoy::json(it, out),
            Self::Alb => alb::write(it, out),
            Self::CloudFront => cloudfront::write(it, out),
            Self::Cloudflare => cloudflare::write(it, out),
            Self::HaProxy => haproxy::write(it, out),
            Self::ProxyManager => proxy_manager::write(it, out),
        }
    }

    /// What a reader of the line can know; `None` if the server writes no line of such a request.
    #[must_use]
    pub fn knows(self, it: &Exchange) -> Option<Known> {
        if it.malformed.is_some() && !self.logs_malformed() {
            return None;
        }
        let shape = self.shape();
        let unit = shape.duration;
        let duration = unit.map(|unit| {
            let micros = it.duration.as_micros();
            Micros::new(micros - micros % unit.as_micros())
        });
        let at = match (shape.basis, duration) {
            (Basis::Start, _) => cut(it.start, shape.resolution),
            (Basis::EndLessDuration, Some(duration)) => {
                cut(it.end(), shape.resolution).saturating_sub(duration)
            }
            _ => cut(it.end(), shape.resolution),
        };
        let (method, path, query) = self.request(it);
        let text = |wanted: bool, value: Option<&str>| value.filter(|_| wanted).map(str::to_owned);
        Some(Known {
            at,
            basis: self.told(shape.basis),
            resolution: shape.resolution,
            duration,
            client: if shape.client { it.client } else { it.peer },
            method,
            path,
            query,
            host: text(shape.host, Some(it.host)),
            user: text(shape.user, it.user.as_deref()),
            status: self.status(it).filter(|status| *status >= 100),
            user_agent: text(shape.user_agent, it.user_agent),
            referer: text(shape.referer, it.referer),
        })
    }

    /// Whether a line has the address of the peer, also behind proxies.
    #[must_use]
    pub const fn logs_peer(self) -> bool {
        !matches!(self, Self::TraefikText | Self::EnvoyText)
    }

    /// When the line is written.
    #[must_use]
    pub const fn written_at(self, it: &Exchange) -> Timestamp {
        it.end()
    }

    /// What the server puts in place of a status; 0 where it puts nothing.
    pub(super) fn status(self, it: &Exchange) -> Option<u16> {
        if !it.gone {
            return Some(it.status);
        }
        match self {
            Self::NginxCombined
            | Self::NginxCommon
            | Self::NginxVhost
            | Self::NginxTimed
            | Self::NginxForwarded
            | Self::NginxCustom
            | Self::NginxJson
            | Self::ProxyManager
            | Self::TraefikText
            | Self::TraefikJson
            | Self::Cloudflare => Some(499),
            Self::Alb => Some(460),
            // It has sent the head of its answer by then.
            Self::ApacheCommon | Self::ApacheCombined | Self::ApacheVhost => Some(it.status),
            Self::Caddy | Self::EnvoyText | Self::EnvoyJson | Self::CloudFront => Some(0),
            Self::HaProxy => None,
        }
    }

    /// Whether there is a line of what is no request at all.
    const fn logs_malformed(self) -> bool {
        matches!(
            self,
            Self::NginxCombined
                | Self::NginxCommon
                | Self::NginxVhost
                | Self::NginxTimed
                | Self::NginxForwarded
                | Self::NginxCustom
                | Self::ApacheCommon
                | Self::ApacheCombined
                | Self::ApacheVhost
        )
    }

    /// What a reader takes the time for: Apache's lines look like those of nginx, whose times are
    /// ends.
    const fn told(self, basis: Basis) -> Basis {
        match self {
            Self::ApacheCommon | Self::ApacheCombined | Self::ApacheVhost => Basis::End,
            _ => basis,
        }
    }

    /// Method, path and query that the line has.
    fn request(self, it: &Exchange) -> (Option<String>, Option<String>, Option<String>) {
        if let Some(arrived) = it.malformed {
            // A single word is a method; it is none if it is not made of letters.
            let word = str::from_utf8(arrived).ok();
            let word = word.filter(|word| {
                !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic())
            });
            return (word.map(str::to_owned), None, None);
        }
        let path = match self {
            // What was encoded before cannot be told from what it has encoded itself.
            Self::CloudFront => {
                let mut encoded = String::new();
                escape::cloudfront_path(&mut encoded, &it.path);
                encoded
            }
            // It has URLs only, with a host, and so with a path.
            Self::Alb if it.path == "*" => "/*".to_owned(),
            _ => it.path.clone(),
        };
        (Some(it.method.to_owned()), Some(path), it.query.clone())
    }

    const fn shape(self) -> Shape {
        let nginx = Shape {
            basis: Basis::End,
            resolution: Micros::SECOND,
            duration: None,
            client: false,
            user: true,
            host: false,
            user_agent: true,
            referer: true,
        };
        match self {
            Self::NginxCombined => nginx,
            Self::NginxCommon => Shape {
                user_agent: false,
                referer: false,
                ..nginx
            },
            Self::NginxVhost => Shape {
                host: true,
                ..nginx
            },
            Self::NginxTimed => Shape {
                basis: Basis::EndLessDuration,
                duration: Some(Micros::MILLISECOND),
                ..nginx
            },
            Self::NginxForwarded => Shape {
                client: true,
                ..nginx
            },
            Self::NginxCustom | Self::NginxJson => Shape {
                basis: Basis::EndLessDuration,
                resolution: Micros::MILLISECOND,
                duration: Some(Micros::MILLISECOND),
                client: true,
                host: true,
                ..nginx
            },
            Self::ApacheCommon => Shape {
                basis: Basis::Start,
                user_agent: false,
                referer: false,
                ..nginx
            },
            Self::ApacheCombined => Shape {
                basis: Basis::Start,
                ..nginx
            },
            Self::ApacheVhost => Shape {
                basis: Basis::Start,
                host: true,
                ..nginx
            },
            Self::Caddy => Shape {
                basis: Basis::EndLessDuration,
                resolution: MICROSECOND,
                duration: Some(MICROSECOND),
                client: true,
                host: true,
                ..nginx
            },
            Self::TraefikText => Shape {
                basis: Basis::Start,
                duration: Some(Micros::MILLISECOND),
                client: true,
                ..nginx
            },
            Self::TraefikJson => Shape {
                basis: Basis::Start,
                resolution: MICROSECOND,
                duration: Some(MICROSECOND),
                client: true,
                host: true,
                ..nginx
            },
            Self::EnvoyText | Self::EnvoyJson => Shape {
                basis: Basis::Start,
                resolution: Micros::MILLISECOND,
                duration: Some(Micros::MILLISECOND),
                client: true,
                host: true,
                user: false,
                referer: false,
                ..nginx
            },
            Self::Alb => Shape {
                basis: Basis::Start,
                resolution: MICROSECOND,
                duration: Some(MICROSECOND),
                host: true,
                user: false,
                referer: false,
                ..nginx
            },
            Self::CloudFront => Shape {
                basis: Basis::EndLessDuration,
                duration: Some(Micros::MILLISECOND),
                client: true,
                host: true,
                user: false,
                ..nginx
            },
            Self::Cloudflare => Shape {
                basis: Basis::Start,
                resolution: MICROSECOND,
                duration: Some(MICROSECOND),
                host: true,
                user: false,
                referer: true,
                ..nginx
            },
            Self::HaProxy => Shape {
                basis: Basis::Start,
                resolution: Micros::MILLISECOND,
                duration: Some(Micros::MILLISECOND),
                user: false,
                user_agent: false,
                referer: false,
                ..nginx
            },
            Self::ProxyManager => Shape {
                host: true,
                user: false,
                ..nginx
            },
        }
    }
}
