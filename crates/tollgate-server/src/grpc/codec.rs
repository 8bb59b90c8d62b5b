//! How messages are encoded.

use std::marker::PhantomData;

use prost::Message;
use tonic::codec::{BufferSettings, Codec};
use tonic_prost::{ProstCodec, ProstDecoder, ProstEncoder};

/// The room for a message at first: most need no more. tonic's own codec takes 8 KiB for each,
/// both ways.
const ROOM: usize = 512;
/// From how many bytes on a stream of messages is written; there are no streams.
const WRITTEN_AT: usize = 32 << 10;

/// Protocol buffers, for short messages.
pub(super) struct ShortCodec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for ShortCodec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> Codec for ShortCodec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = ProstDecoder<U>;

    fn encoder(&mut self) -> ProstEncoder<T> {
        ProstCodec::<T, U>::raw_encoder(BufferSettings::new(ROOM, WRITTEN_AT))
    }

    fn decoder(&mut self) -> ProstDecoder<U> {
        ProstCodec::<T, U>::raw_decoder(BufferSettings::new(ROOM, WRITTEN_AT))
    }
}
