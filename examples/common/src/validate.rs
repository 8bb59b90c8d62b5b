//! What a client may send, field by field. Every message names the field.

use std::borrow::Cow;

const PASSWORD_MIN: usize = 8;
const PASSWORD_MAX: usize = 128;
/// RFC 5321, section 4.5.3.1: the longest path is 256 octets with its brackets.
const EMAIL_MAX: usize = 254;

/// A field that cannot be taken as it is; the text begins with its name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub Cow<'static, str>);

impl Invalid {
    /// A fault; `message` is `FIELD: WHAT IT MUST BE`.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self(message.into())
    }
}

/// An address of the shape `local@domain.tld`, in lower case: nobody has two
/// accounts that differ in case alone. Whether it exists, only a mail tells.
///
/// # Errors
///
/// It has another shape.
pub fn email(email: &str) -> Result<String, Invalid> {
    let email = email.trim().to_lowercase();
    let well_formed = email.len() <= EMAIL_MAX
        && !email.contains(|c: char| c.is_whitespace() || c.is_control() || c == '/')
        && email.rsplit_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !local.contains('@')
                && domain.contains('.')
                && domain.split('.').all(|part| !part.is_empty())
        });
    if well_formed {
        Ok(email)
    } else {
        Err(Invalid::new("email: must look like name@example.com"))
    }
}

/// A new password.
///
/// # Errors
///
/// It is too short or too long.
pub fn password(password: &str) -> Result<(), Invalid> {
    match password.chars().count() {
        PASSWORD_MIN..=PASSWORD_MAX => Ok(()),
        _ => Err(Invalid::new(format!(
            "password: must have {PASSWORD_MIN} to {PASSWORD_MAX} characters"
        ))),
    }
}

/// One line of 1 to `max` characters; surrounding space is dropped.
///
/// # Errors
///
/// It is empty, too long, or not one line of text.
pub fn line(field: &str, text: &str, max: usize) -> Result<String, Invalid> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > max {
        return Err(Invalid::new(format!(
            "{field}: must have 1 to {max} characters"
        )));
    }
    if text.contains(char::is_control) {
        return Err(Invalid::new(format!("{field}: must be one line of text")));
    }
    Ok(text.to_owned())
}

/// Any text of at most `max` characters, lines included.
///
/// # Errors
///
/// It is too long, or holds a character that a database cannot store.
pub fn text(field: &str, text: String, max: usize) -> Result<String, Invalid> {
    if text.chars().count() > max {
        return Err(Invalid::new(format!(
            "{field}: must have at most {max} characters"
        )));
    }
    // PostgreSQL stores no NUL in text.
    if text.contains('\0') {
        return Err(Invalid::new(format!(
            "{field}: must not contain the character U+0000"
        )));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_stored_in_lower_case() {
        assert_eq!(email(" Ann@Example.COM ").unwrap(), "ann@example.com");
    }

    #[test]
    fn refuses_what_is_no_address() {
        let long = format!("{}@example.com", "a".repeat(250));
        for text in [
            "", "ann", "@x.y", "ann@", "ann@x", "ann@.y", "a b@x.y", "a@b@x.y", "a/b@x.y",
            "a\0@x.y", &long,
        ] {
            assert!(
                email(text).unwrap_err().to_string().starts_with("email: "),
                "{text}"
            );
        }
    }

    #[test]
    fn a_password_has_8_to_128_characters() {
        for (length, fits) in [(7, false), (8, true), (128, true), (129, false)] {
            assert_eq!(password(&"ö".repeat(length)).is_ok(), fits, "{length}");
        }
    }

    #[test]
    fn a_line_has_1_to_its_most_characters() {
        assert_eq!(line("name", "  Plan  ", 100).unwrap(), "Plan");
        for text in ["", "   ", "a\nb", "a\0b", &"x".repeat(101)] {
            assert!(
                line("name", text, 100)
                    .unwrap_err()
                    .to_string()
                    .starts_with("name: "),
                "{text}"
            );
        }
    }

    #[test]
    fn a_text_may_have_lines_and_no_character_that_cannot_be_stored() {
        assert_eq!(text("text", "a\nb".to_owned(), 3).unwrap(), "a\nb");
        for wrong in ["abcd", "a\0"] {
            let error = text("text", wrong.to_owned(), 3).unwrap_err();
            assert!(error.to_string().starts_with("text: "), "{wrong:?}");
        }
    }
}
