//! From bytes to commands, in whatever parts the bytes arrive.

use std::ops::Range;

use crate::{Bounds, Command, ProtocolError, inline, number};

/// The longest line that tells a length, without its end.
const MAX_LENGTH_LINE: usize = 20;
/// For how many arguments room is kept from one command to the next.
const KEPT_ARGUMENTS: usize = 64;

/// Finds commands in what is read from a connection, and remembers how far it has come in one that
/// has not arrived as a whole.
#[derive(Debug)]
pub struct Parser {
    bounds: Bounds,
    expected: Expected,
    /// Where in the command what is expected begins.
    at: usize,
    /// Up to where the end of the line that begins there has been looked for.
    searched: usize,
    arguments: Vec<Range<usize>>,
    /// The text of a line that had quotes.
    unquoted: Vec<u8>,
}

/// What comes next of the command.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Beginning,
    /// The length of an argument; so many are to come, with this one.
    Length(usize),
    /// An argument of this length, and so many after it.
    Argument(usize, usize),
}

/// Where the arguments of a whole command are.
enum Place {
    Input,
    Unquoted,
}

impl Parser {
    /// A parser at the beginning of a connection.
    #[must_use]
    pub const fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            expected: Expected::Beginning,
            at: 0,
            searched: 0,
            arguments: Vec::new(),
            unquoted: Vec::new(),
        }
    }

    /// The next command, if `input` holds all of it. `input` begins where the last command
    /// [ended](Command::length); what it held at the last call it still holds.
    ///
    /// # Errors
    ///
    /// The input is no command, or too much of one. Do not go on then: where the next command would
    /// begin cannot be told.
    pub fn next<'p>(&'p mut self, input: &'p [u8]) -> Result<Option<Command<'p>>, ProtocolError> {
        if matches!(self.expected, Expected::Beginning) && self.searched == 0 {
            self.arguments.clear();
            self.arguments.shrink_to(KEPT_ARGUMENTS);
            self.unquoted = Vec::new();
        }
        let Some(place) = self.advance(input)? else {
            return Ok(None);
        };
        let length = self.at;
        (self.expected, self.at, self.searched) = (Expected::Beginning, 0, 0);
        Ok(Some(Command {
            bytes: match place {
                Place::Input => input,
                Place::Unquoted => &self.unquoted,
            },
            arguments: &self.arguments,
            length,
        }))
    }

    /// Goes as far as the input does; tells where the arguments are when the command is whole.
    fn advance(&mut self, input: &[u8]) -> Result<Option<Place>, ProtocolError> {
        loop {
            match self.expected {
                Expected::Beginning => match input.first() {
                    None => return Ok(None),
                    Some(b'*') => {
                        let Some(line) = self.length_line(input)? else {
                            return Ok(None);
                        };
                        match self.count(line)? {
                            0 => return Ok(Some(Place::Input)),
                            count => self.expected = Expected::Length(count),
                        }
                    }
                    Some(_) => return self.line(input),
                },
                Expected::Length(left) => {
                    match input.get(self.at) {
                        None => return Ok(None),
                        Some(b'$') => {}
                        Some(other) => return Err(ProtocolError::NoBulk(*other)),
                    }
                    let Some(line) = self.length_line(input)? else {
                        return Ok(None);
                    };
                    let length = self.argument_length(line)?;
                    self.expected = Expected::Argument(length, left - 1);
                }
                Expected::Argument(length, left) => {
                    let end = self.at + length;
                    let Some(after) = input.get(end..end + 2) else {
                        return Ok(None);
                    };
                    if after != b"\r\n" {
                        return Err(ProtocolError::BulkEnd);
                    }
                    self.arguments.push(self.at..end);
                    self.at = end + 2;
                    self.searched = self.at;
                    if left == 0 {
                        return Ok(Some(Place::Input));
                    }
                    self.expected = Expected::Length(left);
                }
            }
        }
    }

    /// What stands between the first byte of a line and its end, if that has come. The next thing
    /// begins after it.
    fn length_line<'i>(&mut self, input: &'i [u8]) -> Result<Option<&'i [u8]>, ProtocolError> {
        let start = self.at + 1;
        let Some(end) = self.line_end(input) else {
            if self.searched - self.at > MAX_LENGTH_LINE + 2 {
                return Err(ProtocolError::LengthLine);
            }
            return Ok(None);
        };
        self.at = end + 1;
        self.searched = self.at;
        match input.get(start..end) {
            Some([line @ .., b'\r']) if line.len() <= MAX_LENGTH_LINE => Ok(Some(line)),
            _ => Err(ProtocolError::LengthLine),
        }
    }

    /// Where the next line feed is. What has been looked at is not looked at again.
    fn line_end(&mut self, input: &[u8]) -> Option<usize> {
        let unseen = input.get(self.searched..)?;
        match unseen.iter().position(|byte| *byte == b'\n') {
            Some(position) => Some(self.searched + position),
            None => {
                self.searched = input.len();
                None
            }
        }
    }

    /// How many arguments there will be.
    fn count(&self, line: &[u8]) -> Result<usize, ProtocolError> {
        let count = number::parse(line).ok_or(ProtocolError::ArrayLength)?;
        // Redis takes an array that is null, or less, for an empty one.
        let count = usize::try_from(count.max(0)).map_err(|_| ProtocolError::ArrayLength)?;
        if count > self.bounds.arguments {
            return Err(ProtocolError::ArrayLength);
        }
        Ok(count)
    }

    /// How long the next argument will be.
    fn argument_length(&self, line: &[u8]) -> Result<usize, ProtocolError> {
        let length = number::parse(line).and_then(|length| usize::try_from(length).ok());
        let length = length.ok_or(ProtocolError::BulkLength)?;
        if length > self.bounds.argument {
            return Err(ProtocolError::BulkLength);
        }
        if self.at + length + 2 > self.bounds.command {
            return Err(ProtocolError::Command);
        }
        Ok(length)
    }

    /// A command that is a line of text.
    fn line(&mut self, input: &[u8]) -> Result<Option<Place>, ProtocolError> {
        let end = self.line_end(input);
        if end.unwrap_or(self.searched) > self.bounds.line {
            return Err(ProtocolError::Line);
        }
        let Some(end) = end else {
            return Ok(None);
        };
        let line = input.get(..end).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.at = end + 1;
        let is_unquoted = inline::split(line, &mut self.arguments, &mut self.unquoted)?;
        if self.arguments.len() > self.bounds.arguments {
            return Err(ProtocolError::ArrayLength);
        }
        Ok(Some(if is_unquoted {
            Place::Unquoted
        } else {
            Place::Input
        }))
    }
}

#[cfg(test)]
mod tests;
