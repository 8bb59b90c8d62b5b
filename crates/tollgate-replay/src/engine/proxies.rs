//! Addresses that are rather proxies than clients: a few of them send nearly everything.

use std::net::IpAddr;

use tollgate_policy::ClientAddress;

use crate::HidingKey;
use crate::client::is_name;
use crate::instant::share;
use crate::words::percent;

/// So many addresses are counted. Of those that send the most, hardly a request is missed.
const SLOTS: usize = 16;
/// So many private addresses are a handful.
const HANDFUL: usize = 4;
/// The share of requests that is nearly all of them.
const NEARLY_ALL: f64 = 0.9;
/// The share of all requests that private addresses must have sent to be told of: health checks and
/// the like send less.
const MUCH: f64 = 0.2;

/// How many requests the addresses sent that sent the most.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    /// Space-Saving: a new address takes the place of the one that sent the least.
    slots: Vec<Slot>,
    requests: u64,
    /// Requests of private addresses.
    private: u64,
    /// The last one, and requests of it that are not in `slots` yet.
    last: Option<(IpAddr, u64)>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    ip: IpAddr,
    /// Its requests, and those of the addresses whose place it took.
    rank: u64,
    /// Its requests since it has this place.
    sent: u64,
}

/// A few addresses that sent so much that they are hardly clients.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Few {
    addresses: Vec<IpAddr>,
    is_private: bool,
    /// The share of all requests that they sent.
    share: f64,
}

impl Proxies {
    /// Counts a request of a client.
    #[inline]
    pub(crate) fn see(&mut self, client: Option<ClientAddress>) {
        self.requests += 1;
        // What stands for a name is no address that could be trusted.
        let Some(ip) = client.map(|client| client.ip()).filter(|ip| !is_name(*ip)) else {
            return;
        };
        match &mut self.last {
            Some((last, count)) if *last == ip => *count += 1,
            _ => {
                self.keep();
                self.last = Some((ip, 1));
            }
        }
    }

    fn keep(&mut self) {
        let Some((ip, count)) = self.last.take() else {
            return;
        };
        if is_private(ip) {
            self.private += count;
        }
        let new = Slot {
            ip,
            rank: 0,
            sent: 0,
        };
        let known = self.slots.iter().position(|slot| slot.ip == ip);
        let slot = if let Some(known) = known {
            self.slots.get_mut(known)
        } else if self.slots.len() < SLOTS {
            self.slots.push(new);
            self.slots.last_mut()
        } else {
            let least = self.slots.iter_mut().min_by_key(|slot| slot.rank);
            least.map(|least| {
                let rank = least.rank;
                *least = Slot { rank, ..new };
                least
            })
        };
        if let Some(slot) = slot {
            slot.rank += count;
            slot.sent += count;
        }
    }

    /// The addresses that are hardly clients: a handful of private ones that sent nearly all of what
    /// private ones sent, if that is much; or else one of any kind that sent nearly everything.
    pub(crate) fn few(&mut self) -> Option<Few> {
        self.keep();
        let mut slots = self.slots.clone();
        slots.sort_unstable_by(|one, other| (other.sent, one.ip).cmp(&(one.sent, other.ip)));
        let mut addresses = Vec::new();
        let mut sent = 0;
        let private = slots.iter().filter(|slot| is_private(slot.ip));
        for slot in private.take(HANDFUL) {
            addresses.push(slot.ip);
            sent += slot.sent;
            if share(sent, self.private) >= NEARLY_ALL && share(sent, self.requests) >= MUCH {
                addresses.sort_unstable();
                return Some(Few {
                    addresses,
                    is_private: true,
                    share: share(sent, self.requests),
                });
            }
        }
        let first = slots.first()?;
        let of_first = share(first.sent, self.requests);
        (of_first >= NEARLY_ALL).then(|| Few {
            addresses: vec![first.ip],
            is_private: false,
            share: of_first,
        })
    }
}

impl Few {
    /// True if they sent so much that all others do not matter.
    pub(crate) fn sent_nearly_all(&self) -> bool {
        self.share >= NEARLY_ALL
    }

    /// Their addresses.
    pub(crate) fn addresses(&self) -> &[IpAddr] {
        &self.addresses
    }

