//! A message that arrives.

use bytes::Bytes;
use tonic::Status;

use crate::grpc::bounds;
use crate::grpc::services::no_memory;
use crate::memory::{Exhausted, Held, UNFINISHED};

/// The bytes before a message: whether it is compressed, and its length.
pub(super) const PREFIX: usize = 5;

/// What has come of a message, with its prefix.
#[derive(Debug, Default)]
pub(super) enum Message {
    #[default]
    Nothing,
    /// Nearly always this is all of it.
    Piece(Bytes),
    /// A copy: pieces hold the memory that they were read into, however short they are.
    Gathered(Vec<u8>),
}

impl Message {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Nothing => &[],
            Self::Piece(piece) => piece,
            Self::Gathered(bytes) => bytes,
        }
    }

    pub(super) fn into_bytes(self) -> Bytes {
        match self {
            Self::Nothing => Bytes::new(),
            Self::Piece(piece) => piece,
            Self::Gathered(bytes) => bytes.into(),
        }
    }

    /// Takes another piece.
    ///
    /// # Errors
    ///
    /// The message is longer than messages are, or there is no memory for it.
    pub(super) fn add(&mut self, piece: Bytes, held: &Held) -> Result<(), Status> {
        let announced = match self {
            Self::Nothing => {
                let announced = announced(&piece);
                *self = Self::Piece(piece);
                announced
            }
            Self::Piece(_) | Self::Gathered(_) => {
                self.gather(&piece, held).map_err(no_memory)?;
                announced(self.bytes())
            }
        };
        let longest = self.bytes().len().saturating_sub(PREFIX);
        match announced.unwrap_or_default().max(longest) {
            ..=bounds::MESSAGE => Ok(()),
            length => Err(Status::out_of_range(format!(
                "the message has {length} bytes or more, the limit is: {} bytes",
                bounds::MESSAGE
            ))),
        }
    }

    /// What is there has to wait for the rest.
    ///
    /// # Errors
    ///
    /// There is no memory for it.
    pub(super) fn wait(&mut self, held: &Held) -> Result<(), Status> {
        match self {
            Self::Gathered(_) => Ok(()),
            Self::Nothing | Self::Piece(_) => self.gather(&[], held).map_err(no_memory),
        }
    }

    /// All of it is there.
    pub(super) fn arrived(&self, held: &Held) {
        if matches!(self, Self::Gathered(_)) {
            held.shrink(UNFINISHED);
        }
    }

    fn gather(&mut self, more: &[u8], held: &Held) -> Result<(), Exhausted> {
        let mut bytes = match std::mem::take(self) {
            Self::Gathered(bytes) => bytes,
            begun => {
                let begun = begun.into_bytes();
                held.grow(UNFINISHED + begun.len())?;
                begun.to_vec()
            }
        };
        let room = bytes.capacity() - bytes.len();
        if room < more.len() {
            // Twice as much, as a vector grows by itself, but not unseen, and no more than is to come.
            let to_come = announced(&bytes).map_or(0, |length| {
                (PREFIX + length).saturating_sub(bytes.capacity())
            });
            let needed = more.len().max(bytes.capacity().min(to_come));
            held.grow(needed)?;
            bytes.reserve_exact(room + needed);
        }
        bytes.extend_from_slice(more);
        *self = Self::Gathered(bytes);
        Ok(())
    }
}

/// The length that a message says it has, once that has come.
fn announced(begin: &[u8]) -> Option<usize> {
    let (_, rest) = begin.split_first()?;
    let length = rest.first_chunk()?;
    usize::try_from(u32::from_be_bytes(*length)).ok()
}
