//! Requests from a seed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fastrand::Rng;
use tollgate::{Micros, Timestamp};

use super::arrivals::Arrivals;
use super::exchange::{Exchange, proxy};
use super::population;
use super::routes::{Purpose, ask};

/// Requests from a seed, in order of their begin: the same seed and settings, the same requests.
///
/// A few clients send much and most send little; a tenth of all requests goes round all clients, so
/// that each is there if there are ten times as many requests. Pages bring bursts of requests with
/// them, and some clients guess passwords, some scan. Over a day, nights are quiet.
#[derive(Clone, Debug)]
pub struct Traffic {
    seed: u64,
    clients: u32,
    requests: u64,
    from: Timestamp,
    span: Micros,
    proxies: bool,
    malformed: bool,
}

impl Traffic {
    /// Ten thousand requests of 500 clients, in the hour from 2026-11-05T06:00:00Z.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            clients: 500,
            requests: 10_000,
            from: Timestamp::from_secs(1_793_858_400),
            span: Micros::HOUR,
            proxies: false,
            malformed: true,
        }
    }

    /// How many clients there are: at least one.
    #[must_use]
    pub const fn clients(mut self, clients: u32) -> Self {
        self.clients = if clients == 0 { 1 } else { clients };
        self
    }

    /// How many requests.
    #[must_use]
    pub const fn requests(mut self, requests: u64) -> Self {
        self.requests = requests;
        self
    }

    /// From when on they come.
    #[must_use]
    pub const fn from(mut self, from: Timestamp) -> Self {
        self.from = from;
        self
    }

    /// In what time. A burst may end a little later.
    #[must_use]
    pub const fn over(mut self, span: Micros) -> Self {
        self.span = span;
        self
    }

    /// Whether they come through one or two of the [`PROXIES`](super::PROXIES). Some clients then
    /// make up the begin of the forwarding list.
    #[must_use]
    pub const fn behind_proxies(mut self, proxies: bool) -> Self {
        self.proxies = proxies;
        self
    }

    /// Whether some of them are none: nothing, another protocol, a word. They are unless said
    /// otherwise.
    #[must_use]
    pub const fn malformed(mut self, malformed: bool) -> Self {
        self.malformed = malformed;
        self
    }
}

impl IntoIterator for Traffic {
    type Item = Exchange;
    type IntoIter = Exchanges;

    fn into_iter(self) -> Exchanges {
        Exchanges {
            arrivals: Arrivals::new(self.from, self.span),
            rng: Rng::with_seed(self.seed),
            planned: BinaryHeap::new(),
            plans: 0,
            made: 0,
            round: 0,
            settings: self,
        }
    }
}

/// The requests of a [`Traffic`].
#[derive(Debug)]
pub struct Exchanges {
    settings: Traffic,
    arrivals: Arrivals,
    rng: Rng,
    planned: BinaryHeap<Reverse<Plan>>,
    /// Plans that were made, and requests.
    plans: u64,
    made: u64,
    /// The client whose turn it is.
    round: u32,
}

/// A request that will come.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Plan {
    at: Timestamp,
    number: u64,
    client: u32,
    purpose: Purpose,
}

impl Iterator for Exchanges {
    type Item = Exchange;

    fn next(&mut self) -> Option<Exchange> {
        if self.made == self.settings.requests {
            return None;
        }
        // Whoever comes next by the curve comes after what has come so far, and is planned before
        // anything later is given out.
        while self.plans < self.settings.requests {
            let due = self.arrivals.instant(self.plans, self.settings.requests);
            if self
                .planned
                .peek()
                .is_some_and(|Reverse(plan)| plan.at < due)
            {
                break;
            }
            // Not one after the other at the same distance.
            let spacing = self.settings.span.as_micros() / self.settings.requests;
            let late = Micros::new(self.rng.u64(1..=2 * spacing.max(1)));
            self.arrive(due.saturating_add(late));
        }
        let Reverse(plan) = self.planned.pop()?;
        let exchange = self.exchange(&plan);
        self.made += 1;
        Some(exchange)
    }
}

