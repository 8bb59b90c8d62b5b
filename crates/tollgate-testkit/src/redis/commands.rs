//! Commands to a server: as much of the protocol as a fixture needs.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// A command that takes longer fails, so that a server that hangs does not hang the test.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a server answered, if it was not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// There is none.
    Null,
    /// A number.
    Integer(i64),
    /// A text, or a status as `OK`.
    Text(Vec<u8>),
    /// Several replies.
    Array(Vec<Self>),
    /// An error among several replies.
    Error(String),
}

impl Reply {
    /// The number.
    ///
    /// # Panics
    ///
    /// If it is something else.
    #[must_use]
    pub fn integer(&self) -> i64 {
        match self {
            Self::Integer(integer) => *integer,
            other => panic!("{other:?} where a number was expected"),
        }
    }

    /// The text, with a replacement for what is not UTF-8.
    ///
    /// # Panics
    ///
    /// If it is something else.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => String::from_utf8_lossy(text).into_owned(),
            other => panic!("{other:?} where a text was expected"),
        }
    }

    /// The replies in it.
    ///
    /// # Panics
    ///
    /// If it is something else.
    #[must_use]
    pub fn array(self) -> Vec<Self> {
        match self {
            Self::Array(replies) => replies,
            other => panic!("{other:?} where several replies were expected"),
        }
    }
}

/// Sends one command on a connection of its own to the server at this Unix socket, after the
/// password if there is one.
///
/// # Errors
///
/// Outside, if the server cannot be reached or does not answer; inside, what it calls an error.
pub(super) fn send<W: AsRef<[u8]>>(
    socket: &Path,
    password: Option<&str>,
    words: &[W],
) -> io::Result<Result<Reply, String>> {
    let stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut stream = BufReader::new(stream);
    if let Some(password) = password
        && let Err(error) = exchange(&mut stream, &["AUTH", password])?
    {
        return Ok(Err(error));
    }
    exchange(&mut stream, words)
}

fn exchange<W: AsRef<[u8]>>(
    stream: &mut BufReader<UnixStream>,
    words: &[W],
) -> io::Result<Result<Reply, String>> {
    let mut request = format!("*{}\r\n", words.len()).into_bytes();
    for word in words.iter().map(AsRef::as_ref) {
        request.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        request.extend_from_slice(word);
        request.extend_from_slice(b"\r\n");
    }
    stream.get_mut().write_all(&request)?;
    Ok(match read(stream)? {
        Reply::Error(error) => Err(error),
        reply => Ok(reply),
    })
}

fn read(stream: &mut impl BufRead) -> io::Result<Reply> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let Some(line) = line.strip_suffix("\r\n") else {
        return Err(io::ErrorKind::UnexpectedEof.into());
    };
    let (kind, rest) = line.split_at_checked(1).ok_or(io::ErrorKind::InvalidData)?;
    Ok(match kind {
        "+" => Reply::Text(rest.into()),
        "-" => Reply::Error(rest.into()),
        ":" => Reply::Integer(number(rest)?),
        "$" => match usize::try_from(number(rest)?) {
            Ok(length) => Reply::Text(read_text(stream, length)?),
            Err(_) => Reply::Null,
        },
        "*" => match usize::try_from(number(rest)?) {
            Ok(length) => Reply::Array(
                (0..length)
                    .map(|_| read(stream))
                    .collect::<Result<_, _>>()?,
            ),
            Err(_) => Reply::Null,
        },
        _ => return Err(io::ErrorKind::InvalidData.into()),
    })
}

fn read_text(stream: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    let mut text = vec![0; length];
    stream.read_exact(&mut text)?;
    stream.read_exact(&mut [0; 2])?;
    Ok(text)
}

fn number(text: &str) -> io::Result<i64> {
    text.parse().map_err(|_| io::ErrorKind::InvalidData.into())
}
