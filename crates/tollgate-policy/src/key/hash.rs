//! Values that a key must not show.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The bytes of a hash that stand in a key: no two values that anyone will ever meet agree in 128
/// bits.
pub(super) const HASH_LENGTH: usize = 16;

/// Hashes secrets and long values: HMAC-SHA-256 (RFC 2104) under a key that all processes which
/// share a store must agree on.
#[derive(Clone)]
pub(crate) struct KeyHasher(Hmac<Sha256>);

impl KeyHasher {
    pub(crate) fn new(key: &[u8]) -> Self {
        // HMAC takes keys of any length; the fallback is never taken.
        let mac = Hmac::new_from_slice(key);
        Self(mac.unwrap_or_else(|_| Hmac::new(&hmac::digest::Key::<Hmac<Sha256>>::default())))
    }

    pub(super) fn hash(&self, value: &str) -> [u8; HASH_LENGTH] {
        let mut mac = self.0.clone();
        mac.update(value.as_bytes());
        let full = mac.finalize().into_bytes();
        let mut hash = [0; HASH_LENGTH];
        for (byte, full) in hash.iter_mut().zip(full) {
            *byte = full;
        }
        hash
    }
}

/// The key that is used where none is set: it keeps hashes apart from those of other programs, and
/// nothing more.
impl Default for KeyHasher {
    fn default() -> Self {
        Self::new(b"tollgate key part v1")
    }
}

impl fmt::Debug for KeyHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyHasher").finish_non_exhaustive()
    }
}
