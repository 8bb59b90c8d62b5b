//! Names whose values are probably secrets: of attributes, of fields and of variables.

/// What such a name holds, whatever joins its words.
const PARTS: [&str; 21] = [
    "accesskey",
    "apikey",
    "auth",
    "bearer",
    "cookie",
    "credential",
    "csrf",
    "encryptionkey",
    "jwt",
    "passcode",
    "passphrase",
    "passw",
    "privatekey",
    "pwd",
    "secret",
    "session",
    "signature",
    "signingkey",
    "token",
    "xsrf",
    "hmac",
];

/// What is such a name, or a word of it, by itself: too short to look for inside words.
const WORDS: [&str; 7] = ["cred", "creds", "otp", "pass", "pw", "sid", "sig"];

/// True if a value of this name is probably a secret.
pub(crate) fn sounds_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    // `DBPASS`, and not `bypass`.
    let is_word = |word: &str| {
        WORDS.contains(&word) || word.ends_with("pass") && word != "bypass" && word != "compass"
    };
    if words.any(is_word) {
        return true;
    }
    let joined: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    PARTS.iter().any(|part| joined.contains(part))
}

/// True also where a key is most often a secret: in the name of a variable, of a header or of a
/// parameter.
pub(crate) fn sounds_secret_or_key(name: &str) -> bool {
    name.to_ascii_lowercase().contains("key") || sounds_secret(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_names_secrets() {
        for name in [
            "hash_secret",
            "auth_token",
            "pass",
            "password",
            "passwd",
            "pwd",
            "DBPASS",
            "api.key",
            "API-KEY",
            "privateKey",
            "x-csrf",
            "X-XSRF-TOKEN",
            "signature",
            "sig",
            "x-sig",
            "Authorization",
            "cookie",
            "sessionId",
            "credentials",
        ] {
            assert!(sounds_secret(name), "{name}");
        }
        for name in [
            "key",
            "missing_key",
            "max_keys",
            "design",
            "sign",
            "bypass",
            "path",
            "url",
            "side",
            "generic_key",
            "plan",
            "name",
        ] {
            assert!(!sounds_secret(name), "{name}");
        }
        assert!(sounds_secret_or_key("x-key"));
    }
}
