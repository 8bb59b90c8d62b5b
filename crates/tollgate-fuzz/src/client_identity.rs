//! The client that trusted proxies name.

mod naive;

use std::net::IpAddr;

use arbitrary::{Arbitrary, Unstructured};
use tollgate_policy::{
    AddressSource, ClientAddress, ClientIdentity, ForwardingHeader, IpNetwork, NoAddress,
    WhenHeaderMissing,
};

use naive::Named;

/// Addresses of peers and proxies, some of which are one address in two spellings.
const ADDRESSES: [&str; 10] = [
    "10.0.0.1",
    "10.255.0.1",
    "::ffff:10.0.0.1",
    "192.0.2.1",
    "198.51.100.7",
    "127.0.0.1",
    "::1",
    "2001:db8::1",
    "2001:db8:0:1::1",
    "64:ff9b::a00:1",
];

/// How the client is looked for.
#[derive(Arbitrary, Debug)]
struct Setup {
    header: u8,
    peer: u8,
    trusted: [(u8, u8); 3],
    ipv6_prefix: u8,
    trust_unix_peer: bool,
    is_missing_without_header: bool,
}

/// The first 11 bytes choose how the client is looked for; the rest are the lines of the header, the first of them
/// what a client wrote and the others what proxies did.
///
/// An untrusted peer is the client. Else the client is who a second reading of the header says, and
/// no trusted address unless all are; and what a client wrote changes nothing about whom a proxy
/// named.
pub fn client_identity(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let Ok(setup) = Setup::arbitrary(&mut input) else {
        return;
    };
    let Some((identity, trusted)) = setup.build() else {
        return;
    };
    let peer = address(setup.peer);
    let rest = input.take_rest();
    let lines: Vec<&[u8]> = match rest {
        [] => Vec::new(),
        rest => rest.split(|byte| *byte == b'\n').collect(),
    };
    let found = identity.resolve(peer, lines.iter().copied());
    if let Ok(client) = found {
        check_network(client, identity_prefix(setup.ipv6_prefix));
    }
    if !identity.trusts(peer) {
        let expected = peer
            .map(|peer| peer.to_canonical())
            .ok_or(NoAddress::UnixSocket);
        assert_eq!(found.map(|client| client.ip()), expected);
        return;
    }
    let is_trusted = |ip: IpAddr| trusted.iter().any(|network| naive::contains(network, ip));
    let expected = match setup.header() {
        ForwardingHeader::XForwardedFor => naive::x_forwarded_for(&lines, is_trusted),
        ForwardingHeader::Forwarded => naive::forwarded(&lines, is_trusted),
        _ => naive::single(&lines),
    };
    compare(&setup, peer, found, expected);
    if let Some((written, named)) = lines.split_first()
        && !matches!(setup.header(), ForwardingHeader::Single(_))
    {
        cannot_be_written(&identity, peer, written, named, is_trusted);
    }
}

impl Setup {
    fn header(&self) -> ForwardingHeader {
        match self.header % 5 {
            0 | 1 => ForwardingHeader::XForwardedFor,
            2 | 3 => ForwardingHeader::Forwarded,
            _ => ForwardingHeader::Single("x-real-ip".into()),
        }
    }

    /// The identity and the networks that it trusts, if they are not everything.
    fn build(&self) -> Option<(ClientIdentity, Vec<IpNetwork>)> {
        let trusted: Vec<IpNetwork> = self
            .trusted
            .iter()
            .filter_map(|(at, prefix)| Some(IpNetwork::cut(address(*at)?, *prefix)))
            .collect();
        let choice = match self.is_missing_without_header {
            true => WhenHeaderMissing::Missing,
            false => WhenHeaderMissing::Peer,
        };
        let identity = ClientIdentity::builder()
            .trusted_proxies(trusted.iter().map(ToString::to_string))
            .header(self.header())
            .ipv6_prefix(identity_prefix(self.ipv6_prefix))
            .trust_unix_peer(self.trust_unix_peer)
            .when_header_missing(choice)
            .build();
        let has_everything = trusted.iter().any(IpNetwork::is_everything);
        assert_eq!(identity.is_err(), has_everything, "{identity:?}");
        Some((identity.ok()?, trusted))
    }
}

fn identity_prefix(chosen: u8) -> u8 {
    32 + chosen % 97
}

/// One of the addresses, or none: a Unix socket.
fn address(at: u8) -> Option<IpAddr> {
    ADDRESSES.get(usize::from(at))?.parse().ok()
}

fn check_network(client: ClientAddress, ipv6_prefix: u8) {
    let (ip, network) = (client.ip(), client.network());
    assert_eq!(ip, ip.to_canonical());
    match (ip, network.address()) {
        (IpAddr::V4(_), _) => assert_eq!(network, IpNetwork::single(ip)),
        (IpAddr::V6(_), IpAddr::V6(_)) => {
            assert_eq!(network.prefix(), ipv6_prefix);
            assert!(network.contains(ip));
        }
        (IpAddr::V6(v6), IpAddr::V4(v4)) => {
            let [first, second, ..] = v6.segments();
            assert_eq!((first, second), (0x64, 0xff9b), "{ip} is counted as {v4}");
        }
    }
}

fn compare(
    setup: &Setup,
    peer: Option<IpAddr>,
    found: Result<ClientAddress, NoAddress>,
    expected: Named,
) {
    let (ip, source) = match expected {
        // What is not well-formed as a whole may still end well: only what holds of all is checked.
        Named::Unclear => return,
        Named::Nobody(problem) => {
            assert_eq!(found, Err(problem));
            return;
        }
        Named::Client(ip) => (ip, AddressSource::Header),
        Named::NoHeader => match peer {
            Some(peer) if !setup.is_missing_without_header => {
                (peer, AddressSource::PeerWithoutHeader)
            }
            _ => {
                assert_eq!(found, Err(NoAddress::HeaderMissing));
                return;
            }
        },
    };
    let found = found.map(|client| (client.ip(), client.source()));
    assert_eq!(found, Ok((ip.to_canonical(), source)));
}

/// Whom a proxy named is the client, whatever stands left of it: on a line of its own, or on the
/// line that the proxy went on with.
fn cannot_be_written(
    identity: &ClientIdentity,
    peer: Option<IpAddr>,
    written: &[u8],
    named: &[&[u8]],
    is_trusted: impl Fn(IpAddr) -> bool,
) {
    let Some((first, others)) = named.split_first() else {
        return;
    };
    let Ok(client) = identity.resolve(peer, named.iter().copied()) else {
        return;
    };
    if is_trusted(client.ip()) {
        return;
    }
    let on_its_own = [written].into_iter().chain(named.iter().copied());
    let on_its_own: Vec<&[u8]> = on_its_own.collect();
    assert_eq!(identity.resolve(peer, on_its_own), Ok(client));
    let joined = [written, b", ", first].concat();
    let joined = [&*joined].into_iter().chain(others.iter().copied());
    let joined: Vec<&[u8]> = joined.collect();
    assert_eq!(identity.resolve(peer, joined), Ok(client));
}
