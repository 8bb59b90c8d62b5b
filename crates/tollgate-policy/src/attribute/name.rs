//! The names of attributes.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::secret_names::{sounds_secret, sounds_secret_or_key};

/// The longest name, in bytes.
const MAX_LENGTH: usize = 64;

/// The name of an attribute.
///
/// ```
/// use tollgate_policy::AttributeName;
///
/// let plan: AttributeName = "header.X-Plan".parse()?;
/// assert_eq!(plan.to_string(), "header.x-plan");
/// assert!("Client.IP".parse::<AttributeName>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AttributeName {
    /// `client.ip`: the address of the client. Matched by CIDRs; in a key, an IPv6 address is cut
    /// to its network.
    ClientIp,
    /// `method`: the request method, case-sensitive (RFC 9110, section 9.1).
    Method,
    /// `path`: the path of the target, in [normal form](crate::normalize_path); matched also as it is
    /// served by routers that keep dot segments and empty segments, and by lenient ones.
    Path,
    /// `route`: the template that the router matched, such as `/users/{id}`.
    Route,
    /// `host`: the host of the target, in lower case and without the port.
    Host,
    /// `header.NAME`: the value of a request header; the name in lower case.
    Header(Box<str>),
    /// `query.NAME`: the value of a parameter of the query, decoded; the name as it is written, in
    /// which letter case matters.
    Query(Box<str>),
    /// Anything else that the program or the protocol knows: `user`, `user.plan`.
    Other(Box<str>),
}

impl AttributeName {
    /// True if the client alone chooses the value, request by request: whoever is counted by such
    /// a value has as many counts as they like.
    #[must_use]
    pub const fn is_chosen_by_client(&self) -> bool {
        matches!(
            self,
            Self::Method | Self::Path | Self::Host | Self::Header(_) | Self::Query(_)
        )
    }

    /// True if values may be secrets, so that keys carry only a hash of them: attributes whose name
    /// contains a word such as `auth`, `cookie`, `api-key`, `csrf`, `session`, `signature` or `token`,
    /// and headers and parameters with `key`.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        match self {
            Self::Header(name) | Self::Query(name) => sounds_secret_or_key(name),
            Self::Other(name) => sounds_secret(name),
            _ => false,
        }
    }
}

impl fmt::Display for AttributeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClientIp => f.write_str("client.ip"),
            Self::Method => f.write_str("method"),
            Self::Path => f.write_str("path"),
            Self::Route => f.write_str("route"),
            Self::Host => f.write_str("host"),
            Self::Header(name) => write!(f, "header.{name}"),
            Self::Query(name) => write!(f, "query.{name}"),
            Self::Other(name) => f.write_str(name),
        }
    }
}

impl FromStr for AttributeName {
    type Err = ParseAttributeNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |problem| ParseAttributeNameError {
            name: text.chars().take(MAX_LENGTH).collect(),
            problem,
        };
        if text.is_empty() {
            return Err(error(Problem::Empty));
        }
        if text.len() > MAX_LENGTH {
            return Err(error(Problem::TooLong));
        }
        if let Some(known) = built_in(text) {
            return Ok(known);
        }
        if let Some(header) = text.strip_prefix("header.") {
            return if !header.is_empty() && header.bytes().all(is_token) {
                Ok(Self::Header(header.to_ascii_lowercase().into()))
            } else {
                Err(error(Problem::NotAHeader))
            };
        }
        if let Some(parameter) = text.strip_prefix("query.") {
            return if !parameter.is_empty() && parameter.bytes().all(is_token) {
                Ok(Self::Query(parameter.into()))
            } else {
                Err(error(Problem::NotAParameter))
            };
        }
        let lower = match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
        if let Some((before, rest)) = text.split_once('.')
            && before.eq_ignore_ascii_case("query")
        {
            return Err(error(Problem::Case(format!("query.{rest}"))));
        }
        if built_in(&lower).is_some() || lower.starts_with("header.") {
            return Err(error(Problem::Case(lower.into_owned())));
        }
        if lower == "client"
            || lower.starts_with("client.")
            || lower == "header"
            || lower == "query"
        {
            return Err(error(Problem::Reserved));
        }
        let segments_are_words = text
            .split('.')
            .all(|word| !word.is_empty() && word.bytes().all(is_word));
        if !segments_are_words {
            return Err(error(Problem::Character));
        }
        Ok(Self::Other(text.into()))
    }
}

