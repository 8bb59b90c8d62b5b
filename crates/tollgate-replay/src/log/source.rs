//! Logs as sources of requests: files, standard input, texts; plain or compressed.

mod bytes;
mod example;
mod findings;
mod gzip;
mod held;
mod input;
mod lines;
mod neighbours;
mod options;
mod same;
mod stoppable;
mod zstd;

pub use findings::Findings;
pub use input::Input;
pub use options::ReadOptions;
pub use same::same_logs;
pub(crate) use stoppable::Stoppable;

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tollgate::Timestamp;

use self::bytes::Bytes;
use self::held::Held;
use self::lines::{Extent, Lines};
use self::neighbours::Neighbours;
use super::detect::{Detector, Found};
use super::{Line, Record, Reject, Skipped};
use crate::progress::Stop;

/// A log that is being read. Memory is bounded, whatever the log holds.
pub struct LogSource {
    /// What ends the waiting for a pipe.
    stop: Option<Stop>,
    lines: Lines<Box<dyn Read + Send>>,
    detector: Detector,
    neighbours: Neighbours<Held>,
    findings: Findings,
    compression: Option<&'static str>,
    consumed: Arc<AtomicU64>,
    size: Option<u64>,
}

impl LogSource {
    /// Opens a log.
    ///
    /// # Errors
    ///
    /// It cannot be opened, is a directory, or is compressed in a way that is not read; the text names
    /// the file.
    pub fn open(input: &Input, options: &ReadOptions) -> io::Result<Self> {
        Self::open_until(input, options, None)
    }

    /// Opens a log that is read until told to stop: a pipe is not waited for then.
    pub(crate) fn open_until(
        input: &Input,
        options: &ReadOptions,
        stop: Option<Stop>,
    ) -> io::Result<Self> {
        let bytes = Bytes::open(input, stop.as_ref())?;
        Ok(Self {
            stop,
            lines: Lines::new(bytes.reader, bytes.is_live),
            detector: Detector::new(options, &input.name()),
            neighbours: Neighbours::new(),
            findings: Findings::new(input.name(), bytes.compression),
            compression: bytes.compression,
            consumed: bytes.consumed,
            size: bytes.size,
        })
    }

    /// Reads about a mebibyte of lines, and gives each request with the number of its line, from 1;
    /// false at the end. From a pipe it reads what is there.
    ///
    /// The first requests are given when there are some more, and so are those around a time that is
    /// far from the one before: see [`Reject::OutOfPlace`].
    ///
    /// A compressed log that is damaged ends where the damage is: see [`Findings::error`].
    ///
    /// # Errors
    ///
    /// The operating system cannot read it. Requests may have been given.
    pub fn read_some(&mut self, each: &mut impl FnMut(u64, &Record<'_>)) -> io::Result<bool> {
        let filled = self.lines.fill();
        if filled.is_err() && self.stop.as_ref().is_some_and(Stop::is_stopped) {
            // What has come of a line is none.
            return Ok(true);
        }
        while let Some(piece) = self.lines.next() {
            if piece.after_zeros {
                self.findings.skip(Skipped::Zeros);
                if piece.bytes.is_empty() {
                    continue;
                }
            }
            let found = match piece.extent {
                Extent::Whole => self.detector.read(piece.number, piece.bytes),
                Extent::TooLong => Err(Reject::TooLong),
                Extent::Cut => Err(Reject::Unfinished),
            };
            match found {
                // Where arithmetic ends, nothing is known of the time.
                Ok(Found {
                    line: Line::Request(record),
                    ..
                }) if matches!(record.at, Timestamp::EPOCH | Timestamp::MAX) => {
                    self.findings
                        .reject(piece.number, piece.bytes, Reject::OutOfRange);
                }
                Ok(Found {
                    line: Line::Request(record),
                    wrapper,
                    form,
                }) => {
                    let written = record.written().as_micros();
                    if self.neighbours.pass(written) {
                        self.findings.request(wrapper, form);
                        each(piece.number, &record);
                        continue;
                    }
                    let held = Held::new(piece.number, piece.bytes, record, wrapper, form);
                    self.neighbours.hold(written, held);
                    while let Some((held, is_in_place)) = self.neighbours.judge(false) {
                        held.give(is_in_place, &mut self.findings, each);
                    }
                }
                Ok(Found {
                    line: Line::Skipped(kind),
                    ..
                }) => self.findings.skip(kind),
                Err(Reject::UnknownForm | Reject::OtherForm) if example::is_binary(piece.bytes) => {
                    self.findings
                        .reject(piece.number, piece.bytes, Reject::Binary);
                }
                Err(reason) => self.findings.reject(piece.number, piece.bytes, reason),
            }
        }
        if !matches!(filled, Ok(true)) {
            self.give_held(each);
            while let Some(text) = self.detector.unfinished() {
                self.findings.reject_unfinished(self.lines.number(), &text);
            }
        }
        match (filled, self.compression) {
            (Err(error), Some(compression)) if error.raw_os_error().is_none() => {
                let text = match error.kind() {
                    io::ErrorKind::UnexpectedEof => {
                        format!("its {compression} data ends in the middle")
                    }
                    io::ErrorKind::Unsupported => format!("its {compression} data {error}"),
                    _ => format!("its {compression} data is damaged: {error}"),
                };
                self.findings.fail(text);
                Ok(false)
            }
            (filled, _) => filled,
        }
    }

    /// Gives the requests that wait for more lines, for no more will be read.
    pub(crate) fn give_held(&mut self, each: &mut impl FnMut(u64, &Record<'_>)) {
        while let Some((held, is_in_place)) = self.neighbours.judge(true) {
            held.give(is_in_place, &mut self.findings, each);
        }
    }

    /// What was found so far.
    #[must_use]
    pub const fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Bytes read so far, as they are stored.
    #[must_use]
    pub fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    /// All bytes, as they are stored; `None` for a pipe.
    #[must_use]
    pub const fn size(&self) -> Option<u64> {
        self.size
    }
}

impl fmt::Debug for LogSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogSource")
            .field("findings", &self.findings)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
