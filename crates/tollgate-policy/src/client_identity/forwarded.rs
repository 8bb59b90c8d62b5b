//! The address in an element of `Forwarded` (RFC 7239).

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::NoAddress;
use super::element::{is_port, split_at_comma, text};
use crate::attribute::is_token;

/// Splits at the last comma that no quotes surround.
///
/// The list is read from the right because the right is where trusted proxies write. In a list
/// that is well formed, quotes seen from either side surround the same commas.
pub(super) fn split(list: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let mut quoted = false;
    for (at, byte) in list.iter().enumerate().rev() {
        match byte {
            b'"' if !(quoted && is_escaped(list, at)) => quoted = !quoted,
            b',' if !quoted => return split_at_comma(list, Some(at)),
            _ => {}
        }
    }
    (None, list)
}

/// True if an odd number of backslashes stands before `at`.
fn is_escaped(list: &[u8], at: usize) -> bool {
    let before = list.get(..at).unwrap_or_default();
    before
        .iter()
        .rev()
        .take_while(|byte| **byte == b'\\')
        .count()
        % 2
        == 1
}

/// Reads the `for` parameter of `forwarded-element` (section 4).
pub(super) fn element(element: &[u8]) -> Result<IpAddr, NoAddress> {
    let mut rest = text(element)?;
    let mut node = None;
    loop {
        // A pair may be left out between two semicolons.
        if !rest.is_empty() && !rest.starts_with(';') {
            let (name, after) = token(rest).ok_or(NoAddress::Malformed)?;
            let after = after.strip_prefix('=').ok_or(NoAddress::Malformed)?;
            let (value, after) = value(after).ok_or(NoAddress::Malformed)?;
            // Each parameter may occur once (section 4).
            if name.eq_ignore_ascii_case("for") && node.replace(value).is_some() {
                return Err(NoAddress::Malformed);
            }
            rest = after;
        }
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix(';').ok_or(NoAddress::Malformed)?;
    }
    // An element without `for` says nothing of who sent the request.
    self::node(&node.ok_or(NoAddress::Malformed)?)
}

fn token(text: &str) -> Option<(&str, &str)> {
    let end = text
        .bytes()
        .position(|byte| !is_token(byte))
        .unwrap_or(text.len());
    (end > 0).then(|| text.split_at_checked(end)).flatten()
}

/// `token / quoted-string`, and what follows.
fn value(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, rest) = token(text)?;
        return Some((Cow::Borrowed(value), rest));
    };
    let end = quoted.find(['"', '\\'])?;
    if quoted.as_bytes().get(end) == Some(&b'"') {
        let (value, rest) = quoted.split_at_checked(end)?;
        return is_quotable(value).then(|| (Cow::Borrowed(value), rest.get(1..).unwrap_or("")));
    }
    let mut value = String::new();
    let mut chars = quoted.chars();
    loop {
        let next = match chars.next()? {
            '"' => break,
            '\\' => chars.next()?,
            next => next,
        };
        value.push(next);
    }
    let is_quotable = is_quotable(&value);
    is_quotable.then_some((Cow::Owned(value), chars.as_str()))
}

/// True if the characters may stand in a quoted string (RFC 9110, section 5.6.4).
fn is_quotable(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte == b'\t' || !byte.is_ascii_control())
}

/// `node = nodename [ ":" node-port ]` (section 6).
fn node(node: &str) -> Result<IpAddr, NoAddress> {
    if let Some(bracketed) = node.strip_prefix('[') {
        let (address, port) = bracketed.split_once(']').ok_or(NoAddress::Malformed)?;
        let is_ported = port.is_empty() || port.strip_prefix(':').is_some_and(is_node_port);
        let address = address
            .parse::<Ipv6Addr>()
            .map_err(|_| NoAddress::Malformed)?;
        return is_ported
            .then_some(address.into())
            .ok_or(NoAddress::Malformed);
    }
    let (name, port) = match node.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (node, None),
    };
    if !port.is_none_or(is_node_port) {
        return Err(NoAddress::Malformed);
    }
    if name.eq_ignore_ascii_case("unknown") || is_obfuscated(name) {
        return Err(NoAddress::Hidden);
    }
    name.parse::<Ipv4Addr>()
        .map(IpAddr::V4)
        .map_err(|_| NoAddress::Malformed)
}

fn is_node_port(text: &str) -> bool {
    is_port(text) || is_obfuscated(text)
}

/// `"_" 1*( ALPHA / DIGIT / "." / "_" / "-")` (section 6.3).
fn is_obfuscated(text: &str) -> bool {
    text.strip_prefix('_').is_some_and(|rest| {
        !rest.is_empty()
            && rest
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    })
}
