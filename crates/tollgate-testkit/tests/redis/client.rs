//! A client of the network, who sees what the fixture's own commands do not.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// How long silence lasts until it is taken for no answer.
const SILENCE: Duration = Duration::from_millis(200);

pub(crate) struct Client(BufReader<TcpStream>);

impl Client {
    pub(crate) fn connect(port: u16) -> io::Result<Self> {
        TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map(|stream| Self(BufReader::new(stream)))
    }

    pub(crate) fn send(&mut self, command: &str) -> io::Result<()> {
        self.0
            .get_mut()
            .write_all(format!("{command}\r\n").as_bytes())
    }

    /// The next line of the server's answer.
    pub(crate) fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.0.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    pub(crate) fn ask(&mut self, command: &str) -> io::Result<String> {
        self.send(command)?;
        self.line()
    }

    /// True if the server says nothing for a while, and does not close the connection either.
    pub(crate) fn hears_nothing(&mut self) -> bool {
        self.0.get_ref().set_read_timeout(Some(SILENCE)).unwrap();
        let error = self.line().err().map(|error| error.kind());
        self.0.get_ref().set_read_timeout(None).unwrap();
        matches!(
            error,
            Some(io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
        )
    }

    /// True if the server closes the connection.
    pub(crate) fn is_closed(&mut self) -> bool {
        match self.line() {
            Ok(_) => false,
            Err(error) => matches!(
                error.kind(),
                io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset
            ),
        }
    }
}
