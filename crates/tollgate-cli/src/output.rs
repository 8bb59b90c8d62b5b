//! How results are written.

use std::io::{ErrorKind, IsTerminal, Write, stdout};

use anyhow::Context;
use tollgate_policy::file::is_invisible;

/// How wide text is where nobody says how wide a terminal is.
const WIDTH: usize = 100;
/// Wider lines are hard to read, and narrower ones impossible.
const BOUNDS: (usize, usize) = (50, 120);

/// True if an error says that whoever read the output has gone, as `head` does.
pub(crate) fn reader_has_gone(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// True if colours help on `stream`: somebody looks, and has not said that they are unwanted
/// (<https://no-color.org>).
pub(crate) fn is_coloured(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    stream.is_terminal() && !refused && !dumb
}

/// How wide to write on standard output, in columns: as `COLUMNS` says, or else the terminal.
pub(crate) fn width() -> usize {
    let wanted = std::env::var("COLUMNS").ok();
    let wanted = wanted.and_then(|columns| columns.parse().ok());
    let wanted = wanted.filter(|columns| *columns > 0);
    let width = wanted.or_else(|| {
        let (width, _) = terminal_size::terminal_size_of(stdout())?;
        Some(usize::from(width.0))
    });
    width.unwrap_or(WIDTH).clamp(BOUNDS.0, BOUNDS.1)
}

/// Writes a result as a whole.
pub(crate) fn print(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut output = stdout().lock();
    let written = output
        .write_all(text.as_ref())
        .and_then(|()| output.flush());
    written.context("cannot write to standard output")
}

/// A text of somebody else's for people to see: no character of it moves their cursor, turns or hides
/// what stands beside it, and it is not endless.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut shown = String::new();
    for character in text.chars().take(LONGEST) {
        if is_invisible(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    shown
}

/// An error for people to see: names of files, which anybody may have chosen, stand in it as they are.
/// Where it has lines of its own they stay.
pub(crate) fn complaint(error: &anyhow::Error) -> String {
    let mut shown = String::new();
    for character in format!("{error:#}").chars() {
        if character != '\n' && is_invisible(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_elses_text_moves_the_cursor_or_has_no_end() {
        assert_eq!(shown("/a b/ü"), "/a b/ü");
        assert_eq!(shown("a\x1b[2J\r\n"), "a\\u{1b}[2J\\r\\n");
        assert_eq!(shown("a\u{202e}b\u{200b}"), "a\\u{202e}b\\u{200b}");
        assert_eq!(shown(&"x".repeat(5_000)).len(), 203);
    }
}
