//! Builds a client identity.

use std::error::Error;
use std::fmt;

use super::{ClientIdentity, ForwardingHeader, WhenHeaderMissing};
use crate::IpNetwork;
use crate::attribute::is_token;
use crate::network::ParseNetworkError;

/// Builds a [`ClientIdentity`]; nothing is checked before [`build`](Self::build).
#[derive(Clone, Debug, Default)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct ClientIdentityBuilder {
    trusted: Vec<String>,
    header: ForwardingHeader,
    ipv6_prefix: Option<u8>,
    trust_unix_peer: bool,
    when_header_missing: WhenHeaderMissing,
}

impl ClientIdentityBuilder {
    /// Trusts the proxies of a network: a CIDR or an address, as [`IpNetwork`] reads it. The
    /// default is nobody. Whoever is trusted can name any address as the client.
    pub fn trusted_proxy(mut self, network: &str) -> Self {
        self.trusted.push(network.to_owned());
        self
    }

    /// Trusts the proxies of several networks.
    pub fn trusted_proxies<N: AsRef<str>>(self, networks: impl IntoIterator<Item = N>) -> Self {
        networks.into_iter().fold(self, |builder, network| {
            builder.trusted_proxy(network.as_ref())
        })
    }

    /// The header in which trusted proxies name the client. The default is `X-Forwarded-For`.
    /// Choose the one that the proxies write: one that they pass through is the client's own.
    pub fn header(mut self, header: ForwardingHeader) -> Self {
        self.header = header;
        self
    }

    /// How many bits of an IPv6 address make the network that is counted together, from 32 to 128.
    /// The default is 64. With more, one customer has many counts; with fewer, several customers
    /// share one.
    pub const fn ipv6_prefix(mut self, bits: u8) -> Self {
        self.ipv6_prefix = Some(bits);
        self
    }

    /// Whether peers on a Unix socket are trusted proxies. The default is that they are not: then
    /// they have no address.
    pub const fn trust_unix_peer(mut self, trust: bool) -> Self {
        self.trust_unix_peer = trust;
        self
    }

    /// Who the client is when a trusted peer sends no header. The default is the peer; a peer on
    /// a Unix socket has no address to fall back on.
    pub const fn when_header_missing(mut self, choice: WhenHeaderMissing) -> Self {
        self.when_header_missing = choice;
        self
    }

    /// Checks everything once.
    ///
    /// # Errors
    ///
    /// If a trusted proxy is no network or is every address, the header's name is no field name,
    /// or the IPv6 prefix is out of bounds.
    pub fn build(self) -> Result<ClientIdentity, ClientIdentityError> {
        let trusted = self
            .trusted
            .iter()
            .map(|text| read_network(text))
            .collect::<Result<_, _>>()?;
        let header = match self.header {
            ForwardingHeader::Single(name) => {
                if name.is_empty() || !name.bytes().all(is_token) {
                    return Err(ClientIdentityError(Problem::Header(name)));
                }
                ForwardingHeader::Single(name.to_ascii_lowercase().into())
            }
            list => list,
        };
        let default = ClientIdentity::default();
        let ipv6_prefix = self.ipv6_prefix.unwrap_or(default.ipv6_prefix);
        if !(32..=128).contains(&ipv6_prefix) {
            return Err(ClientIdentityError(Problem::Ipv6Prefix(ipv6_prefix)));
        }
        Ok(ClientIdentity {
            trusted,
            header,
            ipv6_prefix,
            trust_unix_peer: self.trust_unix_peer,
            when_header_missing: self.when_header_missing,
        })
    }
}

fn read_network(text: &str) -> Result<IpNetwork, ClientIdentityError> {
    let network: IpNetwork = text
        .parse()
        .map_err(|error| ClientIdentityError(Problem::Network(error)))?;
    if network.is_everything() {
        return Err(ClientIdentityError(Problem::Everything(network)));
    }
    Ok(network)
}

/// Why a [`ClientIdentity`] cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientIdentityError(Problem);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Network(ParseNetworkError),
    Everything(IpNetwork),
    Header(Box<str>),
    Ipv6Prefix(u8),
}

impl fmt::Display for ClientIdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::Network(_) => f.write_str("a trusted proxy cannot be read"),
            Problem::Everything(network) => write!(
                f,
                "the trusted proxy `{network}` is every address, so that every client could name any other; list the networks of your proxies"
            ),
            Problem::Header(name) => write!(
                f,
                "`{name}` is not the name of a header; write a field name such as `x-real-ip`"
            ),
            Problem::Ipv6Prefix(bits) => write!(
                f,
                "the IPv6 prefix {bits} is out of bounds; write a number of bits from 32 to 128, such as 64"
            ),
        }
    }
}

impl Error for ClientIdentityError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            Problem::Network(error) => Some(error),
            _ => None,
        }
    }
}
