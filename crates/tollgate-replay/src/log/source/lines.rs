//! The lines of a log, read by the block.

use std::io::{self, ErrorKind, Read};

use memchr::memchr;

/// How much is read before lines are given out.
const BLOCK: usize = 1024 * 1024;
/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 256 * 1024;

/// The lines of a log. Memory is one block, whatever the length of a line.
pub(super) struct Lines<R> {
    input: R,
    /// See [`Bytes::is_live`](super::bytes::Bytes::is_live).
    is_live: bool,
    block: Vec<u8>,
    /// What of the block has been read and not given out.
    start: usize,
    end: usize,
    /// No more will come.
    ended: bool,
    /// Because reading failed.
    failed: bool,
    /// The rest of the line that begins at `start` belongs to one that was too long.
    skipping: bool,
    /// Zeros were dropped where the next line begins.
    zeros: bool,
    number: u64,
}

/// A line, or what stands in its place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece<'b> {
    /// From 1.
    pub(super) number: u64,
    /// Its bytes, without the end of the line; only the begin of one that is not whole.
    pub(super) bytes: &'b [u8],
    pub(super) extent: Extent,
    /// True if zeros stood before it, which are not among its bytes.
    pub(super) after_zeros: bool,
}

/// How much of a line there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// It is longer than lines are read.
    TooLong,
    /// Reading failed in the middle of it.
    Cut,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R, is_live: bool) -> Self {
        Self {
            input,
            is_live,
            block: vec![0; BLOCK],
            start: 0,
            end: 0,
            ended: false,
            failed: false,
            skipping: false,
            zeros: false,
            number: 0,
        }
    }

    /// Reads the next block, after all lines of the one before were given out; false if nothing is
    /// left to give out, now or later. After an error, what was read before it can be given out.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        self.block.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        while !self.ended && self.end < self.block.len() {
            let free = self.block.get_mut(self.end..).unwrap_or_default();
            match self.input.read(free) {
                Ok(0) => self.ended = true,
                Ok(read) => {
                    let new = self.end..self.end.saturating_add(read).min(self.block.len());
                    self.end = new.end;
                    let new = self.block.get(new).unwrap_or_default();
                    if self.is_live && memchr(b'\n', new).is_some() {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.failed = true;
                    return Err(error);
                }
            }
        }
        Ok(!self.ended || self.start < self.end || self.zeros)
    }

    /// The next line of the block.
    pub(super) fn next(&mut self) -> Option<Piece<'_>> {
        if self.skipping && !self.skip() {
            return None;
        }
        self.drop_zeros();
        let rest = self.block.get(self.start..self.end)?;
        let (length, step, extent) = match memchr(b'\n', rest) {
            Some(length) if length > LONGEST => (LONGEST, length + 1, Extent::TooLong),
            Some(length) => (length, length + 1, Extent::Whole),
            None if rest.len() > LONGEST => {
                self.skipping = true;
                (LONGEST, rest.len(), Extent::TooLong)
            }
            None if !self.ended || rest.is_empty() && !self.zeros => return None,
            None if self.failed => (rest.len(), rest.len(), Extent::Cut),
            None => (rest.len(), rest.len(), Extent::Whole),
        };
        let mut bytes = rest.get(..length)?;
        if let Some(without) = bytes.strip_suffix(b"\r") {
            bytes = without;
        }
        if self.number == 0 {
            // The mark of an editor that writes UTF-8.
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        self.start += step;
        self.number += 1;
        Some(Piece {
            number: self.number,
            bytes,
            extent,
            after_zeros: std::mem::take(&mut self.zeros),
        })
    }

    /// The number of the line that was given out last.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Skips the rest of a line that was too long; true if its end was found.
    fn skip(&mut self) -> bool {
        let rest = self.block.get(self.start..self.end).unwrap_or_default();
        match memchr(b'\n', rest) {
            Some(length) => {
                self.start += length + 1;
                self.skipping = false;
            }
            None => self.start = self.end,
        }
        !self.skipping
    }

    /// Drops zeros before a line: what is left of a hole, which can be far longer than any line.
    fn drop_zeros(&mut self) {
        let rest = self.block.get(self.start..self.end).unwrap_or_default();
        if rest.first() != Some(&0) {
            return;
        }
        let zeros = rest.iter().position(|byte| *byte != 0);
        self.start += zeros.unwrap_or(rest.len());
        self.zeros = true;
    }
}

#[cfg(test)]
mod tests;
