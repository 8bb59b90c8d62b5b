//! Keys as text.
//!
//! A key is a list of parts, `NAME=VALUE`, joined by `&`. In names and values everything but ASCII
//! letters, digits and `-._~:/@` is percent-encoded. A value that is a secret or would take more
//! than 128 bytes is `#` and its hash in hexadecimal digits; `#` is encoded elsewhere. So keys are
//! printable, of bounded length, and two of them agree exactly if names and values do.

use std::fmt::Write as _;
use std::ops::Range;

use smallvec::SmallVec;

use super::KeyHasher;
use crate::{AttributeName, IpNetwork};

/// The longest value that stands in a key as it is, in bytes after encoding.
const MAX_VALUE: usize = 128;

/// The keys of one request, one after the other. Ordinary ones take no allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyBuffer(SmallVec<[u8; 128]>);

/// `NAME=`, encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name(Box<[u8]>);

impl Name {
    pub(super) fn of(attribute: &AttributeName) -> Self {
        let mut buffer = KeyBuffer::default();
        buffer.push_encoded(attribute.to_string().as_bytes());
        buffer.0.push(b'=');
        Self(buffer.0.into_boxed_slice())
    }
}

impl KeyBuffer {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// One of the keys, by its bytes.
    pub(crate) fn key(&self, range: Range<usize>) -> &str {
        let key = self.0.get(range).unwrap_or_default();
        // Keys are ASCII.
        str::from_utf8(key).unwrap_or_default()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    pub(super) fn push_separator(&mut self) {
        self.0.push(b'&');
    }

    pub(super) fn push_value(&mut self, name: &Name, value: &str, hasher: &KeyHasher) {
        if encoded_len(value.as_bytes()) > MAX_VALUE {
            self.push_hash(name, value, hasher);
        } else {
            self.0.extend_from_slice(&name.0);
            self.push_encoded(value.as_bytes());
        }
    }

    pub(super) fn push_hash(&mut self, name: &Name, value: &str, hasher: &KeyHasher) {
        self.0.extend_from_slice(&name.0);
        self.0.push(b'#');
        for byte in hasher.hash(value) {
            self.push_hex(byte, *b"0123456789abcdef");
        }
    }

    /// An address has only characters that need no encoding.
    pub(super) fn push_network(&mut self, name: &Name, network: IpNetwork) {
        self.0.extend_from_slice(&name.0);
        // Writing to this buffer never fails.
        let _ = write!(self, "{network}");
    }

    fn push_encoded(&mut self, text: &[u8]) {
        if text.iter().all(|byte| stands(*byte)) {
            self.0.extend_from_slice(text);
            return;
        }
        for &byte in text {
            if stands(byte) {
                self.0.push(byte);
            } else {
                self.0.push(b'%');
                self.push_hex(byte, *b"0123456789ABCDEF");
            }
        }
    }

    fn push_hex(&mut self, byte: u8, digits: [u8; 16]) {
        let [high, low] = [byte >> 4, byte & 15].map(usize::from);
        self.0.push(digits[high]);
        self.0.push(digits[low]);
    }
}

impl std::fmt::Write for KeyBuffer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

fn encoded_len(text: &[u8]) -> usize {
    let encoded = text.iter().filter(|byte| !stands(**byte)).count();
    text.len() + 2 * encoded
}

const fn stands(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':' | b'/' | b'@')
}
