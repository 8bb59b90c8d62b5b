//! Password hashes, computed off the runtime's threads and a few at a time.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use argon2::password_hash::Error as HashError;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// A password could not be hashed or compared, which is no fault of the password.
#[derive(Debug, thiserror::Error)]
#[error("passwords: {0}")]
pub struct PasswordError(String);

/// What one Argon2id hash costs. The default is OWASP's first recommendation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordCost {
    /// Memory in KiB, at least 8.
    pub memory_kib: u32,
    /// Passes over the memory, at least 1.
    pub passes: u32,
}

impl Default for PasswordCost {
    fn default() -> Self {
        Self {
            memory_kib: 19 * 1024,
            passes: 2,
        }
    }
}

/// Hashes and verifies passwords.
#[derive(Clone)]
pub struct Passwords {
    argon2: Argon2<'static>,
    /// A flood of logins waits here instead of taking a hash's memory each.
    workers: Arc<Semaphore>,
    /// Verified where there is no account, so that both cases take the same time.
    dummy_hash: Arc<str>,
}

impl Passwords {
    /// Hashes at this cost, on at most `workers` threads at a time.
    ///
    /// # Errors
    ///
    /// A cost that Argon2 does not allow.
    pub fn new(cost: PasswordCost, workers: usize) -> Result<Self, PasswordError> {
        let params = Params::new(cost.memory_kib, cost.passes, 1, None).map_err(failed)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let dummy_hash = argon2
            .hash_password(b"the password of nobody")
            .map_err(failed)?
            .to_string()
            .into();
        Ok(Self {
            argon2,
            workers: Arc::new(Semaphore::new(workers.max(1))),
            dummy_hash,
        })
    }

    /// The hash to store for a password, as a PHC string with its salt.
    ///
    /// # Errors
    ///
    /// The hash could not be computed, which is no fault of the password.
    pub async fn hash(&self, password: String) -> Result<String, PasswordError> {
        let argon2 = self.argon2.clone();
        self.work(move || Ok(argon2.hash_password(password.as_bytes())?.to_string()))
            .await
    }

    /// Whether `password` is the one behind `hash`. Without a hash the answer is
    /// no, after the same work.
    ///
    /// # Errors
    ///
    /// The stored hash is malformed.
    pub async fn verify(
        &self,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, PasswordError> {
        let argon2 = self.argon2.clone();
        let dummy = Arc::clone(&self.dummy_hash);
        self.work(move || {
            let known = hash.is_some();
            match argon2.verify_password(password.as_bytes(), hash.as_deref().unwrap_or(&dummy)) {
                Ok(()) => Ok(known),
                Err(HashError::PasswordInvalid) => Ok(false),
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// Runs `job` on a blocking thread. The permit goes with it: a caller that
    /// gives up does not free the memory that its job still uses.
    async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, HashError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let permit = Arc::clone(&self.workers)
            .acquire_owned()
            .await
            .map_err(failed)?;
        spawn_blocking(move || {
            let result = job();
            drop(permit);
            result
        })
        .await
        .map_err(failed)?
        .map_err(failed)
    }
}

impl Debug for Passwords {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passwords")
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}

fn failed(cause: impl fmt::Display) -> PasswordError {
    PasswordError(cause.to_string())
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    fn passwords() -> Passwords {
        Passwords::new(
            PasswordCost {
                memory_kib: 8,
                passes: 1,
            },
            1,
        )
        .unwrap()
    }

    #[tokio::test]
    async fn only_the_right_password_passes() {
        let passwords = passwords();
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(
            passwords
                .verify("correct horse".to_owned(), Some(hash.clone()))
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify("wrong horse".to_owned(), Some(hash))
                .await
                .unwrap()
        );
    }

    #[tokio::test]
    async fn no_password_passes_without_a_hash() {
        let passwords = passwords();
        assert!(
            !passwords
                .verify("the password of nobody".to_owned(), None)
                .await
                .unwrap()
        );
    }

    #[tokio::test(flavor = "current_thread")]
    async fn without_a_hash_the_work_is_done_all_the_same() {
        let passwords = passwords();
        let busy = passwords.workers.acquire().await.unwrap();
        let mut verification = pin!(passwords.verify("any".to_owned(), None));
        // It waits for a worker, so it has work for one.
        let mut context = Context::from_waker(Waker::noop());
        assert!(verification.as_mut().poll(&mut context).is_pending());
        drop(busy);
        assert!(!verification.await.unwrap());
    }

    #[tokio::test]
    async fn the_same_password_never_hashes_alike() {
        let passwords = passwords();
        let first = passwords.hash("same".to_owned()).await.unwrap();
        assert_ne!(passwords.hash("same".to_owned()).await.unwrap(), first);
    }

    #[tokio::test]
    async fn a_malformed_hash_is_an_error_and_no_pass() {
        assert!(
            passwords()
                .verify("x".to_owned(), Some("nonsense".to_owned()))
                .await
                .is_err()
        );
    }

    #[test]
    fn refuses_a_cost_that_argon2_does_not_allow() {
        assert!(
            Passwords::new(
                PasswordCost {
                    memory_kib: 1,
                    passes: 1
                },
                1
            )
            .is_err()
        );
    }
}
