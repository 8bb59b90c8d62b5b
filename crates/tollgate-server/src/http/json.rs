//! Writes JSON into bytes, without anything in between.

use bytes::Bytes;
use tollgate::Micros;

/// JSON that is being written. Whoever writes keeps the order of brackets and commas.
#[derive(Debug)]
pub(super) struct Json(Vec<u8>);

impl Json {
    /// Room for so many bytes, to be exceeded where need be.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// Appends what is JSON as it stands: brackets, commas, names.
    pub(super) fn raw(&mut self, json: &str) -> &mut Self {
        self.0.extend_from_slice(json.as_bytes());
        self
    }

    /// Appends a string (RFC 8259, section 7).
    pub(super) fn string(&mut self, text: &str) -> &mut Self {
        self.0.push(b'"');
        let mut rest = text.as_bytes();
        while let Some(at) = rest.iter().position(|byte| needs_escape(*byte)) {
            let (plain, others) = rest.split_at(at);
            self.0.extend_from_slice(plain);
            if let Some((byte, others)) = others.split_first() {
                self.escape(*byte);
                rest = others;
            }
        }
        self.0.extend_from_slice(rest);
        self.0.push(b'"');
        self
    }

    pub(super) fn integer(&mut self, value: u64) -> &mut Self {
        let mut digits = itoa::Buffer::new();
        self.raw(digits.format(value))
    }

    pub(super) fn bool(&mut self, value: bool) -> &mut Self {
        self.raw(if value { "true" } else { "false" })
    }

    /// Appends a time in seconds, exactly: with as many decimals as it takes, at most six.
    pub(super) fn seconds(&mut self, time: Micros) -> &mut Self {
        let micros = time.as_micros();
        self.integer(micros / 1_000_000);
        let mut fraction = micros % 1_000_000;
        if fraction > 0 {
            self.0.push(b'.');
            let mut unit = 100_000;
            while fraction > 0 {
                let digit = u8::try_from(fraction / unit).unwrap_or_default();
                self.0.push(b'0' + digit);
                fraction %= unit;
                unit /= 10;
            }
        }
        self
    }

    /// Appends what `write` does, or null.
    pub(super) fn optional<T>(
        &mut self,
        value: Option<T>,
        write: impl FnOnce(&mut Self, T) -> &mut Self,
    ) -> &mut Self {
        match value {
            Some(value) => write(self, value),
            None => self.raw("null"),
        }
    }

    pub(super) fn into_bytes(self) -> Bytes {
        self.0.into()
    }

    fn escape(&mut self, byte: u8) {
        const DIGITS: [u8; 16] = *b"0123456789abcdef";
        match byte {
            b'"' | b'\\' => self.0.extend_from_slice(&[b'\\', byte]),
            _ => {
                let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or(b'0');
                self.raw("\\u00");
                self.0.extend([digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
}

/// Which bytes need one.
const ESCAPED: [bool; 256] = {
    let mut escaped = [false; 256];
    let mut byte = 0;
    while byte < b' ' {
        escaped[byte as usize] = true;
        byte += 1;
    }
    escaped[b'"' as usize] = true;
    escaped[b'\\' as usize] = true;
    escaped
};

fn needs_escape(byte: u8) -> bool {
    ESCAPED.get(usize::from(byte)).is_some_and(|it| *it)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Json)) -> String {
        let mut json = Json::with_capacity(0);
        write(&mut json);
        String::from_utf8(json.into_bytes().into()).unwrap()
    }

    #[test]
    fn strings_read_back() {
        for text in [
            "",
            "plain",
            "\"\\\"",
            "a\u{0}b\n\u{1f}",
            "zürich 🚲",
            "\u{7f}",
        ] {
            let json = written(|json| {
                json.string(text);
            });
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }

    #[test]
    fn times_are_exact() {
        for (micros, expected) in [
            (0, "0"),
            (1, "0.000001"),
            (1_000_000, "1"),
            (1_500_000, "1.5"),
            (59_012_340, "59.01234"),
            (u64::MAX, "18446744073709.551615"),
        ] {
            let json = written(|json| {
                json.seconds(Micros::new(micros));
            });
            assert_eq!(json, expected);
        }
    }
}
