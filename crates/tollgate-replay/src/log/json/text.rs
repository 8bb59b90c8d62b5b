//! Texts of JSON, as they are written.

use std::borrow::Cow;
use std::str;

/// A text between its quotes, its escapes not undone yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'l> {
    pub(crate) raw: &'l [u8],
    pub(super) escaped: bool,
}

impl<'l> Text<'l> {
    /// True if it is this text.
    pub(crate) fn is(self, other: &str) -> bool {
        if self.escaped {
            *self.bytes() == *other.as_bytes()
        } else {
            self.raw == other.as_bytes()
        }
    }

    /// Its bytes, which may not be UTF-8.
    pub(crate) fn bytes(self) -> Cow<'l, [u8]> {
        if self.escaped {
            Cow::Owned(unescaped(self.raw))
        } else {
            Cow::Borrowed(self.raw)
        }
    }

    /// The text, if it is UTF-8.
    pub(crate) fn to_str(self) -> Option<Cow<'l, str>> {
        match self.bytes() {
            Cow::Borrowed(bytes) => str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
        }
    }
}

/// Undoes `\n`, `\u00fc` and the like, and `\xfc`, which is a byte. Half a surrogate pair becomes bytes
/// that are not UTF-8; what is no escape stays as it is.
pub(crate) fn unescaped(raw: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let [escape, after @ ..] = rest else {
            bytes.push(b'\\');
            break;
        };
        rest = after;
        match escape {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'"' | b'\\' | b'/' => bytes.push(*escape),
            b'x' => {
                match hex(rest, 2).and_then(|(byte, rest)| Some((u8::try_from(byte).ok()?, rest))) {
                    Some((byte, after)) => {
                        bytes.push(byte);
                        rest = after;
                    }
                    None => bytes.extend_from_slice(b"\\x"),
                }
            }
            b'u' => match hex(rest, 4) {
                Some((unit, after)) => rest = push_unit(unit, after, &mut bytes),
                None => bytes.extend_from_slice(b"\\u"),
            },
            other => bytes.extend_from_slice(&[b'\\', *other]),
        }
    }
    bytes
}

/// Writes the character of a unit of UTF-16, with the unit that follows if they are a pair.
fn push_unit<'r>(unit: u32, rest: &'r [u8], bytes: &mut Vec<u8>) -> &'r [u8] {
    if let Some(c) = char::from_u32(unit) {
        push_char(c, bytes);
        return rest;
    }
    let second = rest.strip_prefix(b"\\u").and_then(|rest| hex(rest, 4));
    if let (0xd800..=0xdbff, Some((low @ 0xdc00..=0xdfff, rest))) = (unit, second)
        && let Some(c) = char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
    {
        push_char(c, bytes);
        return rest;
    }
    // The byte that begins every surrogate, alone: the text is not UTF-8, as it should not be.
    bytes.push(0xed);
    rest
}

fn push_char(c: char, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The number of so many hexadecimal digits, and what follows them.
fn hex(text: &[u8], digits: usize) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(digits)?;
    let mut number = 0;
    for digit in digits {
        number = number * 16 + char::from(*digit).to_digit(16)?;
    }
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(raw: &str) -> Option<String> {
        let text = Text {
            raw: raw.as_bytes(),
            escaped: true,
        };
        text.to_str().map(Cow::into_owned)
    }

    #[test]
    fn undoes_every_escape() {
        let undone = text(r#"a\"\\\/\b\f\n\r\tz\u00fc\ud83d\ude00"#);
        assert_eq!(undone.unwrap(), "a\"\\/\u{8}\u{c}\n\r\tzü😀");
        assert_eq!(text(r"\x22\xC3\xBC").unwrap(), "\"ü");
    }

    #[test]
    fn what_is_not_utf8_is_no_text() {
        for raw in [r"\xff", r"a\ud83d", r"\ud83d\u0041", r"\ude00\ud83d"] {
            assert_eq!(text(raw), None, "{raw}");
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        for raw in [r"\q", r"\x2", r"\xzz", r"\u12", r"\u00g0", r"end\"] {
            assert_eq!(text(raw).as_deref(), Some(raw));
        }
    }
}