    /// What they are, without what to do about it; with hashes in place of addresses if there is a
    /// key to hide them by.
    pub(crate) fn in_words(&self, hiding: Option<&HidingKey>) -> String {
        let shown = |ip: &IpAddr| {
            hiding.map_or_else(|| ip.to_string(), |hiding| hiding.hide(&ip.to_string()))
        };
        let shown: Vec<String> = self.addresses.iter().map(shown).collect();
        let share = percent(self.share);
        let kind = if self.is_private { "private " } else { "" };
        let Some((last, others)) = shown.split_last().filter(|(_, others)| !others.is_empty())
        else {
            let ip = shown.concat();
            let what = if self.is_private {
                "it is probably a proxy, and all of its clients are counted as one"
            } else {
                "it is a proxy, whose clients are all counted as one, or one client that takes all there is"
            };
            return format!("the {kind}address {ip} sent {share} of the requests: {what}");
        };
        format!(
            "the {kind}addresses {} and {last} sent {share} of the requests: they are probably proxies, and all clients of each are counted as one",
            others.join(", ")
        )
    }
}

/// True for addresses that no client on the Internet has: loopback, private (RFC 1918, RFC 4193),
/// shared (RFC 6598) and link-local ones.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            let is_shared = a == 100 && b & 0xc0 == 64;
            ip.is_loopback() || ip.is_private() || ip.is_link_local() || is_shared
        }
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of addresses that sent so many requests each, in turns.
    fn said(sent: &[(&str, usize)]) -> Option<String> {
        let mut proxies = Proxies::default();
        let most = sent.iter().map(|(_, count)| *count).max().unwrap();
        for turn in 0..most {
            for (ip, count) in sent {
                if turn * count / most != (turn + 1) * count / most {
                    proxies.see(Some(ClientAddress::new(ip.parse().unwrap())));
                }
            }
        }
        proxies.few().map(|few| few.in_words(None))
    }

    fn public(number: usize) -> Vec<(String, usize)> {
        let ips = (0..number).map(|n| (format!("198.51.{}.{}", n / 250, n % 250), 1));
        ips.collect()
    }

    #[test]
    fn a_handful_of_private_addresses_that_sends_nearly_all_is_told() {
        for (sent, expected) in [
            (
                vec![("10.0.0.1", 100)],
                "the private address 10.0.0.1 sent 100 % of the requests: it is probably a proxy",
            ),
            (
                vec![("10.0.0.5", 500), ("10.0.0.6", 480), ("198.51.100.7", 20)],
                "the private addresses 10.0.0.5 and 10.0.0.6 sent 98 % of the requests: they are probably proxies",
            ),
            (
                vec![("fd00::1", 30), ("fd00::2", 30), ("fd00::3", 30)],
                "the private addresses fd00::1, fd00::2 and fd00::3 sent 100 %",
            ),
        ] {
            let said = said(&sent).unwrap();
            assert!(said.starts_with(expected), "{said}");
        }
    }

    #[test]
    fn a_private_address_beside_those_that_a_trusted_proxy_names_is_told() {
        let mut sent = public(500);
        sent.push(("10.0.0.6".to_owned(), 500));
        let sent: Vec<(&str, usize)> = sent.iter().map(|(ip, count)| (&**ip, *count)).collect();
        let said = said(&sent).unwrap();
        assert!(
            said.starts_with("the private address 10.0.0.6 sent 50 % of the requests"),
            "{said}"
        );
    }

    #[test]
    fn one_address_of_any_kind_that_sends_nearly_all_is_told() {
        let mut sent = public(40);
        sent.push(("203.0.113.5".to_owned(), 960));
        let sent: Vec<(&str, usize)> = sent.iter().map(|(ip, count)| (&**ip, *count)).collect();
        let said = said(&sent).unwrap();
        assert!(
            said.starts_with("the address 203.0.113.5 sent 96 % of the requests: it is a proxy,"),
            "{said}"
        );
    }

    #[test]
    fn clients_of_a_private_network_a_health_check_and_a_crowd_are_not_told() {
        let network: Vec<String> = (1..=8).map(|n| format!("10.0.0.{n}")).collect();
        let network: Vec<(&str, usize)> = network.iter().map(|ip| (&**ip, 10)).collect();
        assert_eq!(said(&network), None);
        let mut crowd = public(900);
        crowd.push(("10.0.0.9".to_owned(), 100));
        let crowd: Vec<(&str, usize)> = crowd.iter().map(|(ip, count)| (&**ip, *count)).collect();
        assert_eq!(said(&crowd), None);
        assert_eq!(Proxies::default().few(), None);
    }

    #[test]
    fn knows_addresses_that_no_client_on_the_internet_has() {
        for (ip, private) in [
            ("127.0.0.1", true),
            ("192.168.1.1", true),
            ("172.31.0.1", true),
            ("172.32.0.1", false),
            ("100.64.0.1", true),
            ("100.128.0.1", false),
            ("169.254.1.1", true),
            ("::1", true),
            ("fd00::1", true),
            ("fe80::1", true),
            ("2001:db8::1", false),
            ("100::1", false),
        ] {
            assert_eq!(is_private(ip.parse().unwrap()), private, "{ip}");
        }
    }
}
