//! How many connections each peer has.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use super::Peer;

/// Counts the open connections of each address, if there is a bound on them. Whoever has IPv6 has
/// 64 bits of it to choose from, and is one peer. Unix sockets have no peers.
pub(super) struct Peers {
    max: Option<usize>,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// The peer has as many connections as it may.
pub(super) struct TooMany;

impl Peers {
    pub(super) fn new(max: Option<usize>) -> Self {
        Self {
            max,
            open: Arc::default(),
        }
    }

    /// Counts one more, until what is returned is dropped.
    pub(super) fn enter(&self, peer: Peer) -> Result<Option<Place>, TooMany> {
        let (Some(max), Some(address)) = (self.max, peer.address) else {
            return Ok(None);
        };
        let network = network(address.ip());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(network).or_default();
        if *count >= max.max(1) {
            return Err(TooMany);
        }
        *count += 1;
        Ok(Some(Place {
            network,
            open: Arc::clone(&self.open),
        }))
    }
}

/// One connection of a peer's.
pub(super) struct Place {
    network: IpAddr,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.network);
            }
        }
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            [a, b, c, d, 0, 0, 0, 0].into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(address: &str) -> Peer {
        Peer {
            address: Some((address.parse::<IpAddr>().unwrap(), 40_000).into()),
        }
    }

    #[test]
    fn a_peer_has_no_more_connections_than_it_may_and_others_are_not_in_its_way() {
        let peers = Peers::new(Some(2));
        let first = peers.enter(peer("192.0.2.1"));
        let mapped = peers.enter(peer("::ffff:192.0.2.1"));
        assert!(first.is_ok() && mapped.is_ok());
        assert!(peers.enter(peer("192.0.2.1")).is_err());
        assert!(peers.enter(peer("192.0.2.2")).is_ok());
        drop(first);
        assert!(peers.enter(peer("192.0.2.1")).is_ok());
        drop(mapped);
        assert!(peers.open.lock().unwrap().is_empty());
    }

    #[test]
    fn a_network_of_ipv6_is_one_peer() {
        let peers = Peers::new(Some(1));
        let first = peers.enter(peer("2001:db8::1"));
        assert!(peers.enter(peer("2001:db8::2")).is_err());
        assert!(peers.enter(peer("2001:db8:0:1::1")).is_ok());
        drop(first);
    }

    #[test]
    fn without_a_bound_nobody_is_counted() {
        let peers = Peers::new(None);
        assert!(matches!(peers.enter(peer("192.0.2.1")), Ok(None)));
        assert!(peers.open.lock().unwrap().is_empty());
    }
}
