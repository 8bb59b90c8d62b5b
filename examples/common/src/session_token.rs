//! The secret that stands for a session.
//!
//! It is opaque and random, and given to the client once, at login. A store knows only its
//! SHA-256, so that a copy of the store opens no session.

use std::fmt::{self, Debug, Formatter, Write};

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};

/// The system has no randomness to give.
#[derive(Debug, thiserror::Error)]
#[error("no randomness for a session token")]
pub struct NoRandomness(#[source] getrandom::Error);

/// The token of a session. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    /// A new token: 256 random bits as 64 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// The system has no randomness to give.
    pub fn random() -> Result<Self, NoRandomness> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(NoRandomness)?;
        Ok(Self(hex(&bytes)))
    }

    /// A token that a client shows; `None` if no token looks like this.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let well_formed =
            text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        well_formed.then(|| Self(text.to_owned()))
    }

    /// The token in `Authorization: Bearer …`; `None` if there is none that looks like one.
    #[must_use]
    pub fn in_headers(headers: &HeaderMap) -> Option<Self> {
        let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = value.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        Self::parse(token.trim())
    }

    /// The token in plain text, for the one answer that tells it to the client.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What the store knows of the token. A fast hash is enough: nobody guesses
    /// 256 random bits.
    #[must_use]
    pub fn digest(&self) -> String {
        hex(&Sha256::digest(self.0.as_bytes()))
    }
}

impl Debug for SessionToken {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(***)")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a String does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_and_no_two_are_alike() {
        let token = SessionToken::random().unwrap();
        assert_eq!(SessionToken::parse(token.expose()), Some(token.clone()));
        assert_ne!(SessionToken::random().unwrap(), token);
    }

    #[test]
    fn what_is_no_token_is_refused() {
        for text in [
            "",
            "abc",
            &"g".repeat(64),
            &"A".repeat(64),
            &"a".repeat(65),
            &"é".repeat(32),
        ] {
            assert_eq!(SessionToken::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_scheme_is_bearer_in_any_case_and_no_other() {
        let token = "a".repeat(64);
        let found = |value: String| {
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())]);
            SessionToken::in_headers(&headers).is_some()
        };
        assert!(found(format!("Bearer {token}")) && found(format!("bearer {token}")));
        assert!(!found(format!("Basic {token}")) && !found(token) && !found("Bearer".to_owned()));
        assert_eq!(SessionToken::in_headers(&HeaderMap::new()), None);
    }

    #[test]
    fn neither_debug_nor_digest_shows_the_token() {
        let token = SessionToken::random().unwrap();
        assert!(!format!("{token:?}").contains(token.expose()));
        assert_ne!(token.digest(), token.expose());
    }

    #[test]
    fn the_digest_is_sha_256() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            SessionToken("abc".to_owned()).digest(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        );
    }
}
