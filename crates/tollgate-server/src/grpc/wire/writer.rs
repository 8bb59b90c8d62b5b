//! Writes the fields of a message.

/// The bytes of the flag and the length before a message (gRPC over HTTP/2, `Length-Prefixed-Message`).
pub(in crate::grpc) const PREFIX: usize = 5;
/// The room for an answer at first: most need no more.
const ROOM: usize = 512;

/// A message that is being written, with room for its prefix before it. A field that has its
/// default is left out unless the method says otherwise.
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn new() -> Self {
        let mut bytes = Vec::with_capacity(ROOM);
        bytes.extend_from_slice(&[0; PREFIX]);
        Self(bytes)
    }

    /// The message with its prefix.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // An answer is far shorter than 4 GiB.
        let length = u32::try_from(self.0.len() - PREFIX).unwrap_or(u32::MAX);
        if let Some(room) = self.0.get_mut(1..PREFIX) {
            room.copy_from_slice(&length.to_be_bytes());
        }
        self.0
    }

    /// A number that is not negative.
    pub(super) fn number(&mut self, tag: u8, number: u64) {
        if number != 0 {
            self.number_always(tag, number);
        }
    }

    pub(super) fn number_always(&mut self, tag: u8, number: u64) {
        self.0.push(tag << 3);
        self.varint(number);
    }

    pub(super) fn double_always(&mut self, tag: u8, number: f64) {
        self.0.push(tag << 3 | 1);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, tag: u8, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.bytes_always(tag, bytes);
        }
    }

    pub(super) fn bytes_always(&mut self, tag: u8, bytes: &[u8]) {
        self.0.push(tag << 3 | 2);
        self.varint(wide(bytes.len()));
        self.raw(bytes);
    }

    /// A message, or a text in parts, which is written by `inside`; also if that writes nothing.
    pub(super) fn nested(&mut self, tag: u8, inside: impl FnOnce(&mut Self)) {
        self.0.push(tag << 3 | 2);
        let start = self.0.len();
        // Nearly all are short, and their length has one byte.
        self.0.push(0);
        inside(self);
        let length = self.0.len() - start - 1;
        match (u8::try_from(length), self.0.get_mut(start)) {
            (Ok(length @ ..0x80), Some(room)) => *room = length,
            _ => {
                let end = self.0.len();
                self.varint(wide(length));
                let prefix: Vec<u8> = self.0.drain(end..).collect();
                self.0.splice(start..=start, prefix);
            }
        }
    }

    /// Bytes without anything before them.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            let [low, ..] = number.to_le_bytes();
            self.0.push(low | 0x80);
            number >>= 7;
        }
        let [low, ..] = number.to_le_bytes();
        self.0.push(low);
    }
}

fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
