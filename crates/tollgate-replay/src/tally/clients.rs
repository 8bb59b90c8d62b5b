//! How many clients there were.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use tollgate_policy::ClientAddress;

use super::sketch::Distinct;

/// So many are counted one by one.
const FEW: usize = 16_384;

/// Clients, each counted once: exactly while they are few, and then within about a hundredth.
#[derive(Debug)]
pub(crate) struct Clients {
    /// The same in each run, so that a log has one number of clients.
    hasher: BuildHasherDefault<DefaultHasher>,
    /// Hashes of their networks.
    few: HashSet<u64>,
    many: Option<Distinct>,
}

impl Clients {
    pub(crate) fn new() -> Self {
        Self {
            hasher: BuildHasherDefault::new(),
            few: HashSet::new(),
            many: None,
        }
    }

    /// Counts a client, if it has not been.
    #[inline]
    pub(crate) fn see(&mut self, client: ClientAddress) {
        let hash = self.hasher.hash_one(client.network());
        match &mut self.many {
            Some(many) => many.add_hash(hash),
            None => self.see_one_of_few(hash),
        }
    }

    fn see_one_of_few(&mut self, hash: u64) {
        self.few.insert(hash);
        if self.few.len() > FEW {
            let mut many = Distinct::new();
            for hash in std::mem::take(&mut self.few) {
                many.add_hash(hash);
            }
            self.many = Some(many);
        }
    }

    pub(crate) fn count(&self) -> u64 {
        match &self.many {
            Some(many) => many.estimate(),
            None => u64::try_from(self.few.len()).unwrap_or(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn seen(clients: u32) -> u64 {
        let mut counted = Clients::new();
        for _ in 0..2 {
            for client in 0..clients {
                let ip = IpAddr::V4(Ipv4Addr::from_bits(client));
                counted.see(ClientAddress::new(ip));
            }
        }
        counted.count()
    }

    #[test]
    fn few_are_counted_exactly_and_many_within_a_few_hundredths() {
        for clients in [0, 1, 999, 16_384] {
            assert_eq!(seen(clients), u64::from(clients));
        }
        for clients in [16_385, 300_000] {
            let off = seen(clients).abs_diff(u64::from(clients));
            assert!(off * 20 < u64::from(clients), "{clients}: off by {off}");
        }
    }
}
