//! Undoing what servers do to texts that they write into a log.

use std::borrow::Cow;

use memchr::memchr;

/// Undoes escapes that begin with a backslash, of every server at once: nginx writes `\xHH` only;
/// Apache also `\"`, `\\` and the letters of C; Traefik also `\uHHHH`. A backslash that begins none
/// of them stays.
pub(crate) fn backslashes(text: &[u8]) -> Cow<'_, [u8]> {
    match memchr(b'\\', text) {
        None => Cow::Borrowed(text),
        Some(first) => Cow::Owned(without_backslashes(text, first)),
    }
}

fn without_backslashes(text: &[u8], first: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let (plain, mut rest) = text.split_at(first);
    out.extend_from_slice(plain);
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let simple = match after {
            [quote @ (b'"' | b'\\' | b'\''), ..] => Some(*quote),
            [b'n', ..] => Some(b'\n'),
            [b't', ..] => Some(b'\t'),
            [b'r', ..] => Some(b'\r'),
            [b'b', ..] => Some(0x08),
            [b'f', ..] => Some(0x0c),
            [b'v', ..] => Some(0x0b),
            [b'a', ..] => Some(0x07),
            _ => None,
        };
        if let Some(simple) = simple {
            out.push(simple);
            rest = &after[1..];
        } else if let [b'x', high, low, after @ ..] = after
            && let Some(byte) = hex(*high, *low)
        {
            out.push(byte);
            rest = after;
        } else if let Some((character, after)) = unicode(after) {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            rest = after;
        } else {
            out.push(b'\\');
        }
    }
    out
}

/// The character of `uHHHH` or `UHHHHHHHH`, and what follows it.
fn unicode(text: &[u8]) -> Option<(char, &[u8])> {
    let (digits, rest) = match text {
        [b'u', rest @ ..] => rest.split_at_checked(4)?,
        [b'U', rest @ ..] => rest.split_at_checked(8)?,
        _ => return None,
    };
    let code = digits.iter().try_fold(0_u32, |sum, digit| {
        sum.checked_mul(16)?.checked_add(u32::from(nibble(*digit)?))
    })?;
    Some((char::from_u32(code)?, rest))
}

/// Undoes escapes of two hexadecimal digits after a mark: `%20`, `#22`. A mark that begins none
/// stays.
pub(crate) fn marked(text: &[u8], mark: u8) -> Cow<'_, [u8]> {
    let Some(first) = memchr(mark, text) else {
        return Cow::Borrowed(text);
    };
    let mut out = Vec::with_capacity(text.len());
    let (plain, mut rest) = text.split_at(first);
    out.extend_from_slice(plain);
    while let [byte, after @ ..] = rest {
        match after {
            [high, low, after @ ..] if *byte == mark && hex(*high, *low).is_some() => {
                out.extend(hex(*high, *low));
                rest = after;
            }
            _ => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    Cow::Owned(out)
}

fn hex(high: u8, low: u8) -> Option<u8> {
    Some(nibble(high)? << 4 | nibble(low)?)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// A part of a text, borrowed where the text is.
pub(crate) fn part<'l>(text: &Cow<'l, [u8]>, range: std::ops::Range<usize>) -> Cow<'l, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(range).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(range).unwrap_or_default().to_vec()),
    }
}

/// The text, unless it is absent (empty, or `-`) or not UTF-8.
pub(crate) fn present(text: Cow<'_, [u8]>) -> Option<Cow<'_, str>> {
    if matches!(&*text, b"" | b"-") {
        return None;
    }
    match text {
        Cow::Borrowed(text) => std::str::from_utf8(text).ok().map(Cow::Borrowed),
        Cow::Owned(text) => String::from_utf8(text).ok().map(Cow::Owned),
    }
}

/// The text with bytes that are not UTF-8 percent-encoded: paths and queries.
pub(crate) fn percent_encoded(text: Cow<'_, [u8]>) -> Cow<'_, str> {
    let bytes = match text {
        Cow::Borrowed(text) => match std::str::from_utf8(text) {
            Ok(text) => return Cow::Borrowed(text),
            Err(_) => Cow::Borrowed(text),
        },
        Cow::Owned(text) => match String::from_utf8(text) {
            Ok(text) => return Cow::Owned(text),
            Err(error) => Cow::Owned(error.into_bytes()),
        },
    };
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push('%');
            out.push(upper_hex(byte >> 4));
            out.push(upper_hex(byte & 0x0f));
        }
    }
    Cow::Owned(out)
}

fn upper_hex(nibble: u8) -> char {
    char::from(match nibble {
        0..=9 => b'0' + nibble,
        _ => b'A' + nibble - 10,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_every_server_are_undone() {
        for (escaped, plain) in [
            (&br"plain"[..], &b"plain"[..]),
            (br"\x22a\x5Cb", br#""a\b"#),
            (br#"\"q\" \\ \n\t"#, b"\"q\" \\ \n\t"),
            (br"\xc3\xbc \u00fc \U0001F600", "ü ü 😀".as_bytes()),
            (br"\xff\x00", b"\xff\x00"),
        ] {
            assert_eq!(&*backslashes(escaped), plain);
        }
    }

    #[test]
    fn a_backslash_that_escapes_nothing_stays() {
        for text in [
            &br"\"[..],
            br"\x",
            br"\x1",
            br"\xg0",
            br"\q",
            br"\u12",
            br"\ud800",
        ] {
            assert_eq!(&*backslashes(text), text);
        }
    }

    #[test]
    fn a_mark_that_escapes_nothing_stays() {
        assert_eq!(&*marked(b"a%20b%2520%", b'%'), b"a b%20%");
        assert_eq!(&*marked(b"/a#22#2#zz", b'#'), b"/a\"#2#zz");
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_percent_encoded_in_paths() {
        // T25
        let encoded = percent_encoded(Cow::Borrowed(b"/\xfc/\xc3\xbc"));
        assert_eq!(encoded, "/%FC/ü");
        assert_eq!(present(Cow::Borrowed(b"\xfc")), None);
    }
}
