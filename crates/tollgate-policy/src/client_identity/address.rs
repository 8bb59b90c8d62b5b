//! The address of a client, or why there is none.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::IpNetwork;

/// The prefix under which all of IPv4 is reached from IPv6 (RFC 6052, section 2.1).
const NAT64: IpNetwork = IpNetwork::cut(
    IpAddr::V6(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0)),
    96,
);

/// The address of a client, and the network by which it is counted.
///
/// One customer of an IPv6 provider owns at least 2^64 addresses, so IPv6 addresses are counted by
/// their network. IPv4 addresses are counted one by one, and so are the IPv4 addresses that are
/// embedded in the prefix `64:ff9b::/96` of translators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress {
    ip: IpAddr,
    network: IpNetwork,
    source: AddressSource,
}

/// Where the address of a client comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressSource {
    /// It is the peer's.
    Peer,
    /// A trusted proxy named it.
    Header,
    /// It is the address of a trusted proxy, which did not send the header. More than a few of
    /// these tell of a proxy that is not set up to send it.
    PeerWithoutHeader,
}

impl ClientAddress {
    /// The prefix of IPv6 networks that are counted together, unless said otherwise.
    pub const DEFAULT_IPV6_PREFIX: u8 = 64;

    /// A peer's address, with IPv6 counted by networks of the default prefix.
    #[must_use]
    pub const fn new(ip: IpAddr) -> Self {
        Self::cut(ip, Self::DEFAULT_IPV6_PREFIX)
    }

    /// A peer's address, with IPv6 counted by networks of `ipv6_prefix` bits.
    pub(super) const fn cut(ip: IpAddr, ipv6_prefix: u8) -> Self {
        let ip = ip.to_canonical();
        let network = match ip {
            IpAddr::V4(_) => IpNetwork::single(ip),
            IpAddr::V6(v6) if NAT64.contains(ip) => IpNetwork::single(IpAddr::V4(embedded(v6))),
            IpAddr::V6(_) => IpNetwork::cut(ip, ipv6_prefix),
        };
        Self {
            ip,
            network,
            source: AddressSource::Peer,
        }
    }

    pub(super) const fn with_source(mut self, source: AddressSource) -> Self {
        self.source = source;
        self
    }

    /// The whole address, by which policies match; IPv4-mapped IPv6 is given as IPv4.
    #[must_use]
    pub const fn ip(&self) -> IpAddr {
        self.ip
    }

    /// The network by which the client is counted.
    #[must_use]
    pub const fn network(&self) -> IpNetwork {
        self.network
    }

    /// Where the address comes from.
    #[must_use]
    pub const fn source(&self) -> AddressSource {
        self.source
    }
}

/// The IPv4 address in the last 32 bits (RFC 6052, section 2.2).
const fn embedded(address: Ipv6Addr) -> Ipv4Addr {
    let [.., a, b, c, d] = address.octets();
    Ipv4Addr::new(a, b, c, d)
}

/// Why a request has no client address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoAddress {
    /// Nobody says who the peer is: whoever accepts connections does not tell.
    PeerUnknown,
    /// The peer is a Unix socket, and such peers are not trusted to name the client.
    UnixSocket,
    /// The peer is trusted, but there is no header, and the peer is not to be the client.
    HeaderMissing,
    /// An element is not an address, before an address was found that is not trusted.
    Malformed,
    /// A proxy hides who sent the request: `unknown` or an obfuscated name (RFC 7239, sections
    /// 6.2 and 6.3).
    Hidden,
    /// The header names more trusted addresses than are looked at.
    TooManyElements,
}

impl NoAddress {
    /// A name that never changes, for metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PeerUnknown => "peer_unknown",
            Self::UnixSocket => "unix_socket",
            Self::HeaderMissing => "header_missing",
            Self::Malformed => "malformed",
            Self::Hidden => "hidden",
            Self::TooManyElements => "too_many_elements",
        }
    }
}

impl fmt::Display for NoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PeerUnknown => "nobody says who the peer is",
            Self::UnixSocket => "the peer is a Unix socket that is not trusted to name the client",
            Self::HeaderMissing => "the trusted peer sent no forwarding header",
            Self::Malformed => "the forwarding header is malformed where a trusted proxy wrote it",
            Self::Hidden => "a proxy hides the address of the client",
            Self::TooManyElements => "the forwarding header names too many trusted proxies",
        })
    }
}

impl Error for NoAddress {}
