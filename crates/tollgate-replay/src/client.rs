//! Who sent a request of a log.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv6Addr};

use tollgate_policy::{ClientAddress, ClientIdentity, ForwardingHeader, NoAddress};

use crate::log::{Peer, Record};

/// The most names of hosts that are remembered; others are shown as the addresses that stand for
/// them.
const MAX_NAMES: usize = 100_000;

/// Finds who sent each request of a log.
///
/// If the policy file trusts the peer, the list that the log has is walked as that of a live request
/// is. Else whom the server took for the client is the client, where the log says so, or else the
/// peer.
#[derive(Debug)]
pub(crate) struct Clients {
    identity: ClientIdentity,
    /// The attribute that holds the forwarding header, if it is not `X-Forwarded-For`.
    header: Option<String>,
    random: RandomState,
    names: HashMap<u64, Box<str>>,
    named: u64,
}

impl Clients {
    pub(crate) fn new(identity: ClientIdentity) -> Self {
        let header = match identity.header() {
            ForwardingHeader::XForwardedFor => None,
            other => Some(format!("header.{}", other.name())),
        };
        Self {
            identity,
            header,
            random: RandomState::new(),
            names: HashMap::new(),
            named: 0,
        }
    }

    /// Who sent a request.
    pub(crate) fn find(&mut self, record: &Record<'_>) -> Result<ClientAddress, NoAddress> {
        let list = self.list(record);
        match &record.peer {
            Peer::Address(peer) => self.at_peer(Some(*peer), list, record.client),
            Peer::Unix => self.at_peer(None, list, record.client),
            Peer::Name(name) => match record.client {
                Some(client) => Ok(self.identity.client_at(client)),
                None => Ok(self.named(name)),
            },
            Peer::Unknown => match (list.and_then(last_of), record.client) {
                // The proxy that logs appends its peer to the list.
                (Some((rest, peer)), client) => self.at_peer(Some(peer), rest, client),
                (None, Some(client)) => Ok(self.identity.client_at(client)),
                (None, None) if list.is_some() => Err(NoAddress::Malformed),
                (None, None) => Err(NoAddress::PeerUnknown),
            },
        }
    }

    #[inline]
    fn at_peer(
        &self,
        peer: Option<IpAddr>,
        list: Option<&str>,
        client: Option<IpAddr>,
    ) -> Result<ClientAddress, NoAddress> {
        let is_trusted = self.identity.trusts(peer);
        match client {
            Some(client) if !(is_trusted && list.is_some()) => Ok(self.identity.client_at(client)),
            _ => {
                let lines = list.filter(|_| is_trusted).map(str::as_bytes);
                self.identity.resolve(peer, lines)
            }
        }
    }

    /// The list in which proxies name clients.
    fn list<'r>(&self, record: &'r Record<'_>) -> Option<&'r str> {
        match &self.header {
            None => record.forwarded_for.as_deref(),
            Some(header) => {
                let mut others = record.others.iter();
                others
                    .find(|(name, _)| name == header)
                    .map(|(_, value)| &**value)
            }
        }
    }

    /// An address in `100::/8` that stands for a name.
    fn named(&mut self, name: &str) -> ClientAddress {
        self.named += 1;
        let name = name.to_ascii_lowercase();
        let upper = self.random.hash_one(&name) >> 8 | 1 << 56;
        if self.names.len() < MAX_NAMES || self.names.contains_key(&upper) {
            self.names.entry(upper).or_insert_with(|| name.into());
        }
        ClientAddress::new(Ipv6Addr::from_bits(u128::from(upper) << 64).into())
    }

    /// Requests whose client is known by a name only.
    pub(crate) const fn named_requests(&self) -> u64 {
        self.named
    }

    /// The name that an address of [`named`](Self::named) stands for: a key has it as a network.
    pub(crate) fn name_of(&self, network: &str) -> Option<String> {
        let address: Ipv6Addr = network.strip_suffix("/64")?.parse().ok()?;
        let upper = u64::try_from(address.to_bits() >> 64).ok()?;
        self.names.get(&upper).map(|name| name.to_string())
    }

    /// Forgets how many requests there were, but no name.
    pub(crate) const fn begin(&mut self) {
        self.named = 0;
    }
}

/// The last address of a list, with what stands before it.
fn last_of(list: &str) -> Option<(Option<&str>, IpAddr)> {
    let (rest, last) = match list.rsplit_once(',') {
        Some((rest, last)) => (Some(rest), last),
        None => (None, list),
    };
    let last = last.trim();
    let bracketed = last.strip_prefix('[').and_then(|last| last.split_once(']'));
    let text = match bracketed {
        Some((inner, _)) => inner,
        // An IPv4 address with a port: IPv6 has more than one colon.
        None if last.matches(':').count() == 1 => last.split_once(':').map_or(last, |(ip, _)| ip),
        None => last,
    };
    Some((rest, text.parse().ok()?))
}

