//! Who sends requests.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use fastrand::Rng;

/// What a client says it is. Quotes, backslashes and letters beyond ASCII are in real ones too.
const AGENTS: [&str; 16] = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/about)",
    "curl/8.5.0",
    "python-requests/2.32.3",
    "okhttp/4.12.0",
    "Wget/1.21.4",
    "Go-http-client/2.0",
    "An \"agent\" with quotes",
    "Lesezeichen-Prüfer/1.0 (für Bücher)",
    "C:\\Programs\\agent.exe",
    "エージェント/3.1",
    "Mozilla/5.0 [en] (tab\there; {json: \"like\"})",
];

const REFERERS: [&str; 5] = [
    "https://example.net/",
    "https://search.example/?q=places&hl=en",
    "https://example.net/places?page=2",
    "https://example.net/\"quoted\"",
    "https://bücher.example/größe",
];

/// Users whose names are not words.
const ODD_USERS: [&str; 3] = ["jane doe", "o\"neil", "müller"];

/// The address of a client, from its number. The lower half of an IPv6 address changes from request
/// to request, as privacy extensions do it: the network is the client's.
pub(super) fn address(client: u32, rng: &mut Rng) -> IpAddr {
    // 198.18.0.0/15 is for measurements, 2001:db8::/32 for documentation. Odd factors mix without
    // letting two meet.
    let half = client / 2;
    if client.is_multiple_of(2) && half < 1 << 17 {
        let host = half.wrapping_mul(40_503) % (1 << 17);
        return Ipv4Addr::from_bits((198 << 24 | 18 << 16) + host).into();
    }
    let network = u128::from(client.wrapping_mul(2_654_435_769));
    let interface = u128::from(rng.u64(1..=4)) << 48 | u128::from(client);
    Ipv6Addr::from_bits(0x2001_0db8 << 96 | network << 64 | interface).into()
}

/// An address that a client makes up, to seem somebody else.
pub(super) fn made_up(rng: &mut Rng) -> Ipv4Addr {
    Ipv4Addr::new(203, 0, 113, rng.u8(..))
}

pub(super) fn user_agent(client: u32, rng: &mut Rng) -> Option<&'static str> {
    // Most clients keep theirs.
    let number = if rng.u8(..) < 8 { rng.u32(..) } else { client };
    match number % 37 {
        36 => None,
        number => AGENTS.get(usize::try_from(number % 16).unwrap_or_default()),
    }
    .copied()
}

pub(super) fn referer(rng: &mut Rng) -> Option<&'static str> {
    REFERERS.get(rng.usize(..12)).copied()
}

/// The user of a client that has logged in.
pub(super) fn user(client: u32) -> String {
    match ODD_USERS.get(usize::try_from(client % 64).unwrap_or_default()) {
        Some(odd) => (*odd).to_owned(),
        None => format!("user-{client}"),
    }
}
