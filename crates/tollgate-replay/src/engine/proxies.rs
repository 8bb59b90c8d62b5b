//! Private addresses, of which one that sends nearly everything is a proxy.

use std::collections::HashMap;
use std::net::IpAddr;

use tollgate_policy::ClientAddress;

/// The most addresses that are counted. One that sends nearly everything is among the first.
const MOST: usize = 4_096;

/// How many requests each private address sent.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    counts: HashMap<IpAddr, u64>,
    /// The last one, and requests of it that are not in `counts` yet.
    last: Option<(IpAddr, u64)>,
}

impl Proxies {
    #[inline]
    pub(crate) fn see(&mut self, client: Option<ClientAddress>) {
        let Some(ip) = client.map(|client| client.ip()) else {
            return;
        };
        match &mut self.last {
            Some((last, count)) if *last == ip => *count += 1,
            _ if is_private(ip) => {
                self.keep();
                self.last = Some((ip, 1));
            }
            _ => {}
        }
    }

    fn keep(&mut self) {
        if let Some((ip, count)) = self.last.take()
            && (self.counts.len() < MOST || self.counts.contains_key(&ip))
        {
            *self.counts.entry(ip).or_insert(0) += count;
        }
    }

    /// The private address that sent the most, and how much.
    pub(crate) fn first(&mut self) -> Option<(IpAddr, u64)> {
        self.keep();
        let counts = self.counts.iter().map(|(ip, count)| (*ip, *count));
        counts.max_by_key(|(ip, count)| (*count, *ip))
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

    #[test]
    fn the_private_address_that_sent_the_most_is_found() {
        let mut proxies = Proxies::default();
        assert_eq!(proxies.first(), None);
        for ip in [
            "198.51.100.7",
            "10.0.0.1",
            "127.0.0.1",
            "10.0.0.1",
            "198.51.100.7",
            "10.0.0.1",
        ] {
            proxies.see(Some(ClientAddress::new(ip.parse().unwrap())));
        }
        proxies.see(None);
        assert_eq!(proxies.first(), Some(("10.0.0.1".parse().unwrap(), 3)));
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
