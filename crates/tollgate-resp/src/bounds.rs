//! How much a client may ask for.

/// The most that a command may be. What is longer is a [`ProtocolError`](crate::ProtocolError).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most arguments of a command, its name among them.
    pub arguments: usize,
    /// The most bytes of an argument.
    pub argument: usize,
    /// The most bytes of a command that is a line of text.
    pub line: usize,
    /// The most bytes of a command with all that frames it.
    pub command: usize,
}

impl Default for Bounds {
    /// 1 024 arguments, 16 KiB each, lines of 16 KiB, 64 KiB in all: far more than a limiter is
    /// asked with.
    fn default() -> Self {
        Self {
            arguments: 1_024,
            argument: 16 << 10,
            line: 16 << 10,
            command: 64 << 10,
        }
    }
}
