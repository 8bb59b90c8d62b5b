//! Who was at the other end.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};

use crate::log::Peer;

/// An address, perhaps in brackets. The zone of an IPv6 address, `fe80::1%eth0`, is dropped: it
/// names an interface of the server, and says nothing about who the client is.
pub(crate) fn address(text: &[u8]) -> Option<IpAddr> {
    if let Some(address) = dotted(text) {
        return Some(address.into());
    }
    // The longest address has 45 characters; a zone and brackets may come on top.
    if text.len() < 2 || text.len() > 100 {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let text = match text.strip_prefix('[') {
        Some(text) => text.strip_suffix(']')?,
        None => text,
    };
    match text.split_once('%') {
        None => text.parse().ok(),
        Some((text, zone)) if !zone.is_empty() => text.parse().ok().filter(IpAddr::is_ipv6),
        Some(_) => None,
    }
}

/// An IPv4 address. The standard library reads the same ones, in thrice the time, and nearly every
/// line has one.
fn dotted(text: &[u8]) -> Option<Ipv4Addr> {
    let mut octets = [0_u8; 4];
    let mut rest = text;
    for (index, octet) in octets.iter_mut().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(b".")?;
        }
        let mut value = 0_u16;
        let mut digits = 0;
        while let [digit @ b'0'..=b'9', after @ ..] = rest {
            if digits == 3 || digits > 0 && value == 0 {
                return None;
            }
            value = value * 10 + u16::from(digit - b'0');
            digits += 1;
            rest = after;
        }
        if digits == 0 {
            return None;
        }
        *octet = u8::try_from(value).ok()?;
    }
    rest.is_empty().then(|| octets.into())
}

/// An address that a port follows, `192.0.2.1:443`, `[2001:db8::1]:443`, or `2001:db8::1:443` as
/// some write it; or one without port.
pub(crate) fn address_and_port(text: &[u8]) -> Option<IpAddr> {
    let split = memchr::memrchr(b':', text).map(|at| (&text[..at], &text[at + 1..]));
    match split {
        Some((before, port)) if super::scan::is_number(port) => {
            address(before).or_else(|| address(text))
        }
        _ => address(text),
    }
}

/// The first field of a log, if it is an address, a host's name, a Unix socket, or absent.
pub(crate) fn peer(text: &[u8]) -> Option<Peer<'_>> {
    match text {
        b"-" => Some(Peer::Unknown),
        b"unix:" | b"unix" => Some(Peer::Unix),
        text => match address(text) {
            Some(address) => Some(Peer::Address(address)),
            None => host_name(text).map(|name| Peer::Name(Cow::Borrowed(name))),
        },
    }
}

/// A host's name, as a server looks it up. A row of digits and dots is none.
fn host_name(text: &[u8]) -> Option<&str> {
    let ends = text.first()?.is_ascii_alphanumeric() && text.len() <= 255;
    let made_of = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let named = ends && text.iter().all(made_of) && text.iter().any(u8::is_ascii_alphabetic);
    if !named {
        return None;
    }
    std::str::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_dropped() {
        // T03
        assert_eq!(address(b"fe80::1%eth0"), "fe80::1".parse().ok());
        assert_eq!(address(b"192.0.2.1%eth0"), None);
    }

    #[test]
    fn a_port_is_not_part_of_an_address() {
        let v6 = "2001:db8::17".parse().ok();
        assert_eq!(address_and_port(b"192.0.2.1:443"), "192.0.2.1".parse().ok());
        assert_eq!(address_and_port(b"192.0.2.1"), "192.0.2.1".parse().ok());
        assert_eq!(address_and_port(b"[2001:db8::17]:48160"), v6);
        assert_eq!(address_and_port(b"2001:db8::17:48160"), v6);
        assert_eq!(address_and_port(b"[2001:db8::17]"), v6);
        assert_eq!(
            address_and_port(b"fe80::1%eth0:443"),
            "fe80::1".parse().ok()
        );
        assert_eq!(address_and_port(b"host:443"), None);
    }

    #[test]
    fn a_name_is_a_peer_and_rubbish_is_none() {
        // T27
        let name = Peer::Name("dyn-5.example.net".into());
        assert_eq!(peer(b"dyn-5.example.net"), Some(name));
        assert_eq!(peer(b"unix:"), Some(Peer::Unix));
        assert_eq!(peer(b"-"), Some(Peer::Unknown));
        for wrong in ["$a", "256.1.1.1", "", "a/b", "-x", "\u{fc}"] {
            assert_eq!(peer(wrong.as_bytes()), None, "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn ipv4_addresses_are_those_of_the_standard_library(
            text in "[0-9]{0,4}(\\.[0-9]{1,3}){2,4}|[0-2]?[0-9]?[0-9](\\.(0|[1-9][0-9]?)){3}\\.?",
        ) {
            proptest::prop_assert_eq!(dotted(text.as_bytes()), text.parse().ok());
        }
    }
}
