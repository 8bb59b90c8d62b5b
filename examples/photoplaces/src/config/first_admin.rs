//! The administrator whom the environment names.

use std::fmt::{self, Debug, Formatter};

use examples_common::validate;

use super::ConfigError;

/// Who is an administrator from the start. `Debug` hides the password.
#[derive(Clone, PartialEq, Eq)]
pub struct FirstAdmin {
    /// The address of the account, as it is stored.
    pub email: String,
    pub(crate) password: String,
}

impl FirstAdmin {
    /// Reads `ADMIN_EMAIL` and `ADMIN_PASSWORD`.
    ///
    /// # Errors
    ///
    /// One without the other, or what could not be registered either.
    pub(super) fn parse(
        email: Option<String>,
        password: Option<String>,
    ) -> Result<Option<Self>, ConfigError> {
        let (email, password) = match (email, password) {
            (Some(email), Some(password)) => (email, password),
            (None, None) => return Ok(None),
            (Some(email), None) => {
                return Err(
                    ConfigError::new("ADMIN_EMAIL", &email, "there is no ADMIN_PASSWORD")
                        .remedy("set both or neither"),
                );
            }
            (None, Some(_)) => {
                return Err(
                    ConfigError::new("ADMIN_PASSWORD", "…", "there is no ADMIN_EMAIL")
                        .remedy("set both or neither"),
                );
            }
        };
        let stored = validate::email(&email).map_err(|problem| {
            ConfigError::new("ADMIN_EMAIL", &email, problem).remedy("set it to an e-mail address")
        })?;
        validate::password(&password).map_err(|problem| {
            ConfigError::new("ADMIN_PASSWORD", "…", problem).remedy("set it to another password")
        })?;
        Ok(Some(Self {
            email: stored,
            password,
        }))
    }
}

impl Debug for FirstAdmin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("FirstAdmin")
            .field("email", &self.email)
            .finish_non_exhaustive()
    }
}
