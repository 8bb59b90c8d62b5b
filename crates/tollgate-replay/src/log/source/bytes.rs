//! The bytes of a log: opened, counted, and unpacked if they are compressed.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Input;
use super::gzip::GzipReader;
use super::stoppable::Stoppable;
use super::zstd::ZstdReader;
use crate::progress::Stop;

/// How much of a compressed log is read at once.
const COMPRESSED_BLOCK: usize = 128 * 1024;
/// How many bytes tell how a log is compressed.
const MAGIC: usize = 6;

/// The bytes of a log, unpacked.
pub(super) struct Bytes {
    pub(super) reader: Box<dyn Read + Send>,
    /// How it is compressed: `gzip` or `zstd`.
    pub(super) compression: Option<&'static str>,
    /// Bytes read so far, as they are stored.
    pub(super) consumed: Arc<AtomicU64>,
    /// All bytes, as they are stored, where that is known.
    pub(super) size: Option<u64>,
    /// True if bytes may come slowly, so that what is there should be taken at once.
    pub(super) is_live: bool,
}

impl Bytes {
    /// Opens a log. What is a pipe is read until told to stop.
    pub(super) fn open(input: &Input, stop: Option<&Stop>) -> io::Result<Self> {
        match input {
            Input::File(path) => {
                let named = |error: io::Error| {
                    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                };
                let file = File::open(path).map_err(named)?;
                let metadata = file.metadata().map_err(named)?;
                if metadata.is_dir() {
                    let text = format!(
                        "{0}: it is a directory; name its files, as in `{0}/access.log*`",
                        path.display()
                    );
                    return Err(io::Error::new(io::ErrorKind::IsADirectory, text));
                }
                if metadata.is_file() {
                    return Self::of(file, Some(metadata.len())).map_err(named);
                }
                Self::of_pipe(file, stop).map_err(named)
            }
            Input::Opened { file, .. } => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(0))?;
                let size = file.metadata()?.len();
                Self::of(file, Some(size))
            }
            Input::StandardInput => Self::of_pipe(io::stdin(), stop),
            Input::Text { bytes, .. } => {
                let size = u64::try_from(bytes.len()).ok();
                Self::of(Cursor::new(bytes.clone()), size)
            }
        }
    }

    fn of_pipe(pipe: impl Read + Send + 'static, stop: Option<&Stop>) -> io::Result<Self> {
        let opened = match stop {
            Some(stop) => Self::of(Stoppable::new(pipe, stop.clone())?, None),
            None => Self::of(pipe, None),
        };
        let mut bytes = match opened {
            // It was told to stop before anything had come.
            Err(_) if stop.is_some_and(Stop::is_stopped) => Self::of(io::empty(), None)?,
            opened => opened?,
        };
        bytes.is_live = true;
        Ok(bytes)
    }

    fn of(stored: impl Read + Send + 'static, size: Option<u64>) -> io::Result<Self> {
        let consumed = Arc::new(AtomicU64::new(0));
        let mut counted = Counted {
            stored,
            consumed: Arc::clone(&consumed),
        };
        let mut begin = Vec::with_capacity(MAGIC);
        (&mut counted)
            .take(MAGIC.try_into().unwrap_or(u64::MAX))
            .read_to_end(&mut begin)?;
        let compression = Compression::of(&begin);
        let whole = Cursor::new(begin).chain(counted);
        let buffered = |whole| BufReader::with_capacity(COMPRESSED_BLOCK, whole);
        let (reader, compression): (Box<dyn Read + Send>, _) = match compression {
            Compression::None => (Box::new(whole), None),
            Compression::Gzip => (Box::new(GzipReader::new(buffered(whole))), Some("gzip")),
            Compression::Zstd => (Box::new(ZstdReader::new(buffered(whole))), Some("zstd")),
            Compression::Other { name, unpack } => {
                let text = format!(
                    "it is compressed with {name}; unpack it on the way in: `{unpack} FILE | tollgate …  -`"
                );
                return Err(io::Error::new(io::ErrorKind::Unsupported, text));
            }
        };
        Ok(Self {
            reader,
            compression,
            consumed,
            size,
            is_live: false,
        })
    }
}

enum Compression {
    None,
    Gzip,
    Zstd,
    Other {
        name: &'static str,
        unpack: &'static str,
    },
}

impl Compression {
    fn of(begin: &[u8]) -> Self {
        let other = |name, unpack| Self::Other { name, unpack };
        match begin {
            [0x1f, 0x8b, ..] => Self::Gzip,
            // A frame, or one to be skipped (RFC 8878, sections 3.1.1 and 3.1.2).
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, ..] => other("bzip2", "bzip2 -dc"),
            [0xfd, b'7', b'z', b'X', b'Z', 0] => other("xz", "xz -dc"),
            [0x04, 0x22, 0x4d, 0x18, ..] => other("lz4", "lz4 -dc"),
            [b'P', b'K', 3, 4, ..] => other("zip", "unzip -p"),
            _ => Self::None,
        }
    }
}

struct Counted<R> {
    stored: R,
    consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stored.read(into)?;
        let more = u64::try_from(read).unwrap_or_default();
        self.consumed.fetch_add(more, Ordering::Relaxed);
        Ok(read)
    }
}
