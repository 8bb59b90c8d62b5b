//! Keys as a report shows them.

use std::fmt::{self, Write as _};
use std::hash::{BuildHasher, RandomState};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The key under which a report hides addresses, users and whatever else keys are made of. The same
/// value has the same hash in all reports that are made with the same key; who has the key can find
/// out which address a hash stands for, and nobody else can.
#[derive(Clone)]
pub struct HidingKey(Vec<u8>);

impl HidingKey {
    /// A key that nobody knows and that is forgotten with this value.
    #[must_use]
    pub fn random() -> Self {
        // The standard library seeds this from the system's source of randomness.
        let numbers = (0..4_u8).map(|number| (number, RandomState::new()));
        let bytes = numbers.flat_map(|(number, random)| random.hash_one(number).to_le_bytes());
        Self(bytes.collect())
    }

    /// A key of one's own, to compare reports by. Take 16 random bytes or more: the addresses there
    /// are can all be tried with a key that can be guessed.
    #[must_use]
    pub fn new(key: impl Into<Vec<u8>>) -> Self {
        Self(key.into())
    }

    /// Stands for a value.
    pub(crate) fn hide(&self, value: &str) -> String {
        // HMAC takes keys of any length; the fallback is never taken.
        let mac = Hmac::<Sha256>::new_from_slice(&self.0);
        let mut mac =
            mac.unwrap_or_else(|_| Hmac::new(&hmac::digest::Key::<Hmac<Sha256>>::default()));
        mac.update(value.as_bytes());
        let mut hidden = String::from("#");
        for byte in mac.finalize().into_bytes().iter().take(8) {
            // Writing to a string never fails.
            let _ = write!(hidden, "{byte:02x}");
        }
        hidden
    }
}

/// Without the key.
impl fmt::Debug for HidingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HidingKey")
    }
}

/// A key as people read it: the values of its parts, decoded, with a comma between them; each hidden
/// if there is a key to hide it by. `name_of` knows the names behind addresses that stand for names.
pub(crate) fn shown(
    key: &str,
    hiding: Option<&HidingKey>,
    name_of: impl Fn(&str) -> Option<String>,
) -> String {
    if key.is_empty() {
        return "everybody".to_owned();
    }
    let values = key.split('&').map(|part| {
        let value = part.split_once('=').map_or(part, |(_, value)| value);
        let value = name_of(value).unwrap_or_else(|| decoded(value));
        hiding.map_or_else(|| value.clone(), |hiding| hiding.hide(&value))
    });
    values.collect::<Vec<_>>().join(", ")
}

/// Undoes the percent-encoding of a key's value, but of characters that nobody sees.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%'
            && let [high, low, after @ ..] = after
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            bytes.push(high * 16 + low);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    let is_seen = |character: &char| {
        !character.is_control() && !tollgate_policy::file::is_invisible(*character)
    };
    if text.chars().all(|character| is_seen(&character)) {
        text.into_owned()
    } else {
        value.to_owned()
    }
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(key: &str) -> String {
        shown(key, None, |_| None)
    }

    #[test]
    fn shows_the_values_and_nothing_that_cannot_be_seen() {
        assert_eq!(plain("client.ip=198.51.100.7"), "198.51.100.7");
        assert_eq!(plain("user=j%C3%BCrgen%20x&route=/a"), "jürgen x, /a");
        assert_eq!(plain("user=a%0Ab"), "a%0Ab");
        assert_eq!(plain("user=a%E2%80%AEb"), "a%E2%80%AEb");
        assert_eq!(plain("user=%FF%"), "\u{fffd}%");
        assert_eq!(plain(""), "everybody");
    }

    #[test]
    fn hides_every_value_under_the_key_alone() {
        let hidden = |key: &HidingKey, text: &str| shown(text, Some(key), |_| None);
        let key = HidingKey::random();
        let first = hidden(&key, "client.ip=198.51.100.7");
        assert_eq!(first, hidden(&key, "user=198.51.100.7"));
        assert!(first.starts_with('#') && first.len() == 17, "{first}");
        let both = hidden(&key, "client.ip=198.51.100.7&path=/a");
        assert!(both.starts_with(&first) && !both.contains("/a"), "{both}");
        assert_ne!(
            first,
            hidden(&HidingKey::random(), "client.ip=198.51.100.7")
        );
        let own = HidingKey::new("a key of one's own");
        assert_eq!(
            hidden(&own, "a=b"),
            hidden(&HidingKey::new("a key of one's own"), "a=b")
        );
        assert!(!format!("{own:?}").contains("one"));
    }
}