impl Exchanges {
    /// Somebody comes, and may bring more.
    fn arrive(&mut self, at: Timestamp) {
        let client = self.client();
        let (purpose, more, gap) = match self.rng.u16(..1000) {
            0..4 => (Purpose::Guess(0), self.rng.u16(20..80), 250_000),
            4..7 => (Purpose::Scan, self.rng.u16(5..30), 90_000),
            7..80 => (Purpose::Call, self.rng.u16(4..20), 40_000),
            _ => (Purpose::Call, 0, 1),
        };
        // Attackers are few.
        let client = match purpose {
            Purpose::Guess(_) | Purpose::Scan => client % 7 * (self.settings.clients / 7),
            _ => client,
        };
        self.plan(at, client, purpose);
        let mut at = at;
        for number in 1..=more {
            if self.plans == self.settings.requests {
                break;
            }
            at = at.saturating_add(Micros::new(self.rng.u64(1..gap)));
            let next = match purpose {
                Purpose::Guess(_) => Purpose::Guess(number),
                Purpose::Scan => Purpose::Scan,
                _ => Purpose::Asset,
            };
            self.plan(at, client, next);
        }
    }

    fn plan(&mut self, at: Timestamp, client: u32, purpose: Purpose) {
        self.planned.push(Reverse(Plan {
            at,
            number: self.plans,
            client,
            purpose,
        }));
        self.plans += 1;
    }

    /// By turns, or by a number whose logarithm is uniform: the n-th comes 1/n as often as the first.
    fn client(&mut self) -> u32 {
        let all = self.settings.clients;
        if self.rng.u8(..10) == 0 {
            self.round = (self.round + 1) % all;
            return self.round;
        }
        let rank = f64::from(all).powf(self.rng.f64());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it lies between 1 and the number of clients"
        )]
        let rank = rank as u32;
        rank.clamp(1, all) - 1
    }

    fn exchange(&mut self, plan: &Plan) -> Exchange {
        let rng = &mut self.rng;
        let asked = ask(plan.purpose, rng);
        let client = population::address(plan.client, rng);
        let mut exchange = Exchange {
            number: self.made,
            start: plan.at,
            duration: duration(plan.purpose, rng),
            client,
            peer: client,
            port: rng.u16(1024..),
            forwarded_for: None,
            malformed: None,
            method: asked.method,
            path: asked.path,
            query: asked.query,
            version: [11, 11, 20, 20, 20, 30][rng.usize(..6)],
            host: ["example.net", "www.example.net", "api.example.net"][rng.usize(..3)],
            user: None,
            user_agent: population::user_agent(plan.client, rng),
            referer: population::referer(rng),
            status: asked.status,
            gone: rng.u16(..) < 100,
            bytes: if matches!(asked.status, 204 | 304) || asked.method == "HEAD" {
                0
            } else {
                rng.u64(200..40_000)
            },
        };
        if plan.client.is_multiple_of(3) && rng.bool() && plan.purpose == Purpose::Call {
            exchange.user = Some(population::user(plan.client));
        }
        if self.settings.proxies {
            // They pass on requests, and nothing else.
            through_proxies(&mut exchange, rng);
        } else if self.settings.malformed && rng.u16(..) < 130 {
            break_off(&mut exchange, rng);
        }
        exchange
    }
}

/// Most answers take milliseconds, some seconds, and a few downloads half a minute.
fn duration(purpose: Purpose, rng: &mut Rng) -> Micros {
    Micros::new(match (purpose, rng.u16(..1000)) {
        (Purpose::Call, 0..3) => rng.u64(5_000_000..35_000_000),
        (Purpose::Call, 3..40) => rng.u64(300_000..3_000_000),
        (Purpose::Call, _) => rng.u64(900..180_000),
        _ => rng.u64(150..60_000),
    })
}

fn through_proxies(exchange: &mut Exchange, rng: &mut Rng) {
    let mut list = String::new();
    if rng.u8(..) < 6 {
        super::put!(&mut list, "{}, ", population::made_up(rng));
    }
    super::put!(&mut list, "{}", exchange.client);
    if rng.bool() {
        super::put!(&mut list, ", {}", proxy(rng.u8(1..5)));
    }
    exchange.forwarded_for = Some(list);
    exchange.peer = proxy(rng.u8(5..9));
}

/// Makes it one that the server understands nothing of.
fn break_off(exchange: &mut Exchange, rng: &mut Rng) {
    const ARRIVED: [&[u8]; 5] = [
        b"",
        b"HELP",
        b"\x16\x03\x01\x02\x00\x01",
        b"batman",
        b"\x00\xff\"\\",
    ];
    *exchange = Exchange {
        malformed: Some(ARRIVED[rng.usize(..ARRIVED.len())]),
        forwarded_for: None,
        method: "",
        path: String::new(),
        query: None,
        version: 10,
        user: None,
        user_agent: None,
        referer: None,
        status: 400,
        gone: false,
        bytes: 0,
        ..exchange.clone()
    };
}
