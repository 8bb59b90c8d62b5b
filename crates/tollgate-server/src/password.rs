//! What clients of the Redis protocol must know.

use std::fmt;

use crate::secret::Secret;

/// The password of the Redis protocol. Neither `Debug` nor an error shows it. Clones are the same.
#[derive(Clone)]
pub struct Password(Secret);

impl Password {
    /// The longest password, in bytes.
    pub const MAX_BYTES: usize = 512;

    /// A password. The end of the line of a file does not belong to it.
    ///
    /// # Errors
    ///
    /// It is empty, or longer than passwords are.
    pub fn new(text: &str) -> Result<Self, PasswordError> {
        let password = text.trim_end_matches(['\r', '\n']);
        if password.is_empty() || password.len() > Self::MAX_BYTES {
            return Err(PasswordError(password.len()));
        }
        Ok(Self(Secret::new(password)))
    }

    /// True if it is this password. How long that takes tells nothing but the password's length.
    pub(crate) fn is(&self, given: &[u8]) -> bool {
        self.0.is(given)
    }

    /// Becomes another password: this one, and all its clones. Clients that gave the old one before
    /// stay connected.
    pub fn replace(&self, other: &Self) {
        self.0.become_as(&other.0);
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

/// A text of so many bytes, which is no password. It is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the password of the Redis protocol has {0} bytes; give it from 1 to {max}", max = Password::MAX_BYTES)]
pub struct PasswordError(usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_bytes_are_the_password() {
        let password = Password::new("correct horse\n").unwrap();
        assert!(password.is(b"correct horse"));
        for other in ["", "correct horse\n", "correct hors", "Correct horse"] {
            assert!(!password.is(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn nothing_shows_it() {
        let password = Password::new("correct horse").unwrap();
        assert_eq!(format!("{password:?}"), "Password(***)");
        let error = Password::new(&"correct ".repeat(100)).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("correct"));
        assert!(Password::new("\n").is_err());
    }
}
