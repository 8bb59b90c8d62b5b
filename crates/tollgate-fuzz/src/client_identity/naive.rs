//! Reads forwarding headers from the left, in whole.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tollgate_policy::{IpNetwork, NoAddress};

/// The most elements that are looked at.
const MAX_ELEMENTS: usize = 32;

/// The longest element that is read, in bytes.
const MAX_ELEMENT: usize = 1024;

/// Whom a header names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    Client(IpAddr),
    Nobody(NoAddress),
    NoHeader,
    /// The header is not well-formed from the left.
    Unclear,
}

/// Compares bit by bit.
pub(super) fn contains(network: &IpNetwork, ip: IpAddr) -> bool {
    let (ours, theirs) = (bits(network.address()), bits(ip));
    let shared = usize::from(network.prefix());
    ours.len() == theirs.len() && ours.get(..shared) == theirs.get(..shared)
}

fn bits(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => format!("{:032b}", ip.to_bits()),
        IpAddr::V6(ip) => format!("{:0128b}", ip.to_bits()),
    }
}

pub(super) fn x_forwarded_for(lines: &[&[u8]], is_trusted: impl Fn(IpAddr) -> bool) -> Named {
    let elements = lines
        .iter()
        .flat_map(|line| line.split(|byte| *byte == b','));
    let read = |element: &[u8]| plain_address(trim(element)).ok_or(NoAddress::Malformed);
    walk(elements.map(read).collect(), is_trusted)
}

pub(super) fn single(lines: &[&[u8]]) -> Named {
    match lines {
        [] => Named::NoHeader,
        [line] => {
            plain_address(trim(line)).map_or(Named::Nobody(NoAddress::Malformed), Named::Client)
        }
        _ => Named::Nobody(NoAddress::Malformed),
    }
}

/// The last of the elements that is not trusted, or else the first of all.
fn walk(elements: Vec<Result<IpAddr, NoAddress>>, is_trusted: impl Fn(IpAddr) -> bool) -> Named {
    let mut named = Named::NoHeader;
    for (count, element) in elements.into_iter().rev().enumerate() {
        match element {
            _ if count == MAX_ELEMENTS => return Named::Nobody(NoAddress::TooManyElements),
            Err(problem) => return Named::Nobody(problem),
            Ok(ip) if !is_trusted(ip) => return Named::Client(ip),
            Ok(ip) => named = Named::Client(ip),
        }
    }
    named
}

fn trim(text: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = text.iter().position(|byte| !is_space(byte));
    let end = text.iter().rposition(|byte| !is_space(byte));
    match (start, end) {
        (Some(start), Some(end)) => text.get(start..=end).unwrap_or_default(),
        _ => &[],
    }
}

/// `IPv4`, `IPv6`, `[IPv6]`, `IPv4:port` or `[IPv6]:port`.
fn plain_address(element: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(element).ok()?;
    if let Ok(ip) = text.parse() {
        return Some(ip);
    }
    let host = match text.rsplit_once(':') {
        Some((host, port)) if is_port(port) => host,
        _ => text,
    };
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    match inner {
        Some(inner) => inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => host.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
    }
}

fn is_port(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.chars().all(|digit| digit.is_ascii_digit())
}

pub(super) fn forwarded(lines: &[&[u8]], is_trusted: impl Fn(IpAddr) -> bool) -> Named {
    let mut elements = Vec::new();
    for line in lines {
        let Some(read) = forwarded_line(line) else {
            return Named::Unclear;
        };
        elements.extend(read);
    }
    walk(elements, is_trusted)
}

/// The elements of a line by the grammar of RFC 7239, section 4, read from the left; none if it does
/// not hold of the whole line.
fn forwarded_line(line: &[u8]) -> Option<Vec<Result<IpAddr, NoAddress>>> {
    let text = str::from_utf8(line).ok()?;
    let mut rest = text;
    let mut elements = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let start = text.len() - rest.len();
        let mut nodes = Vec::new();
        loop {
            let (name, after) = token(rest)?;
            let (value, after) = value(after.strip_prefix('=')?)?;
            if name.eq_ignore_ascii_case("for") {
                nodes.push(value);
            }
            rest = after;
            match rest.strip_prefix(';') {
                Some(after) => rest = after,
                None => break,
            }
        }
        let length = text.len() - rest.len() - start;
        elements.push(match nodes.as_slice() {
            [node] if length <= MAX_ELEMENT => self::node(node),
            _ => Err(NoAddress::Malformed),
        });
        rest = rest.trim_start_matches([' ', '\t']);
        if rest.is_empty() {
            return Some(elements);
        }
        rest = rest.strip_prefix(',')?;
    }
}

fn token(text: &str) -> Option<(&str, &str)> {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let end = text.find(|c| !is_token(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        return token(text).map(|(value, rest)| (value.to_owned(), rest));
    };
    let mut value = String::new();
    let mut characters = quoted.chars();
    loop {
        let mut next = characters.next()?;
        if next == '"' {
            return Some((value, characters.as_str()));
        }
        if next == '\\' {
            next = characters.next()?;
        }
        // No other control may be quoted (RFC 9110, section 5.6.4).
        if next.is_ascii_control() && next != '\t' {
            return None;
        }
        value.push(next);
    }
}

/// RFC 7239, section 6.
fn node(node: &str) -> Result<IpAddr, NoAddress> {
    let (name, port) = match node.rfind(']') {
        Some(end) => node.split_at(end + 1),
        None => node.split_at(node.find(':').unwrap_or(node.len())),
    };
    let is_hidden = |text: &str| {
        text.len() > 1
            && text.starts_with('_')
            && text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    if !port.is_empty() {
        let port = port.strip_prefix(':').ok_or(NoAddress::Malformed)?;
        if !is_port(port) && !is_hidden(port) {
            return Err(NoAddress::Malformed);
        }
    }
    if name.eq_ignore_ascii_case("unknown") || is_hidden(name) {
        return Err(NoAddress::Hidden);
    }
    let inner = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let address = match inner {
        Some(inner) => inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => name.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
    };
    address.ok_or(NoAddress::Malformed)
}
