//! From answers to bytes.

/// How answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// As all clients read them.
    #[default]
    Resp2,
    /// With maps, sets and a null of its own: for clients that have said `HELLO 3`.
    Resp3,
}

/// The longest text of an error, in bytes.
const MAX_ERROR: usize = 512;

/// Answers, one after the other, on their way to a client.
#[derive(Debug, Default)]
pub struct Replies {
    bytes: Vec<u8>,
    version: Version,
}

impl Replies {
    /// No answer yet.
    #[must_use]
    pub const fn new(version: Version) -> Self {
        Self {
            bytes: Vec::new(),
            version,
        }
    }

    /// How answers are written.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// How answers are written from now on.
    pub const fn set_version(&mut self, version: Version) {
        self.version = version;
    }

    /// All that was written.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets what was written, and keeps up to `kept` bytes of room for what will be.
    pub fn clear(&mut self, kept: usize) {
        self.bytes.clear();
        self.bytes.shrink_to(kept);
    }

    /// Answers that are written already.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A word, as `OK`: one that has no line break in it.
    pub fn simple(&mut self, word: &'static str) {
        self.bytes.push(b'+');
        self.bytes.extend_from_slice(word.as_bytes());
        self.end_line();
    }

    /// An error: a code and a text. What would end the line, or is not printable, becomes a space,
    /// and the text is cut if it is long, since a client may have chosen it.
    pub fn error(&mut self, text: &str) {
        self.bytes.push(b'-');
        let cut = text.floor_char_boundary(MAX_ERROR);
        for character in text.get(..cut).unwrap_or_default().chars() {
            let shown = if character.is_control() {
                ' '
            } else {
                character
            };
            let mut buffer = [0; 4];
            let shown = shown.encode_utf8(&mut buffer);
            self.bytes.extend_from_slice(shown.as_bytes());
        }
        self.end_line();
    }

    /// An integer.
    pub fn integer(&mut self, number: i64) {
        self.line(b':', number);
    }

    /// A string of any bytes.
    pub fn bulk(&mut self, bytes: &[u8]) {
        self.length(b'$', bytes.len());
        self.bytes.extend_from_slice(bytes);
        self.end_line();
    }

    /// A text, marked as one where the client can tell.
    pub fn text(&mut self, text: &str) {
        match self.version {
            Version::Resp2 => self.bulk(text.as_bytes()),
            Version::Resp3 => {
                self.length(b'=', text.len() + 4);
                self.bytes.extend_from_slice(b"txt:");
                self.bytes.extend_from_slice(text.as_bytes());
                self.end_line();
            }
        }
    }

    /// Nothing, where there might have been a string.
    pub fn null(&mut self) {
        self.bytes.extend_from_slice(match self.version {
            Version::Resp2 => b"$-1\r\n",
            Version::Resp3 => b"_\r\n",
        });
    }

    /// Yes or no; 1 or 0 where the client knows no better.
    pub fn boolean(&mut self, value: bool) {
        self.bytes.extend_from_slice(match (self.version, value) {
            (Version::Resp2, true) => b":1\r\n",
            (Version::Resp2, false) => b":0\r\n",
            (Version::Resp3, true) => b"#t\r\n",
            (Version::Resp3, false) => b"#f\r\n",
        });
    }

    /// Begins an array of so many answers.
    pub fn array(&mut self, length: usize) {
        self.length(b'*', length);
    }

    /// Begins a set of so many answers.
    pub fn set(&mut self, length: usize) {
        match self.version {
            Version::Resp2 => self.array(length),
            Version::Resp3 => self.length(b'~', length),
        }
    }

    /// Begins a map of so many pairs of answers, a name and a value each; an array of twice as many
    /// answers where the client knows no maps.
    pub fn map(&mut self, pairs: usize) {
        match self.version {
            Version::Resp2 => self.array(pairs * 2),
            Version::Resp3 => self.length(b'%', pairs),
        }
    }

    fn length(&mut self, kind: u8, length: usize) {
        self.line(kind, length);
    }

    fn line(&mut self, kind: u8, number: impl itoa::Integer) {
        self.bytes.push(kind);
        let mut digits = itoa::Buffer::new();
        self.bytes
            .extend_from_slice(digits.format(number).as_bytes());
        self.end_line();
    }

    fn end_line(&mut self) {
        self.bytes.extend_from_slice(b"\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(version: Version, write: impl FnOnce(&mut Replies)) -> String {
        let mut replies = Replies::new(version);
        write(&mut replies);
        String::from_utf8(replies.bytes().to_vec()).unwrap()
    }

    #[test]
    fn answers_are_written_as_their_version_says() {
        let write = |replies: &mut Replies| {
            replies.simple("OK");
            replies.integer(i64::MIN);
            replies.bulk(b"a\r\nb");
            replies.null();
            replies.boolean(true);
            replies.text("t");
            replies.array(0);
            replies.set(1);
            replies.map(2);
        };
        assert_eq!(
            written(Version::Resp2, write),
            "+OK\r\n:-9223372036854775808\r\n$4\r\na\r\nb\r\n$-1\r\n:1\r\n$1\r\nt\r\n*0\r\n*1\r\n*4\r\n"
        );
        assert_eq!(
            written(Version::Resp3, write),
            "+OK\r\n:-9223372036854775808\r\n$4\r\na\r\nb\r\n_\r\n#t\r\n=5\r\ntxt:t\r\n*0\r\n~1\r\n%2\r\n"
        );
    }

    #[test]
    fn an_error_is_one_line_of_bounded_length_whatever_is_in_it() {
        let error = |text: &str| written(Version::Resp2, |replies| replies.error(text));
        assert_eq!(error("ERR a\r\nb\0c\u{85}"), "-ERR a  b c \r\n");
        let long = error(&"é".repeat(1_000));
        assert_eq!(long.len(), MAX_ERROR + 3);
        assert!(long.ends_with("é\r\n"));
    }
}