fn built_in(text: &str) -> Option<AttributeName> {
    Some(match text {
        "client.ip" => AttributeName::ClientIp,
        "method" => AttributeName::Method,
        "path" => AttributeName::Path,
        "route" => AttributeName::Route,
        "host" => AttributeName::Host,
        _ => return None,
    })
}

/// RFC 9110, section 5.6.2.
pub(crate) const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'-'
                | b'.'
                | b'^'
                | b'_'
                | b'`'
                | b'|'
                | b'~'
        )
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// A text that names no attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseAttributeNameError {
    name: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Empty,
    TooLong,
    NotAHeader,
    NotAParameter,
    Reserved,
    Character,
    Case(String),
}

impl fmt::Display for ParseAttributeNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.problem {
            Problem::Empty => f.write_str("the name of an attribute is empty; write `client.ip`, `method`, `path`, `route`, `host`, `header.NAME`, `query.NAME` or a name of your own"),
            Problem::TooLong => write!(f, "the name of an attribute that begins with `{name}` is longer than {MAX_LENGTH} bytes"),
            Problem::NotAHeader => write!(f, "`{name}` does not name a header; write `header.` and a field name, such as `header.x-plan`"),
            Problem::NotAParameter => write!(f, "`{name}` does not name a parameter; write `query.` and its name, such as `query.page`"),
            Problem::Reserved => write!(f, "`{name}` is not an attribute; the attributes that begin with `client`, `header` and `query` are `client.ip`, `header.NAME` and `query.NAME`"),
            Problem::Character => write!(f, "`{name}` is not the name of an attribute; use letters, digits, `_` and `-` in words joined by `.`, such as `user.plan`"),
            Problem::Case(lower) => write!(f, "`{name}` is not an attribute; write `{lower}`"),
        }
    }
}

impl Error for ParseAttributeNameError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_it_is_read() {
        for text in [
            "client.ip",
            "method",
            "path",
            "route",
            "host",
            "header.x-plan",
            "query.Page",
            "query.page.size",
            "user",
            "user.plan",
            "generic_key",
        ] {
            let name: AttributeName = text.parse().unwrap();
            assert_eq!(name.to_string(), text);
        }
        assert_eq!("method".parse(), Ok(AttributeName::Method));
        assert_eq!(
            "header.X-Plan".parse(),
            Ok(AttributeName::Header("x-plan".into()))
        );
    }

    #[test]
    fn refuses_what_names_nothing() {
        for text in [
            "",
            ".",
            "user.",
            ".user",
            "us er",
            "user\n",
            "header.",
            "header.x y",
            "header",
            "query",
            "query.",
            "query.a[]",
            "client",
            "client.port",
            &"x".repeat(65),
        ] {
            assert!(text.parse::<AttributeName>().is_err(), "{text:?}");
        }
    }

    // B117
    #[test]
    fn refuses_wrong_letter_case_and_says_what_is_meant() {
        let error = "Client.IP".parse::<AttributeName>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`Client.IP` is not an attribute; write `client.ip`"
        );
        assert!("Header.x-plan".parse::<AttributeName>().is_err());
        let error = "Query.Page".parse::<AttributeName>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`Query.Page` is not an attribute; write `query.Page`"
        );
    }

    #[test]
    fn knows_which_values_are_secrets() {
        let secret = |text: &str| text.parse::<AttributeName>().unwrap().is_secret();
        for text in [
            "header.authorization",
            "header.cookie",
            "header.x-api-key",
            "user.token",
            "SessionId",
            "header.x-key",
            "query.key",
            "api.key",
            "header.x-csrf",
            "header.signature",
            "query.sig",
            "query.pwd",
        ] {
            assert!(secret(text), "{text}");
        }
        for text in [
            "user",
            "client.ip",
            "header.x-plan",
            "path",
            "host",
            "generic_key",
        ] {
            assert!(!secret(text), "{text}");
        }
    }
}
