//! Requests of many clients.

use tollgate::{Micros, Timestamp};
use tollgate_policy::{AttributeName, ClientAddress};

use crate::Request;

/// The beginning of all traffic: an hour of the year 2026.
const START: Timestamp = Timestamp::from_micros(1_793_858_400_000_000);

/// A request of a client, so many microseconds after the beginning.
pub(super) fn request(client: u32, micros: u64, method: &str, path: &str) -> Request {
    let [_, a, b, c] = client.to_be_bytes();
    Request {
        at: START.saturating_add(Micros::new(micros)),
        duration: Some(Micros::MILLISECOND),
        status: Some(200),
        client: Ok(ClientAddress::new([50 + a, 51, b, c].into())),
        attributes: vec![
            (AttributeName::Method, method.to_owned()),
            (AttributeName::Path, path.to_owned()),
        ],
    }
}

/// Requests in order of time.
pub(super) fn sorted(mut requests: Vec<Request>) -> Vec<Request> {
    requests.sort_by_key(|request| request.at);
    requests
}

/// So many clients, each of which sends so many requests at once each minute, for ten minutes.
pub(super) fn bursts(clients: u32, at_once: u32) -> Vec<Request> {
    let minutes = (0..10).map(|minute| minute * 60_000_000);
    let requests = minutes.flat_map(|minute| {
        let of_client = move |client| {
            let start = minute + u64::from(client) * 1_000;
            (0..at_once).map(move |_| request(client, start, "GET", "/places"))
        };
        (0..clients).flat_map(of_client)
    });
    sorted(requests.collect())
}

/// A source of numbers that look like chance.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below a bound.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 20) % bound
    }
}

/// Clients that visit a shop for a while, some more than others, and log in.
pub(super) fn shop(seed: u64, clients: u32) -> Vec<Request> {
    let mut chance = Chance::new(seed);
    let mut requests = Vec::new();
    for client in 0..clients {
        let mut at = chance.below(4 * 3_600_000_000);
        let visits = 1 + chance.below(5) * chance.below(5) * chance.below(5);
        let pace = 1 + chance.below(20_000_000);
        requests.push(request(client, at, "POST", "/auth/login"));
        for _ in 0..visits {
            for _ in 0..=chance.below(6) {
                at += chance.below(200_000);
                let path = format!("/boards/{}", chance.below(1_000));
                requests.push(request(client, at, "GET", &path));
            }
            if chance.below(4) == 0 {
                requests.push(request(client, at, "POST", "/boards"));
            }
            at += chance.below(pace);
        }
    }
    sorted(requests)
}
