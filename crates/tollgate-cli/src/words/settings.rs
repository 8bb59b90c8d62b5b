//! Where counts live, who the client is, and what responses say.

use std::time::Duration;

use tollgate_policy::file::{ResetUnit, ResponseSettings, StoreKind, StoreSettings};
use tollgate_policy::{ClientIdentity, ForwardingHeader, WhenHeaderMissing};

use super::{all_of, any_of, count};
use crate::output::shown;

/// A label and what stands beside it.
type Row = (&'static str, String);

/// Where counts live, and what an outage costs.
pub(crate) fn store(store: &StoreSettings) -> Vec<Row> {
    let hashed = match &store.hash_secret {
        Some(_) => "secrets in keys are hashed under the file's `hash_secret`",
        None => "secrets in keys are hashed under a key that everyone knows",
    };
    if store.url.kind() == StoreKind::Memory {
        return vec![(
            "counts",
            format!(
                "in the memory of each process by itself, up to {} keys and {} of sliding logs",
                store.max_keys,
                size(store.max_log_bytes)
            ),
        )];
    }
    let denials = match store.denial_cache {
        0 => "no denials are remembered in the process".to_owned(),
        denials => format!("up to {denials} denials are remembered in the process"),
    };
    vec![
        (
            "counts",
            format!(
                "in {}, under keys that begin with {}",
                shown(&store.url.to_string()),
                store.prefix
            ),
        ),
        ("", format!("{hashed}; {denials}")),
        (
            "deadline",
            format!(
                "{} for a decision, of which up to {} wait at a time; after {} the store is probed instead of asked",
                time(store.timeout),
                store.max_waiting,
                match store.max_failures {
                    1 => "a failure".to_owned(),
                    failures => format!("{failures} failures in a row, or one silence,"),
                }
            ),
        ),
    ]
}

/// Who `client.ip` is.
pub(crate) fn client(identity: &ClientIdentity) -> Vec<Row> {
    let mut trusted: Vec<String> = identity
        .trusted_proxies()
        .iter()
        .map(ToString::to_string)
        .collect();
    if identity.trusts_unix_peer() {
        trusted.push("a Unix socket".to_owned());
    }
    let words = if trusted.is_empty() {
        "whoever connects: no proxy is trusted".to_owned()
    } else {
        let header = identity.header_name();
        let named = match identity.header() {
            ForwardingHeader::Single(_) => format!("the address in {header}"),
            _ => format!("the first in {header}, from the right, that is no trusted proxy"),
        };
        let missing = match identity.when_header_missing() {
            WhenHeaderMissing::Missing => "nobody",
            _ => "the proxy itself",
        };
        format!(
            "whoever connects, unless that is {}: then {named}; without that header, {missing}",
            any_of(&trusted)
        )
    };
    let counted = match identity.ipv6_prefix() {
        128 => "IPv6 is counted by single addresses".to_owned(),
        prefix => format!("IPv6 is counted by networks of /{prefix}"),
    };
    vec![("client", words), ("", counted)]
}

/// What responses carry.
pub(crate) fn response(response: &ResponseSettings) -> Vec<Row> {
    let unit = match response.x_ratelimit {
        Some(ResetUnit::Delta) => "in seconds from now",
        _ => "in seconds since the Unix epoch",
    };
    let mut fields = Vec::new();
    if response.ietf {
        fields.extend(["RateLimit-Policy", "RateLimit"]);
    }
    if response.x_ratelimit.is_some() {
        fields.extend([
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
        ]);
    }
    let fields: Vec<String> = fields.into_iter().map(ToOwned::to_owned).collect();
    let mut words = match fields.as_slice() {
        [] => "carry no rate-limit fields".to_owned(),
        fields => format!("carry {}", all_of(fields)),
    };
    if response.x_ratelimit.is_some() {
        words.push_str(&format!(" ({unit})"));
    }
    if response.expose {
        words.push_str(", which pages of other origins may read");
    }
    let preflight = if response.count_preflight {
        "CORS preflight requests are counted like others"
    } else {
        "CORS preflight requests are not counted"
    };
    let retry_after = format!(
        "denials carry Retry-After where waiting helps; while the store fails, {}",
        time(response.outage_retry_after)
    );
    vec![
        ("responses", words),
        ("", retry_after),
        ("", preflight.to_owned()),
    ]
}

/// A time in the largest unit that it is a whole number of.
fn time(time: Duration) -> String {
    let millis = time.as_millis();
    if millis.is_multiple_of(1_000) {
        format!("{} s", millis / 1_000)
    } else {
        format!("{millis} ms")
    }
}

/// A size in the largest unit that it is a whole number of.
fn size(bytes: usize) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units
        .iter()
        .find(|(power, _)| bytes.is_multiple_of(1 << power));
    match unit {
        Some((power, name)) => format!("{} {name}", bytes >> power),
        None => count(bytes, "byte"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_exact() {
        assert_eq!(time(Duration::from_millis(100)), "100 ms");
        assert_eq!(time(Duration::from_secs(5)), "5 s");
        assert_eq!(size(64 << 20), "64 MiB");
        assert_eq!(size(1_500), "1500 bytes");
        assert_eq!(size((1 << 20) + 1_024), "1025 KiB");
    }
}
