//! A command, and its bytes.

use std::ops::Range;

/// A command that has arrived: its arguments, the name first. One without arguments, such as an empty
/// line, asks for nothing and gets no answer.
#[derive(Clone, Copy, Debug)]
pub struct Command<'p> {
    /// Where the arguments are.
    pub(crate) bytes: &'p [u8],
    pub(crate) arguments: &'p [Range<usize>],
    pub(crate) length: usize,
}

impl<'p> Command<'p> {
    /// How many arguments there are, with the name.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.arguments.len()
    }

    /// True if there is not even a name.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.arguments.is_empty()
    }

    /// An argument by its position; the name is at 0.
    #[must_use]
    pub fn get(&self, position: usize) -> Option<&'p [u8]> {
        let range = self.arguments.get(position)?;
        self.bytes.get(range.clone())
    }

    /// All arguments from a position on.
    pub fn from(&self, position: usize) -> impl ExactSizeIterator<Item = &'p [u8]> + use<'p> {
        let (bytes, arguments) = (self.bytes, self.arguments);
        let arguments = arguments.get(position..).unwrap_or_default();
        arguments
            .iter()
            .map(|range| bytes.get(range.clone()).unwrap_or_default())
    }

    /// How many bytes of what was read it takes: the next command begins after them.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.length
    }
}

/// The bytes of a command, as clients send them.
pub fn encode<A: AsRef<[u8]>>(arguments: &[A]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut push_line = |prefix: u8, number: usize, body: Option<&[u8]>| {
        bytes.push(prefix);
        bytes.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        bytes.extend_from_slice(b"\r\n");
        if let Some(body) = body {
            bytes.extend_from_slice(body);
            bytes.extend_from_slice(b"\r\n");
        }
    };
    push_line(b'*', arguments.len(), None);
    for argument in arguments {
        let argument = argument.as_ref();
        push_line(b'$', argument.len(), Some(argument));
    }
    bytes
}
