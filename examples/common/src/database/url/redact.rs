//! What may be shown of a database address.
//!
//! Where a password ends is known only if the address is well formed, and an address is
//! shown mostly when it is not. So nothing is cut out of it; what is shown is put together
//! from parts that cannot be a piece of a password, wherever they stand.

use std::net::{IpAddr, Ipv6Addr};

/// `url` with `…` for all that could be a secret.
pub(super) fn redact(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme @ "sqlite", file)) => format!("{scheme}://{}", sqlite(file)),
        Some((scheme @ ("postgres" | "postgresql"), rest)) => {
            let rest = server(rest).unwrap_or_else(|| "…".to_owned());
            format!("{scheme}://{rest}")
        }
        _ => "…".to_owned(),
    }
}

/// The file, unless something in it looks like an account.
fn sqlite(rest: &str) -> String {
    let (file, query) = cut_query(rest);
    if file.contains(['@', ':', '%', '#']) || file.contains(char::is_control) {
        return "…".to_owned();
    }
    format!("{file}{query}")
}

/// Host, port and database, if the host is an address or `localhost`. Any other name may be
/// the tail of a password with an `@` in it, or an account without a server.
fn server(rest: &str) -> Option<String> {
    let (address, query) = cut_query(rest);
    let (authority, database) = address.split_once('/').unwrap_or((address, ""));
    let (account, server) = match authority.rsplit_once('@') {
        Some((_, server)) => ("…@", server),
        None => ("", authority),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !is_certainly_a_server(server) || !database.chars().all(plain) {
        return None;
    }
    let path = address.strip_prefix(authority)?;
    Some(format!("{account}{server}{path}{query}"))
}

fn is_certainly_a_server(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, port)) if host.parse::<Ipv6Addr>().is_ok() => ("localhost", port),
        Some(_) => return false,
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let port_is_plain = match port.strip_prefix(':') {
        Some(number) => number.parse::<u16>().is_ok(),
        None => port.is_empty(),
    };
    port_is_plain && (host == "localhost" || host.parse::<IpAddr>().is_ok())
}

/// What stands before the query, and `?…` if there is one.
fn cut_query(text: &str) -> (&str, &'static str) {
    text.split_once('?')
        .map_or((text, ""), |(before, _)| (before, "?…"))
}
