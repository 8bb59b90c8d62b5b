//! Characters that show nothing, and move or hide what stands beside them.

/// True for control characters and for those that turn the direction of writing, join or part words
/// without a trace, or are tags: where a text is shown to people, they are escaped.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A text in which they stand as escapes, such as `\u{202e}`.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_invisible(character) {
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
    fn what_turns_or_hides_text_is_escaped() {
        assert_eq!(
            visible("a\u{202e}b\u{200b}\u{1b}\n"),
            "a\\u{202e}b\\u{200b}\\u{1b}\\n"
        );
        assert_eq!(
            visible("p\u{e9} \u{4f60} e\u{301}"),
            "p\u{e9} \u{4f60} e\u{301}"
        );
    }
}
