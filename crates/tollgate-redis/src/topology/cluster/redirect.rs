//! Calls that were not run where they were sent first.

use std::time::Duration;

use crate::url::Endpoint;

/// How often a call is sent elsewhere, between two waits: a slot that moves on while it is
/// followed needs more than once, and servers that point at each other must not keep a call.
const HOPS: u32 = 4;
/// How often to wait for keys that are in two places.
const WAITS: u32 = 8;
const FIRST_WAIT: Duration = Duration::from_millis(5);
const LONGEST_WAIT: Duration = Duration::from_millis(80);

/// What was done for one call.
#[derive(Debug, Default)]
pub(super) struct Redirects {
    hops: u32,
    waits: u32,
}

impl Redirects {
    /// Whether to send the call elsewhere once more.
    pub(super) fn may_follow(&mut self) -> bool {
        self.hops += 1;
        self.hops <= HOPS
    }

    /// How long to wait before the call is sent again, if it is; `left` is what its caller still
    /// waits for.
    pub(super) fn wait(&mut self, left: Duration) -> Option<Duration> {
        let wait = FIRST_WAIT.saturating_mul(1 << self.waits).min(LONGEST_WAIT);
        if self.waits == WAITS || wait >= left {
            return None;
        }
        self.waits += 1;
        self.hops = 0;
        Some(wait)
    }
}

/// The address of a redirection by `from`, which leaves out the host where it is its own, and writes
/// IPv6 without brackets.
pub(super) fn elsewhere(address: &str, from: &Endpoint) -> Option<Endpoint> {
    let (host, port) = address.rsplit_once(':')?;
    let port = port.parse().ok().filter(|port| *port > 0)?;
    let host = host.strip_prefix('[').unwrap_or(host);
    let host = host.strip_suffix(']').unwrap_or(host);
    let host = match host {
        "" | "?" => &from.host,
        host => host,
    };
    Some(Endpoint {
        host: host.to_owned(),
        port,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_addresses_as_servers_write_them() {
        let from = Endpoint {
            host: "here".to_owned(),
            port: 1,
        };
        let read = |address| elsewhere(address, &from).map(|endpoint| endpoint.to_string());
        for (address, expected) in [
            ("127.0.0.1:7001", "127.0.0.1:7001"),
            ("::1:7001", "[::1]:7001"),
            ("[::1]:7001", "[::1]:7001"),
            ("cache.example:7001", "cache.example:7001"),
            (":7001", "here:7001"),
            ("?:7001", "here:7001"),
        ] {
            assert_eq!(read(address).as_deref(), Some(expected), "{address}");
        }
        for address in ["", "host", "host:", "host:0", "host:70000"] {
            assert_eq!(read(address), None, "{address}");
        }
    }

    #[test]
    fn follows_and_waits_a_bounded_number_of_times() {
        let mut redirects = Redirects::default();
        let mut sent = 0;
        let mut waited = Duration::ZERO;
        loop {
            while redirects.may_follow() {
                sent += 1;
            }
            match redirects.wait(Duration::from_secs(60)) {
                Some(wait) => waited += wait,
                None => break,
            }
        }
        assert_eq!(sent, HOPS * (WAITS + 1));
        assert!(waited < Duration::from_millis(600), "{waited:?}");
        assert_eq!(Redirects::default().wait(FIRST_WAIT), None);
    }
}
