//! Who the client is: the peer, or whom trusted proxies name.

mod address;
mod builder;
mod element;
mod forwarded;

pub use address::{AddressSource, ClientAddress, NoAddress};
pub use builder::{ClientIdentityBuilder, ClientIdentityError};

use std::net::IpAddr;

use crate::IpNetwork;
use element::{Elements, Split};

/// The most elements of the header that are looked at: more than any chain of proxies has.
const MAX_ELEMENTS: usize = 32;

/// Finds the client of a request: the peer, unless the peer is a trusted proxy; then the one that
/// the trusted proxies name.
///
/// The configured header's lines are taken as one list and walked from the right, past the
/// addresses of trusted proxies, to the first address that is not trusted: that is the client.
/// What stands left of it was written by the client, and is never read.
///
/// ```
/// use tollgate_policy::ClientIdentity;
///
/// let identity = ClientIdentity::builder().trusted_proxy("10.0.0.0/8").build()?;
/// let header = b"203.0.113.66, 198.51.100.7, 10.0.0.9";
/// let client = identity.resolve(Some("10.0.0.5".parse()?), [&header[..]])?;
/// assert_eq!(client.ip().to_string(), "198.51.100.7");
///
/// // A peer that is not trusted is the client, whatever it says.
/// let client = identity.resolve(Some("192.0.2.1".parse()?), [&header[..]])?;
/// assert_eq!(client.ip().to_string(), "192.0.2.1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Rules
///
/// * IPv4-mapped IPv6 is IPv4 everywhere: as a peer, in the header, in the list of proxies.
/// * An element that is malformed, empty, `unknown` or obfuscated ends the walk: there is no
///   address, rather than one further left, which the client may have made up.
/// * If all addresses are trusted, the client is the one furthest left: a program in the trusted
///   network.
/// * Lists are split from the right, so that nothing a client writes (an open quote, say) changes
///   how the elements that proxies appended are read. At most 32 elements are looked at, and one of
///   more than 1024 bytes is malformed.
/// * No address is a missing key, never a key that stands for all who have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientIdentity {
    trusted: Box<[IpNetwork]>,
    header: ForwardingHeader,
    ipv6_prefix: u8,
    trust_unix_peer: bool,
    when_header_missing: WhenHeaderMissing,
}

/// The header in which trusted proxies name the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForwardingHeader {
    /// `X-Forwarded-For`: a list to which each proxy appends its peer. An element is an address,
    /// `[address]`, `IPv4:port` or `[IPv6]:port`; without brackets every colon belongs to the
    /// address. Names, zones and quotes are malformed.
    #[default]
    XForwardedFor,
    /// `Forwarded`, read strictly (RFC 7239, section 4): IPv6 must be quoted and bracketed.
    Forwarded,
    /// A header that the proxy overwrites with one address, such as `x-real-ip`, in lower case.
    /// The address is the client even if it is a trusted one; more than one line is malformed.
    Single(Box<str>),
}

/// Who the client is when a trusted peer sends no forwarding header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhenHeaderMissing {
    /// The peer, which speaks for itself, as a load balancer's health check does. If the header is
    /// missing because the proxy was never told to send it, all clients share one count: watch
    /// [`AddressSource::PeerWithoutHeader`].
    #[default]
    Peer,
    /// Nobody: a missing key.
    Missing,
}

impl ForwardingHeader {
    /// The name of the header, in lower case.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::XForwardedFor => "x-forwarded-for",
            Self::Forwarded => "forwarded",
            Self::Single(name) => name,
        }
    }
}

/// Nobody is trusted: the peer is the client.
impl Default for ClientIdentity {
    fn default() -> Self {
        Self {
            trusted: [].into(),
            header: ForwardingHeader::default(),
            ipv6_prefix: ClientAddress::DEFAULT_IPV6_PREFIX,
            trust_unix_peer: false,
            when_header_missing: WhenHeaderMissing::default(),
        }
    }
}

impl ClientIdentity {
    /// Begins with nobody trusted.
    pub fn builder() -> ClientIdentityBuilder {
        ClientIdentityBuilder::default()
    }

    /// The networks of the proxies that are trusted, in order.
    #[must_use]
    pub fn trusted_proxies(&self) -> &[IpNetwork] {
        &self.trusted
    }

