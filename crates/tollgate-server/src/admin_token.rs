//! The secret of those who may change what is counted.

use std::fmt;

use crate::secret::Secret;

/// The secret that requests of administrators carry, as `Authorization: Bearer TOKEN`. Neither
/// `Debug` nor an error shows it. Clones are the same.
#[derive(Clone)]
pub struct AdminToken(Secret);

impl AdminToken {
    /// The shortest token, in bytes: what is shorter could be guessed.
    pub const MIN_BYTES: usize = 16;
    /// The longest token, in bytes.
    pub const MAX_BYTES: usize = 512;

    /// A token. White space around it, as the end of the line of a file, does not belong to it.
    ///
    /// # Errors
    ///
    /// It is shorter or longer than tokens are, or has other characters than a header can carry:
    /// printable ASCII without spaces.
    pub fn new(text: &str) -> Result<Self, AdminTokenError> {
        let token = text.trim();
        if !(Self::MIN_BYTES..=Self::MAX_BYTES).contains(&token.len()) {
            return Err(AdminTokenError::Length(token.len()));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AdminTokenError::Character);
        }
        Ok(Self(Secret::new(token)))
    }

    /// True if it is this token. How long that takes tells nothing but the token's length.
    pub(crate) fn is(&self, given: &[u8]) -> bool {
        self.0.is(given)
    }

    /// Becomes another token, from the next request on: this one, and all its clones.
    pub fn replace(&self, other: &Self) {
        self.0.become_as(&other.0);
    }
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken(***)")
    }
}

/// A text that is no admin token. It is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdminTokenError {
    /// It has so many bytes.
    #[error(
        "the admin token has {0} bytes; give it from {min} to {max}, as `openssl rand -hex 32` makes \
         them",
        min = AdminToken::MIN_BYTES,
        max = AdminToken::MAX_BYTES
    )]
    Length(usize),
    /// It has a character that is not printable ASCII, or a space.
    #[error(
        "the admin token has a character that a header cannot carry; use letters and digits, as \
         `openssl rand -hex 32` makes them"
    )]
    Character,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef";

    #[test]
    fn only_the_same_bytes_are_the_token() {
        let token = AdminToken::new(&format!(" {TOKEN}\n")).unwrap();
        assert!(token.is(TOKEN.as_bytes()));
        for other in [
            "",
            "0123456789abcdeF",
            "0123456789abcde",
            "0123456789abcdef0",
        ] {
            assert!(!token.is(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn what_could_be_guessed_or_not_be_sent_is_no_token() {
        assert_eq!(
            AdminToken::new("short\n").unwrap_err(),
            AdminTokenError::Length(5)
        );
        let long = "x".repeat(AdminToken::MAX_BYTES + 1);
        assert!(AdminToken::new(&long).is_err());
        let spaced = format!("{TOKEN} {TOKEN}");
        assert_eq!(
            AdminToken::new(&spaced).unwrap_err(),
            AdminTokenError::Character
        );
    }

    #[test]
    fn a_token_that_is_replaced_is_another_for_all_who_have_it() {
        let token = AdminToken::new(TOKEN).unwrap();
        let clone = token.clone();
        token.replace(&AdminToken::new("another-0123456789").unwrap());
        assert!(clone.is(b"another-0123456789") && !clone.is(TOKEN.as_bytes()));
    }

    #[test]
    fn nothing_shows_it() {
        let token = AdminToken::new(TOKEN).unwrap();
        assert_eq!(format!("{token:?}"), "AdminToken(***)");
        let error = AdminToken::new("tell-nobody").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("tell"));
    }
}
