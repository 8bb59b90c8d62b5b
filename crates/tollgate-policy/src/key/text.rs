//! Keys as text.
//!
//! A key is a list of parts, `NAME=VALUE`, joined by `&`. In names and values everything but ASCII
//! letters, digits and `-._~:/@` is percent-encoded. A value that is a secret or would take more
//! than 128 bytes is `#` and its hash in hexadecimal digits; `#` is encoded elsewhere. So keys are
//! printable, of bounded length, and two of them agree exactly if names and values do.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::ops::Range;

use arrayvec::ArrayString;

use super::KeyHasher;
use crate::{AttributeName, IpNetwork};

/// The longest value that stands in a key as it is, in bytes after encoding.
const MAX_VALUE: usize = 128;

/// The keys of one request, one after the other. Ordinary ones take no allocation, and being text
/// all the time they need not be checked to be text at each use.
#[derive(Clone, Debug)]
pub(crate) enum KeyBuffer {
    Short(ArrayString<128>),
    Long(String),
}

/// `NAME=`, encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name(Box<str>);

impl Name {
    pub(super) fn of(attribute: &AttributeName) -> Self {
        let mut buffer = KeyBuffer::default();
        buffer.push_encoded(&attribute.to_string());
        buffer.push("=");
        Self(buffer.as_str().into())
    }
}

impl Default for KeyBuffer {
    fn default() -> Self {
        Self::Short(ArrayString::new_const())
    }
}

impl KeyBuffer {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Short(text) => text,
            Self::Long(text) => text,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.as_str().len()
    }

    /// One of the keys, by its bytes.
    pub(crate) fn key(&self, range: Range<usize>) -> &str {
        self.as_str().get(range).unwrap_or_default()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        match self {
            Self::Short(text) => text.truncate(len),
            Self::Long(text) => text.truncate(len),
        }
    }

    pub(super) fn push_separator(&mut self) {
        self.push("&");
    }

    pub(super) fn push_value(&mut self, name: &Name, value: &str, hasher: &KeyHasher) {
        if encoded_len(value.as_bytes()) > MAX_VALUE {
            self.push_hash(name, value, hasher);
        } else {
            self.push(&name.0);
            self.push_encoded(value);
        }
    }

    pub(super) fn push_hash(&mut self, name: &Name, value: &str, hasher: &KeyHasher) {
        self.push(&name.0);
        self.push("#");
        for byte in hasher.hash(value) {
            self.push_hex(byte, "0123456789abcdef");
        }
    }

    /// An address has only characters that need no encoding.
    pub(super) fn push_network(&mut self, name: &Name, network: IpNetwork) {
        self.push(&name.0);
        match network.address() {
            IpAddr::V4(address) if network.prefix() == 32 => self.push_ipv4(address),
            // Writing to this buffer never fails.
            _ => drop(write!(self, "{network}")),
        }
    }

    /// What formatting writes, without its machinery, which takes longer than all the rest of a
    /// key.
    fn push_ipv4(&mut self, address: Ipv4Addr) {
        let [a, b, c, d] = address.octets();
        for octet in [a, b, c] {
            self.push(octet_and_dot(octet));
        }
        self.push(octet_and_dot(d).trim_end_matches('.'));
    }

    fn push_encoded(&mut self, text: &str) {
        let mut rest = text;
        while let Some(plain) = rest.bytes().position(|byte| !stands(byte)) {
            // What is encoded may be a part of a character, but what stands is a whole one.
            self.push(rest.get(..plain).unwrap_or_default());
            let encoded = rest.get(plain..).and_then(|rest| rest.chars().next());
            let encoded = encoded.map_or(1, char::len_utf8);
            for byte in rest.bytes().skip(plain).take(encoded) {
                self.push("%");
                self.push_hex(byte, "0123456789ABCDEF");
            }
            rest = rest.get(plain + encoded..).unwrap_or_default();
        }
        self.push(rest);
    }

    fn push_hex(&mut self, byte: u8, digits: &str) {
        for digit in [byte >> 4, byte & 15].map(usize::from) {
            self.push(digits.get(digit..=digit).unwrap_or_default());
        }
    }

    #[inline]
    fn push(&mut self, text: &str) {
        match self {
            Self::Short(short) => {
                if short.try_push_str(text).is_err() {
                    self.push_to_long(text);
                }
            }
            Self::Long(long) => long.push_str(text),
        }
    }

    #[cold]
    fn push_to_long(&mut self, text: &str) {
        let mut long = String::with_capacity(2 * (self.len() + text.len()));
        long.push_str(self.as_str());
        long.push_str(text);
        *self = Self::Long(long);
    }
}

impl std::fmt::Write for KeyBuffer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push(text);
        Ok(())
    }
}

/// The octet in decimal digits, and a dot.
fn octet_and_dot(octet: u8) -> &'static str {
    /// `0.__1.__…255.`
    const ALL: [u8; 4 * 256] = {
        let mut all = [b'.'; 4 * 256];
        let mut octet = 0;
        while octet < 256 {
            let digits = [octet / 100, octet / 10 % 10, octet % 10];
            let mut digit = 3 - decimal_len(octet);
            let mut at = 4 * octet;
            while digit < 3 {
                all[at] = b"0123456789"[digits[digit]];
                at += 1;
                digit += 1;
            }
            octet += 1;
        }
        all
    };
    const TEXT: &str = match str::from_utf8(&ALL) {
        Ok(text) => text,
        Err(_) => "",
    };
    let octet = usize::from(octet);
    let start = 4 * octet;
    TEXT.get(start..=start + decimal_len(octet))
        .unwrap_or_default()
}

/// The number of decimal digits of an octet.
const fn decimal_len(octet: usize) -> usize {
    match octet {
        0..10 => 1,
        10..100 => 2,
        _ => 3,
    }
}

fn encoded_len(text: &[u8]) -> usize {
    let encoded = text.iter().filter(|byte| !stands(**byte)).count();
    text.len() + 2 * encoded
}

const fn stands(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':' | b'/' | b'@')
}
