//! Unpacking gzip: all members of a file, one after the other, and the zeros behind them.

use std::io::{self, BufRead, ErrorKind, Read};

use flate2::bufread::GzDecoder;

/// The text that a gzip file holds. Rotated logs that were put together have several members, and
/// whatever writes by the block fills the last one up with zeros, which gzip passes over too.
pub(super) struct GzipReader<R> {
    /// None only for a moment, and after the end.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipReader<R> {
    pub(super) fn new(stored: R) -> Self {
        Self {
            member: Some(GzDecoder::new(stored)),
        }
    }

    /// Begins the next member, if there is one.
    fn next_member(&mut self) -> io::Result<()> {
        let Some(member) = self.member.take() else {
            return Ok(());
        };
        let mut stored = member.into_inner();
        match stored.fill_buf()?.first() {
            None => return Ok(()),
            Some(0) => skip_zeros(&mut stored)?,
            Some(0x1f) => {
                self.member = Some(GzDecoder::new(stored));
                return Ok(());
            }
            Some(_) => {}
        }
        if stored.fill_buf()?.is_empty() {
            return Ok(());
        }
        let text = "something that is no gzip follows its end";
        Err(io::Error::new(ErrorKind::InvalidData, text))
    }
}

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            self.next_member()?;
        }
        Ok(0)
    }
}

fn skip_zeros(stored: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = stored.fill_buf()?;
        let zeros = buffer.iter().take_while(|byte| **byte == 0).count();
        let is_over = zeros < buffer.len() || zeros == 0;
        stored.consume(zeros);
        if is_over {
            return Ok(());
        }
    }
}
