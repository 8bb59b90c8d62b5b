//! The elements of a list, from the right, and the address in one of `X-Forwarded-For`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::NoAddress;

/// The longest element that is looked at. An address with a port takes 47 bytes; the parameters
/// of `Forwarded` take more.
const MAX_ELEMENT: usize = 1024;

/// Splits the last element from a list: what stands before its comma, if there is one, and itself.
pub(super) type Split = fn(&[u8]) -> (Option<&[u8]>, &[u8]);

/// The elements of one line from the right to the left, without the white space around them. An
/// empty line has one element, which is empty.
pub(super) struct Elements<'h> {
    rest: Option<&'h [u8]>,
    split: Split,
}

impl<'h> Elements<'h> {
    pub(super) const fn new(line: &'h [u8], split: Split) -> Self {
        Self {
            rest: Some(line),
            split,
        }
    }
}

impl<'h> Iterator for Elements<'h> {
    type Item = &'h [u8];

    fn next(&mut self) -> Option<Self::Item> {
        let (rest, element) = (self.split)(self.rest?);
        self.rest = rest;
        Some(trim(element))
    }
}

/// Splits at the last comma.
pub(super) fn split_plain(list: &[u8]) -> (Option<&[u8]>, &[u8]) {
    split_at_comma(list, list.iter().rposition(|byte| *byte == b','))
}

pub(super) fn split_at_comma(list: &[u8], comma: Option<usize>) -> (Option<&[u8]>, &[u8]) {
    match comma.and_then(|comma| list.split_at_checked(comma)) {
        Some((rest, [_, element @ ..])) => (Some(rest), element),
        _ => (None, list),
    }
}

/// Cuts off optional white space (RFC 9110, section 5.6.3).
pub(super) const fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

/// Reads an address, with or without a port or brackets.
pub(super) fn x_forwarded_for(element: &[u8]) -> Result<IpAddr, NoAddress> {
    let text = text(element)?;
    let address = if let Some(bracketed) = text.strip_prefix('[') {
        bracketed
            .split_once(']')
            .filter(|(_, port)| port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
            .and_then(|(address, _)| address.parse::<Ipv6Addr>().ok())
            .map(IpAddr::V6)
    } else if let Ok(address) = text.parse() {
        Some(address)
    } else {
        text.split_once(':')
            .filter(|(_, port)| is_port(port))
            .and_then(|(address, _)| address.parse::<Ipv4Addr>().ok())
            .map(IpAddr::V4)
    };
    address.ok_or(NoAddress::Malformed)
}

/// The text of an element, if it is short enough to be one.
pub(super) fn text(element: &[u8]) -> Result<&str, NoAddress> {
    if element.len() > MAX_ELEMENT {
        return Err(NoAddress::Malformed);
    }
    str::from_utf8(element).map_err(|_| NoAddress::Malformed)
}

/// One to five digits (RFC 7239, section 6).
pub(super) fn is_port(text: &str) -> bool {
    matches!(text.len(), 1..=5) && text.bytes().all(|byte| byte.is_ascii_digit())
}
