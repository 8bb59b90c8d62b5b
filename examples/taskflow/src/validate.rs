//! What a client may send, field by field. Every message names the field.

pub use examples_common::validate::email;
use examples_common::validate::{Invalid, line, text};

const NAME_MAX: usize = 100;
const TITLE_MAX: usize = 200;
const DESCRIPTION_MAX: usize = 5000;

/// The name of a user, board, column or label; surrounding space is dropped.
///
/// # Errors
///
/// It is empty, too long, or not one line of text.
pub fn name(field: &str, name: &str) -> Result<String, Invalid> {
    line(field, name, NAME_MAX)
}

/// The title of a card.
///
/// # Errors
///
/// It is empty, too long, or not one line of text.
pub fn title(title: &str) -> Result<String, Invalid> {
    line("title", title, TITLE_MAX)
}

/// The description of a card: any text, lines included.
///
/// # Errors
///
/// It is too long, or holds a character that a database cannot store.
pub fn description(description: String) -> Result<String, Invalid> {
    text("description", description, DESCRIPTION_MAX)
}

/// The colour of a label, `#rrggbb`; stored in lower case.
///
/// # Errors
///
/// It has another form.
pub fn colour(text: &str) -> Result<String, Invalid> {
    let digits = text.strip_prefix('#').unwrap_or_default();
    if digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err(Invalid::new(
            "colour: must have the form #rrggbb, such as #ff8800",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_six_hexadecimal_digits() {
        assert_eq!(colour("#FF8800").unwrap(), "#ff8800");
        for text in ["", "ff8800", "#ff880", "#ff88000", "#gg8800", "#ffé00"] {
            assert!(colour(text).is_err(), "{text}");
        }
    }
}
