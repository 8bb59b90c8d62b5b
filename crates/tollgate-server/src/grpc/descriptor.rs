//! A descriptor as policies see it.

use std::borrow::Cow;
use std::net::IpAddr;

use smallvec::SmallVec;
use tollgate_policy::{AttributeName, Attributes, ClientAddress, ClientIdentity, normalize_path};
use tonic::Status;

use super::bounds;
use super::wire;
use crate::attributes::{is_path, parameter_of};

/// The attribute whose value stands for all of a descriptor: what a limit that comes with a
/// descriptor is counted by. Its name says that it is a secret, since there may be secrets in it, so
/// that a store sees only a hash of it.
pub(super) const WHOLE: &str = "descriptor.secret";

/// The entry in which Envoy sends the client's address.
const REMOTE_ADDRESS: &str = "remote_address";
const CLIENT_IP: &str = "client.ip";

/// A descriptor: its entries as attributes, and `domain`.
pub(super) struct Descriptor<'m> {
    domain: &'m str,
    entries: SmallVec<[(&'m str, &'m [u8]); 4]>,
    client: Option<ClientAddress>,
}

impl<'m> Descriptor<'m> {
    /// Reads the descriptor at a position of the call.
    pub(super) fn read(
        domain: &'m str,
        position: usize,
        descriptor: &wire::Descriptor<'m>,
        identity: &ClientIdentity,
    ) -> Result<Self, Status> {
        bounds::check_entries(position, descriptor.entries.len())?;
        let mut entries = SmallVec::with_capacity(descriptor.entries.len());
        for (index, (key, value)) in descriptor.entries.iter().enumerate() {
            let what = || format!("descriptors[{position}].entries[{index}].key");
            let key = bounds::name(key, what)?;
            bounds::check_value(position, index, value)?;
            entries.push((key, *value));
        }
        let mut read = Self {
            domain,
            entries,
            client: None,
        };
        if let Some(index) = read.address() {
            let ip = read.ip(index).ok_or_else(|| no_address(position, index))?;
            read.client = Some(identity.client_at(ip));
        }
        Ok(read)
    }

    /// The position of the entry that names the client: of `client.ip`, else of `remote_address`.
    /// An empty value is none.
    fn address(&self) -> Option<usize> {
        let position = |name| {
            let mut entries = self.entries.iter();
            entries.position(|(key, value)| *key == name && !value.is_empty())
        };
        position(CLIENT_IP).or_else(|| position(REMOTE_ADDRESS))
    }

    fn ip(&self, index: usize) -> Option<IpAddr> {
        let (_, value) = self.entries.get(index)?;
        std::str::from_utf8(value).ok()?.parse().ok()
    }

    /// The value of the first entry of a key.
    fn first(&self, name: &str) -> Option<&'m [u8]> {
        self.find(0, |key| key == name)
    }

    /// The value of the entry after `skipped` others of a key.
    fn find(&self, skipped: usize, is_it: impl Fn(&str) -> bool) -> Option<&'m [u8]> {
        let found = self.entries.iter().filter(|(key, _)| is_it(key));
        found.map(|(_, value)| *value).nth(skipped)
    }

    /// The entry of a parameter of the query.
    fn parameter(&self, name: &str) -> Option<&'m [u8]> {
        self.find(0, |key| key.strip_prefix("query.") == Some(name))
    }

    fn parameter_of_path(&self, name: &str) -> Option<Cow<'m, str>> {
        match path(self.first("path")?) {
            Cow::Borrowed(path) => parameter_of(path, name),
            Cow::Owned(path) => parameter_of(&path, name).map(|value| value.into_owned().into()),
        }
    }

    /// Whether there is an entry `path` that cannot be the path of a request, which no policy matches.
    pub(super) fn has_no_path(&self) -> bool {
        self.first("path").is_some_and(|path| !is_path(path))
    }

    /// `NAME`, or of an entry that is not the first of its key, `NAME.2`, `NAME.3` and so on.
    fn named(&self, name: &str) -> Option<&'m [u8]> {
        self.first(name).or_else(|| {
            let (name, number) = name.rsplit_once('.')?;
            let number: usize = number.parse().ok().filter(|number| *number > 1)?;
            self.find(number - 1, |key| key == name)
        })
    }

    /// All of it in one text, so that no two that differ in meaning have the same: addresses and
    /// paths in the form in which they are compared.
    fn whole(&self) -> String {
        let mut whole = String::new();
        push_part(&mut whole, self.domain.as_bytes());
        let address = self.address();
        for (index, (key, value)) in self.entries.iter().enumerate() {
            push_part(&mut whole, key.as_bytes());
            match (*key, self.client) {
                (_, Some(client)) if address == Some(index) => {
                    push_part(&mut whole, client.network().to_string().as_bytes());
                }
                ("path", _) => {
                    let path = path(value);
                    push_part(&mut whole, normalize_path(&path).as_bytes());
                }
                _ => push_part(&mut whole, value),
            }
        }
        whole
    }
}

impl Attributes for Descriptor<'_> {
    fn attribute(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        // What is not UTF-8 is none, rather than a changed one, which another may be changed into.
        let value = match name {
            AttributeName::Path => return self.first("path").map(path),
            AttributeName::Method => self.first("method"),
            AttributeName::Route => self.first("route"),
            AttributeName::Host => self.first("host"),
            AttributeName::Query(name) => match self.parameter(name) {
                None => return self.parameter_of_path(name),
                given => given,
            },
            AttributeName::Header(field) => self.find(0, |key| {
                let key = key.strip_prefix("header.");
                key.is_some_and(|key| key.eq_ignore_ascii_case(field))
            }),
            AttributeName::Other(name) => match &**name {
                // Not an entry's, which could claim to be of another domain.
                "domain" => return Some(Cow::Borrowed(self.domain)),
                WHOLE => return Some(Cow::Owned(self.whole())),
                name => self.named(name),
            },
            _ => None,
        };
        std::str::from_utf8(value?).ok().map(Cow::Borrowed)
    }

    fn client(&self) -> Option<ClientAddress> {
        self.client
    }
}

#[cold]
fn no_address(position: usize, index: usize) -> Status {
    Status::invalid_argument(format!(
        "descriptors[{position}].entries[{index}]: the value of `{CLIENT_IP}` or `{REMOTE_ADDRESS}` \
         is no IP address; send one without a port, such as 192.0.2.7 or 2001:db8::1"
    ))
}

/// A path whose bytes that are not UTF-8 are encoded as they are compared.
fn path(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 16);
    push_text(&mut text, bytes);
    Cow::Owned(text)
}

/// Appends a part with its length before it.
fn push_part(whole: &mut String, bytes: &[u8]) {
    whole.push_str(&bytes.len().to_string());
    whole.push(':');
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('%') => whole.push_str(text),
        _ => {
            for piece in bytes.split_inclusive(|byte| *byte == b'%') {
                let (text, escape) = match piece.strip_suffix(b"%") {
                    Some(text) => (text, "%25"),
                    None => (piece, ""),
                };
                push_text(whole, text);
                whole.push_str(escape);
            }
        }
    }
}

/// Appends text, and each byte that is not UTF-8 as `%` and two digits.
fn push_text(text: &mut String, bytes: &[u8]) {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F',
    ];
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let [high, low] = [byte >> 4, byte & 15].map(usize::from);
            text.extend(['%', DIGITS[high], DIGITS[low]]);
        }
    }
}

#[cfg(test)]
mod tests;
