//! The JSON of Docker's log files.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Piece;
use crate::log::json::scan::{self, Kind, Nodes};

static STREAM: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"stream\":\"std"));

/// True if it is worth a closer look.
pub(super) fn may_be(line: &[u8]) -> bool {
    line.first() == Some(&b'{') && STREAM.find(line).is_some()
}

/// `{"log":"line\n","stream":"stdout","time":"…"}`; without `\n` it is a part.
pub(super) fn read<'l>(line: &'l [u8], nodes: &mut Nodes) -> Option<Piece<'l>> {
    let value = scan::read(line, nodes).ok()?;
    let log = value.get("log").filter(|log| log.kind() == Kind::Text)?;
    let stream = value.get("stream")?.text()?;
    let mut text = log.text()?.bytes();
    let is_partial = !text.ends_with(b"\n");
    if !is_partial {
        let end = text.trim_ascii_end().len();
        match &mut text {
            Cow::Borrowed(text) => *text = text.get(..end)?,
            Cow::Owned(text) => text.truncate(end),
        }
    }
    Some(Piece {
        is_error_output: stream.is("stderr"),
        is_partial,
        text,
    })
}