/// True for addresses in `100::/8`, which stand for names.
pub(crate) fn is_name(ip: IpAddr) -> bool {
    matches!(ip, IpAddr::V6(ip) if ip.octets()[0] == 1)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::log::{Line, TextForm, TextState, TimeBasis};
    use tollgate::{Micros, Timestamp};

    fn record(
        peer: Peer<'static>,
        list: Option<&'static str>,
        client: Option<&str>,
    ) -> Record<'static> {
        let mut record = Record::at(Timestamp::EPOCH, TimeBasis::Start, Micros::SECOND);
        record.peer = peer;
        record.forwarded_for = list.map(Cow::Borrowed);
        record.client = client.map(|client| client.parse().unwrap());
        record
    }

    fn peer(ip: &str) -> Peer<'static> {
        Peer::Address(ip.parse().unwrap())
    }

    fn clients() -> Clients {
        let identity = ClientIdentity::builder().trusted_proxy("10.0.0.0/8");
        Clients::new(identity.build().unwrap())
    }

    fn found(record: &Record<'_>) -> String {
        match clients().find(record) {
            Ok(client) => client.ip().to_string(),
            Err(why) => why.as_str().to_owned(),
        }
    }

    #[test]
    fn a_trusted_peer_names_the_client_and_another_does_not() {
        let list = Some("203.0.113.66, 198.51.100.7");
        assert_eq!(found(&record(peer("10.0.0.1"), list, None)), "198.51.100.7");
        assert_eq!(found(&record(peer("192.0.2.1"), list, None)), "192.0.2.1");
        assert_eq!(found(&record(peer("10.0.0.1"), None, None)), "10.0.0.1");
        assert_eq!(
            found(&record(peer("10.0.0.1"), Some("-"), None)),
            "malformed"
        );
    }

    #[test]
    fn a_list_of_a_line_is_walked_as_that_of_a_live_request() {
        for list in [
            "203.0.113.9",
            "203.0.113.9, evil",
            "evil, 203.0.113.9",
            "203.0.113.9, evil, 10.0.0.2",
            "203.0.113.9, ",
            "203.0.113.9,, 10.0.0.2",
            "evil, 10.0.0.2",
            "10.0.0.3, 10.0.0.2",
            "203.0.113.9:80, [2001:db8::7]:443, 10.0.0.2:80",
        ] {
            for peer in ["10.0.0.1", "192.0.2.1"] {
                let line = format!(
                    r#"{peer} - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200 5 "-" "curl" "{list}""#
                );
                let mut state = TextState::default();
                let read = TextForm::Combined.read(line.as_bytes(), &mut state);
                let Ok(Line::Request(record)) = read else {
                    panic!("{line}: {read:?}");
                };
                let identity = ClientIdentity::builder().trusted_proxy("10.0.0.0/8");
                let identity = identity.build().unwrap();
                let live = identity.resolve(peer.parse().ok(), [list.as_bytes()]);
                assert_eq!(Clients::new(identity).find(&record), live, "{line}");
            }
        }
    }

    #[test]
    fn whom_the_server_names_goes_before_the_peer_but_not_before_the_list_of_a_trusted_one() {
        let server = Some("203.0.113.5");
        assert_eq!(
            found(&record(peer("192.0.2.1"), Some("198.51.100.7"), server)),
            "203.0.113.5"
        );
        assert_eq!(
            found(&record(peer("10.0.0.1"), Some("198.51.100.7"), server)),
            "198.51.100.7"
        );
        assert_eq!(
            found(&record(peer("10.0.0.1"), None, server)),
            "203.0.113.5"
        );
        assert_eq!(found(&record(Peer::Unix, None, server)), "203.0.113.5");
        assert_eq!(found(&record(Peer::Unix, None, None)), "unix_socket");
    }

    #[test]
    fn without_a_peer_the_last_of_the_list_is_it() {
        let unknown = |list| found(&record(Peer::Unknown, Some(list), None));
        assert_eq!(unknown("203.0.113.5, 10.0.0.7"), "203.0.113.5");
        assert_eq!(unknown("203.0.113.5, 198.51.100.7:4711"), "198.51.100.7");
        assert_eq!(unknown("[2001:db8::17]:80"), "2001:db8::17");
        assert_eq!(unknown("2001:db8::17"), "2001:db8::17");
        assert_eq!(unknown("nonsense"), "malformed");
        assert_eq!(found(&record(Peer::Unknown, None, None)), "peer_unknown");
        assert_eq!(
            found(&record(Peer::Unknown, None, Some("203.0.113.5"))),
            "203.0.113.5"
        );
    }

    #[test]
    fn another_header_is_taken_from_where_it_is() {
        let identity = ClientIdentity::builder()
            .trusted_proxy("10.0.0.0/8")
            .header(ForwardingHeader::Single("x-real-ip".into()));
        let mut clients = Clients::new(identity.build().unwrap());
        let mut record = record(peer("10.0.0.1"), Some("198.51.100.7"), None);
        record.others = vec![("header.x-real-ip".into(), "203.0.113.5".into())];
        let client = clients.find(&record).unwrap();
        assert_eq!(client.ip().to_string(), "203.0.113.5");
    }

    #[test]
    fn a_name_becomes_an_address_of_its_own_and_is_found_again() {
        let mut clients = clients();
        let mut find = |name: &'static str| {
            clients
                .find(&record(Peer::Name(name.into()), None, None))
                .unwrap()
        };
        let [one, same, other] = [
            "node3.example.net",
            "Node3.Example.NET",
            "node4.example.net",
        ]
        .map(&mut find);
        assert_eq!(one, same);
        assert_ne!(one.network(), other.network());
        assert!(one.ip().to_string().starts_with("1"), "{}", one.ip());
        assert!(
            "100::/8"
                .parse::<tollgate_policy::IpNetwork>()
                .unwrap()
                .contains(one.ip())
        );
        assert_eq!(clients.named_requests(), 3);
        assert_eq!(
            clients.name_of(&one.network().to_string()).as_deref(),
            Some("node3.example.net")
        );
        assert_eq!(clients.name_of("2001:db8::/64"), None);
    }
}
