//! What a client may send, field by field. Every message names the field.

use crate::error::AppError;

const NAME_MAX: usize = 100;
const TITLE_MAX: usize = 200;
const DESCRIPTION_MAX: usize = 5000;
const PASSWORD_MIN: usize = 8;
const PASSWORD_MAX: usize = 128;
/// RFC 5321, section 4.5.3.1: the longest path is 256 octets with its brackets.
const EMAIL_MAX: usize = 254;

/// An address of the shape `local@domain.tld`, in lower case: nobody has two
/// accounts that differ in case alone. Whether it exists, only a mail tells.
///
/// # Errors
///
/// It has another shape.
pub fn email(email: &str) -> Result<String, AppError> {
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
        Err(AppError::validation(
            "email: must look like name@example.com",
        ))
    }
}

/// A new password.
///
/// # Errors
///
/// It is too short or too long.
pub fn password(password: &str) -> Result<(), AppError> {
    match password.chars().count() {
        PASSWORD_MIN..=PASSWORD_MAX => Ok(()),
        _ => Err(AppError::validation(format!(
            "password: must have {PASSWORD_MIN} to {PASSWORD_MAX} characters"
        ))),
    }
}

/// The name of a user, board, column or label; surrounding space is dropped.
///
/// # Errors
///
/// It is empty, too long, or not one line of text.
pub fn name(field: &str, text: &str) -> Result<String, AppError> {
    line(field, text, NAME_MAX)
}

/// The title of a card.
///
/// # Errors
///
/// It is empty, too long, or not one line of text.
pub fn title(text: &str) -> Result<String, AppError> {
    line("title", text, TITLE_MAX)
}

/// The description of a card: any text, lines included.
///
/// # Errors
///
/// It is too long, or holds a character that a database cannot store.
pub fn description(text: String) -> Result<String, AppError> {
    if text.chars().count() > DESCRIPTION_MAX {
        return Err(AppError::validation(format!(
            "description: must have at most {DESCRIPTION_MAX} characters"
        )));
    }
    // PostgreSQL stores no NUL in text.
    if text.contains('\0') {
        return Err(AppError::validation(
            "description: must not contain the character U+0000",
        ));
    }
    Ok(text)
}

/// The colour of a label, `#rrggbb`; stored in lower case.
///
/// # Errors
///
/// It has another form.
pub fn colour(text: &str) -> Result<String, AppError> {
    let digits = text.strip_prefix('#').unwrap_or_default();
    if digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err(AppError::validation(
            "colour: must have the form #rrggbb, such as #ff8800",
        ))
    }
}

fn line(field: &str, text: &str, max: usize) -> Result<String, AppError> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > max {
        return Err(AppError::validation(format!(
            "{field}: must have 1 to {max} characters"
        )));
    }
    if text.contains(char::is_control) {
        return Err(AppError::validation(format!(
            "{field}: must be one line of text"
        )));
    }
    Ok(text.to_owned())
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
    fn a_name_is_one_line_of_1_to_100_characters() {
        assert_eq!(name("name", "  Plan  ").unwrap(), "Plan");
        for text in ["", "   ", "a\nb", "a\0b", &"x".repeat(101)] {
            assert!(
                name("name", text)
                    .unwrap_err()
                    .to_string()
                    .starts_with("name: "),
                "{text}"
            );
        }
    }

    #[test]
    fn a_colour_is_six_hexadecimal_digits() {
        assert_eq!(colour("#FF8800").unwrap(), "#ff8800");
        for text in ["", "ff8800", "#ff880", "#ff88000", "#gg8800", "#ffé00"] {
            assert!(colour(text).is_err(), "{text}");
        }
    }
}
