//! Unpacking zstd: all frames of a file, one after the other, and their checksums.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The text that a zstd file holds. Rotated logs that were put together have several frames.
pub(super) struct ZstdReader<R> {
    stored: R,
    decoder: FrameDecoder,
    /// True inside a frame.
    in_frame: bool,
    /// The file ends inside the frame: what is told once everything before was given out.
    cut: Option<io::Error>,
}

impl<R: BufRead> ZstdReader<R> {
    pub(super) fn new(stored: R) -> Self {
        Self {
            stored,
            decoder: FrameDecoder::new(),
            in_frame: false,
            cut: None,
        }
    }

    /// Begins the next frame; false at the end of the file.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.stored.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.stored) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = (&mut self.stored).take(length.into());
                    io::copy(&mut skipped, &mut io::sink())?;
                }
                Err(FrameDecoderError::WindowSizeTooBig { requested, max }) => {
                    return Err(too_large(requested, max));
                }
                Err(error) => return Err(damaged(error)),
            }
        }
        Ok(false)
    }

    fn decode_block(&mut self) -> io::Result<()> {
        let one = BlockDecodingStrategy::UptoBlocks(1);
        let Err(error) = self.decoder.decode_blocks(&mut self.stored, one) else {
            return Ok(());
        };
        if self.cut.is_some() || !self.stored.fill_buf()?.is_empty() {
            return Err(damaged(error));
        }
        // What was decoded last is held back, for blocks that refer to it. An empty block that says it
        // is the last, and four bytes of checksum, give it free.
        self.cut = Some(io::ErrorKind::UnexpectedEof.into());
        let end = [1, 0, 0, 0, 0, 0, 0];
        let one = BlockDecodingStrategy::UptoBlocks(1);
        self.decoder.decode_blocks(&end[..], one).map_err(damaged)?;
        Ok(())
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        if let Some(error) = self.cut.take() {
            return Err(error);
        }
        let (said, found) = (
            self.decoder.get_checksum_from_data(),
            self.decoder.get_calculated_checksum(),
        );
        if said.is_some() && said != found {
            return Err(damaged("its checksum is wrong"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame && !self.next_frame()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decode_block()?;
            }
            let read = self.decoder.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            self.end_frame()?;
        }
    }
}

fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// So much of the text before would have to be kept, in bytes: nothing is wrong with it, and a log that
/// says so must not take all memory.
fn too_large(window: u64, max: u64) -> io::Error {
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let text = format!(
        "needs a window of {} MiB, and {} MiB are the most that is read: compress it with `zstd --long={}` or less, or unpack it on the way in: `zstd -dc --long=31 FILE | tollgate …  -`",
        mebibytes(window),
        mebibytes(max),
        max.ilog2()
    );
    io::Error::new(io::ErrorKind::Unsupported, text)
}