    /// The header in which trusted proxies name the client.
    #[must_use]
    pub const fn header(&self) -> &ForwardingHeader {
        &self.header
    }

    /// How many bits of an IPv6 address make the network by which it is counted.
    #[must_use]
    pub const fn ipv6_prefix(&self) -> u8 {
        self.ipv6_prefix
    }

    /// True if peers on a Unix socket are trusted to name the client.
    #[must_use]
    pub const fn trusts_unix_peer(&self) -> bool {
        self.trust_unix_peer
    }

    /// Who the client is when a trusted peer sends no header.
    #[must_use]
    pub const fn when_header_missing(&self) -> WhenHeaderMissing {
        self.when_header_missing
    }

    /// The client at an address that is known already, as one of a log: what it is counted by, as if
    /// it were a peer.
    #[must_use]
    pub const fn client_at(&self, ip: IpAddr) -> ClientAddress {
        ClientAddress::cut(ip, self.ipv6_prefix)
    }

    /// The name of the header to give to [`resolve`](Self::resolve), in lower case.
    #[must_use]
    pub fn header_name(&self) -> &str {
        self.header.name()
    }

    /// True if the header of a request from `peer` matters at all.
    #[must_use]
    pub fn trusts(&self, peer: Option<IpAddr>) -> bool {
        match peer {
            Some(peer) => self.trusts_address(peer),
            None => self.trust_unix_peer,
        }
    }

    /// Finds the client of a request from `peer` (`None` for a Unix socket), given the lines of
    /// the header [`header_name`](Self::header_name) in the order in which they came.
    ///
    /// # Errors
    ///
    /// [`NoAddress`] says why there is no address.
    pub fn resolve<'h, L>(&self, peer: Option<IpAddr>, lines: L) -> Result<ClientAddress, NoAddress>
    where
        L: IntoIterator<Item = &'h [u8]>,
        L::IntoIter: DoubleEndedIterator,
    {
        if !self.trusts(peer) {
            return match peer {
                Some(peer) => Ok(self.address(peer, AddressSource::Peer)),
                None => Err(NoAddress::UnixSocket),
            };
        }
        let lines = lines.into_iter();
        let named = match &self.header {
            ForwardingHeader::XForwardedFor => {
                self.walk(lines, element::split_plain, element::x_forwarded_for)
            }
            ForwardingHeader::Forwarded => self.walk(lines, forwarded::split, forwarded::element),
            ForwardingHeader::Single(_) => single(lines),
        };
        match (named?, peer) {
            (Some(named), _) => Ok(self.address(named, AddressSource::Header)),
            (None, Some(peer)) if self.when_header_missing == WhenHeaderMissing::Peer => {
                Ok(self.address(peer, AddressSource::PeerWithoutHeader))
            }
            (None, _) => Err(NoAddress::HeaderMissing),
        }
    }

    /// Walks from the right to the first address that is not trusted, or else to the last one.
    fn walk<'h>(
        &self,
        lines: impl DoubleEndedIterator<Item = &'h [u8]>,
        split: Split,
        read: fn(&[u8]) -> Result<IpAddr, NoAddress>,
    ) -> Result<Option<IpAddr>, NoAddress> {
        let mut furthest = None;
        let elements = lines.rev().flat_map(|line| Elements::new(line, split));
        for (count, element) in elements.enumerate() {
            if count == MAX_ELEMENTS {
                return Err(NoAddress::TooManyElements);
            }
            let address = read(element)?;
            if !self.trusts_address(address) {
                return Ok(Some(address));
            }
            furthest = Some(address);
        }
        Ok(furthest)
    }

    fn trusts_address(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(address))
    }

    fn address(&self, ip: IpAddr, source: AddressSource) -> ClientAddress {
        ClientAddress::cut(ip, self.ipv6_prefix).with_source(source)
    }
}

/// The address of a header that holds one.
fn single<'h>(mut lines: impl Iterator<Item = &'h [u8]>) -> Result<Option<IpAddr>, NoAddress> {
    match (lines.next(), lines.next()) {
        (None, _) => Ok(None),
        (Some(line), None) => element::x_forwarded_for(element::trim(line)).map(Some),
        // Which of them the proxy wrote is anyone's guess.
        (Some(_), Some(_)) => Err(NoAddress::Malformed),
    }
}

#[cfg(test)]
mod tests;
