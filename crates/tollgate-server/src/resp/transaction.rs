//! Commands that wait for `EXEC`.

use tollgate_resp::{Command, encode};

/// What a client has sent since `MULTI`.
///
/// Nothing of it is done before `EXEC`, and what is kept of it is bounded.
#[derive(Debug, Default)]
pub(super) struct Transaction {
    /// The commands, one behind the other, as clients send them.
    bytes: Vec<u8>,
    commands: usize,
    /// True once a command could not be queued: then none is run.
    is_aborted: bool,
}

/// The transaction has as much as one may have.
pub(super) struct Full;

impl Transaction {
    /// The most commands, and the most bytes of them.
    pub(super) const MAX_COMMANDS: usize = 1_024;
    pub(super) const MAX_BYTES: usize = 128 << 10;

    /// Keeps a command. Where nothing will be run, it keeps nothing.
    pub(super) fn queue(&mut self, command: &Command<'_>) -> Result<(), Full> {
        if self.is_aborted {
            return Ok(());
        }
        let arguments: Vec<&[u8]> = command.from(0).collect();
        let encoded = encode(&arguments);
        if self.commands == Self::MAX_COMMANDS || self.bytes.len() + encoded.len() > Self::MAX_BYTES
        {
            return Err(Full);
        }
        self.bytes.extend(encoded);
        self.commands += 1;
        Ok(())
    }

    /// Has nothing run, and keeps nothing any more.
    pub(super) fn abort(&mut self) {
        *self = Self {
            is_aborted: true,
            ..Self::default()
        };
    }

    pub(super) const fn is_aborted(&self) -> bool {
        self.is_aborted
    }

    pub(super) const fn commands(&self) -> usize {
        self.commands
    }

    /// The commands, to be parsed and run.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
