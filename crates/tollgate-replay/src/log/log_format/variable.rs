//! Variables of nginx, and what they say about a request.

/// What a variable says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    TimeLocal,
    TimeIso,
    Msec,
    RequestTime,
    /// The address of the client, or of the peer if the real IP module changes none.
    Remote,
    /// The peer, where the real IP module is in use.
    RealPeer,
    /// The client that the PROXY protocol tells.
    ProxyProtocol,
    /// The list that is sent on: what was received, and the peer at its end.
    ForwardedFor,
    User,
    Request,
    Method,
    /// The target as it was sent.
    RequestUri,
    /// The path as it was rewritten.
    Uri,
    Args,
    Host,
    Status,
    /// A header: its name, in lower case.
    Header(String),
    /// A parameter of the query.
    Argument(String),
    /// Something that says nothing about who asked for what.
    Other,
}

impl Variable {
    /// Those that have a name of their own.
    pub(super) const NAMED: [(&'static str, Self); 18] = [
        ("time_local", Self::TimeLocal),
        ("time_iso8601", Self::TimeIso),
        ("msec", Self::Msec),
        ("request_time", Self::RequestTime),
        ("remote_addr", Self::Remote),
        ("realip_remote_addr", Self::RealPeer),
        ("proxy_protocol_addr", Self::ProxyProtocol),
        ("remote_user", Self::User),
        ("request", Self::Request),
        ("request_method", Self::Method),
        ("request_uri", Self::RequestUri),
        ("uri", Self::Uri),
        ("document_uri", Self::Uri),
        ("args", Self::Args),
        ("query_string", Self::Args),
        ("host", Self::Host),
        ("status", Self::Status),
        ("proxy_add_x_forwarded_for", Self::ForwardedFor),
    ];

    pub(super) fn of(name: &str) -> Self {
        let mut named = Self::NAMED.into_iter();
        if let Some((_, variable)) = named.find(|(known, _)| *known == name) {
            return variable;
        }
        if let Some(header) = name.strip_prefix("http_") {
            return Self::Header(header.to_ascii_lowercase().replace('_', "-"));
        }
        match name.strip_prefix("arg_") {
            Some(argument) => Self::Argument(argument.to_owned()),
            None => Self::Other,
        }
    }

    pub(super) const fn is_time(&self) -> bool {
        matches!(self, Self::TimeLocal | Self::TimeIso | Self::Msec)
    }

    pub(super) fn is_client(&self) -> bool {
        match self {
            Self::Remote | Self::RealPeer | Self::ProxyProtocol | Self::ForwardedFor => true,
            Self::Header(name) => name == "x-forwarded-for",
            _ => false,
        }
    }

    /// Whether this could be its value: a value that ends too soon, or too late, could not.
    pub(super) fn could_be(&self, value: &[u8]) -> bool {
        match self {
            Self::TimeLocal | Self::TimeIso => {
                value.first().is_some_and(u8::is_ascii_digit) && value.len() <= 40
            }
            Self::Status => value.len() <= 3,
            Self::Msec | Self::RequestTime => {
                let in_numbers = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
                value.iter().all(in_numbers)
            }
            Self::Remote | Self::RealPeer | Self::ProxyProtocol | Self::Method => {
                !value.contains(&b' ')
            }
            _ => true,
        }
    }
}
