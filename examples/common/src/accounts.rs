//! Accounts: what a client sends to register and to log in, and what is done with it.
//!
//! The service's schema has a table `users` of `id`, `email`, `name`, `password_hash` and
//! `created_at`, and of whatever else it knows of users.

use std::fmt::{self, Debug, Formatter};

use serde::Deserialize;

use crate::database::Db;
use crate::error::AppError;
use crate::password::Passwords;
use crate::validate;

const NAME_MAX: usize = 100;

/// The body of a registration.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    email: String,
    password: String,
    name: String,
}

/// The body of a login.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    email: String,
    password: String,
}

/// A user just registered.
#[derive(Debug)]
pub struct Registered {
    /// The user's id.
    pub id: i64,
    /// The address, as it is stored.
    pub email: String,
    /// The name, as it is stored.
    pub name: String,
}

impl Registration {
    /// Stores the user, as of `now` in seconds since the Unix epoch.
    ///
    /// # Errors
    ///
    /// A field is wrong, the address is registered already, or the database fails.
    pub async fn store(
        self,
        db: &Db,
        passwords: &Passwords,
        now: i64,
    ) -> Result<Registered, AppError> {
        let email = validate::email(&self.email)?;
        let name = validate::line("name", &self.name, NAME_MAX)?;
        validate::password(&self.password)?;
        let password_hash = passwords
            .hash(self.password)
            .await
            .map_err(AppError::internal)?;
        let mut tx = db.begin_write().await?;
        let id = sqlx::query_scalar(
            "INSERT INTO users (email, name, password_hash, created_at) VALUES ($1, $2, $3, $4) RETURNING id",
        )
        .bind(&email)
        .bind(&name)
        .bind(password_hash)
        .bind(now)
        .fetch_one(&mut *tx)
        .await
        .map_err(|error| AppError::unique(error, "this e-mail address is already registered"))?;
        tx.commit().await?;
        Ok(Registered { id, email, name })
    }
}

impl Login {
    /// The user, if the password is right. `find` looks for the user with an address, and for the
    /// hash of the password.
    ///
    /// # Errors
    ///
    /// [`AppError::Unauthorized`], whether it is the address or the password that is wrong; or the
    /// database fails.
    pub async fn verify<U>(
        self,
        passwords: &Passwords,
        find: impl AsyncFnOnce(String) -> Result<Option<(U, String)>, AppError>,
    ) -> Result<U, AppError> {
        let (user, hash) = match validate::email(&self.email) {
            Ok(email) => find(email).await?,
            Err(_) => None,
        }
        .unzip();
        // Also without an account, so that the time taken does not tell whether there is one.
        let right = passwords
            .verify(self.password, hash)
            .await
            .map_err(AppError::internal)?;
        user.filter(|_| right).ok_or(AppError::Unauthorized(
            "the e-mail address or the password is wrong",
        ))
    }
}

/// Shows neither the password nor who it is of.
impl Debug for Registration {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration").finish_non_exhaustive()
    }
}

/// Shows neither the password nor who it is of.
impl Debug for Login {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_neither_a_password_nor_an_address() {
        let (email, password, name) = ("ann@example.com", "s3cret words", "Ann");
        let registration = Registration {
            email: email.to_owned(),
            password: password.to_owned(),
            name: name.to_owned(),
        };
        let login = Login {
            email: email.to_owned(),
            password: password.to_owned(),
        };
        let shown = format!("{registration:?} {login:?}");
        for secret in [email, password, name] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}
