//! Texts that somebody else wrote.

use tollgate_policy::file::is_invisible;

/// A text that no longer text is shown of: whoever needs the rest has the log.
const LONGEST: usize = 300;

/// A text for people to see: no character of it moves their cursor, turns or hides what stands beside
/// it, and it is not endless. An empty one is shown as what it is.
pub(crate) fn shown(text: &str) -> String {
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    let mut shown = String::new();
    for character in text.chars().take(LONGEST) {
        if is_invisible(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_elses_text_moves_the_cursor_or_has_no_end() {
        assert_eq!(shown("a b/ü"), "a b/ü");
        assert_eq!(shown("a\x1b[2J\r\n"), "a\\u{1b}[2J\\r\\n");
        assert_eq!(shown("a\u{202e}b\u{200b}"), "a\\u{202e}b\\u{200b}");
        assert_eq!(shown(&"x".repeat(5_000)).chars().count(), LONGEST + 1);
        assert_eq!(shown(""), "(empty)");
    }
}
