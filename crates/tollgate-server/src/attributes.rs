//! Attributes that a caller gives by name.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use tollgate_policy::{
    AttributeName, Attributes, ClientAddress, ClientIdentity, ParseAttributeNameError, query_value,
};

/// The most attributes of one request.
pub(crate) const MAX_ATTRIBUTES: usize = 64;

/// The longest value, in bytes.
pub(crate) const MAX_VALUE_BYTES: usize = 8 * 1024;

/// The attributes of one request, as a caller gives them.
///
/// `client.ip` is an address; whom it is counted with says the client identity in force, so that
/// there is no client before [`identify`](Self::identify).
#[derive(Debug, Default)]
pub(crate) struct GivenAttributes<'g> {
    values: Vec<(AttributeName, Cow<'g, str>)>,
    ip: Option<IpAddr>,
    client: Option<ClientAddress>,
}

impl<'g> GivenAttributes<'g> {
    /// Adds an attribute by its name, as policies write it.
    ///
    /// # Errors
    ///
    /// The name is none or has been given, the value is too long or, of `client.ip`, no address, or of
    /// `path`, no path, or there are too many.
    pub(crate) fn add(
        &mut self,
        name: &str,
        value: impl Into<Cow<'g, str>>,
    ) -> Result<(), AttributeError> {
        let value = value.into();
        let parsed: AttributeName = name.parse().map_err(AttributeError::Name)?;
        if value.len() > MAX_VALUE_BYTES {
            return Err(AttributeError::TooLong(parsed));
        }
        if self.len() >= MAX_ATTRIBUTES {
            return Err(AttributeError::TooMany);
        }
        if parsed == AttributeName::ClientIp {
            if self.ip.is_some() {
                return Err(AttributeError::Twice(parsed));
            }
            let ip = value.parse();
            self.ip = Some(ip.map_err(|_| AttributeError::NoAddress(shown(&value)))?);
            return Ok(());
        }
        if self.given(&parsed).is_some() {
            return Err(AttributeError::Twice(parsed));
        }
        if parsed == AttributeName::Path && !is_path(value.as_bytes()) {
            return Err(AttributeError::NoPath(shown(&value)));
        }
        self.values.push((parsed, value));
        Ok(())
    }

    /// Says who the client is, as this identity counts addresses.
    pub(crate) fn identify(&mut self, identity: &ClientIdentity) {
        self.client = self.ip.map(|ip| identity.client_at(ip));
    }

    fn given(&self, name: &AttributeName) -> Option<&str> {
        let mut values = self.values.iter();
        let (_, value) = values.find(|(known, _)| known == name)?;
        Some(value)
    }

    fn len(&self) -> usize {
        self.values.len() + usize::from(self.ip.is_some())
    }
}

impl Attributes for GivenAttributes<'_> {
    fn attribute(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        let value = self.given(name).map(Cow::Borrowed);
        match name {
            AttributeName::Query(parameter) => {
                value.or_else(|| parameter_of(self.given(&AttributeName::Path)?, parameter))
            }
            _ => value,
        }
    }

    fn client(&self) -> Option<ClientAddress> {
        self.client
    }
}

/// Whether it can be the path of a request: one that is not cannot be matched by any policy, and would
/// pass them all.
pub(crate) fn is_path(value: &[u8]) -> bool {
    value.starts_with(b"/") || value == b"*"
}

/// The value of a parameter in the query of a path.
pub(crate) fn parameter_of<'p>(path: &'p str, parameter: &str) -> Option<Cow<'p, str>> {
    let (_, query) = path.split_once('?')?;
    query_value(query, parameter)
}

/// Why an attribute cannot be taken. Values are not told, but what should be an address or
/// a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AttributeError {
    /// It has no name that policies could have.
    Name(ParseAttributeNameError),
    /// It is there already.
    Twice(AttributeName),
    /// Its value is longer than is read.
    TooLong(AttributeName),
    /// There are more than are read.
    TooMany,
    /// `client.ip` is no address.
    NoAddress(String),
    /// `path` is no path.
    NoPath(String),
}

impl fmt::Display for AttributeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::Twice(name) => write!(f, "the attribute `{name}` is given twice"),
            Self::TooLong(name) => write!(
                f,
                "the value of the attribute `{name}` is longer than {MAX_VALUE_BYTES} bytes"
            ),
            Self::TooMany => write!(f, "there are more than {MAX_ATTRIBUTES} attributes"),
            Self::NoAddress(value) => write!(
                f,
                "the value of the attribute `client.ip`, `{value}`, is no IP address; give one \
                 without a port, such as `198.51.100.7` or `2001:db8::7`"
            ),
            Self::NoPath(value) => write!(
                f,
                "the value of the attribute `path`, `{value}`, is no path; give what follows the host, \
                 from the first `/` on, such as `/auth/login`"
            ),
        }
    }
}

impl std::error::Error for AttributeError {}

/// A value for a message: printable, and not endless.
pub(crate) fn shown(value: &str) -> String {
    const LONGEST: usize = 60;
    let start: String = value.chars().take(LONGEST).collect();
    let dots = if start.len() < value.len() { "..." } else { "" };
    format!("{}{dots}", start.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, value: &str) -> Result<ClientAddress, String> {
        let mut given = GivenAttributes::default();
        let added = given.add(name, value.to_owned());
        added.map_err(|error| error.to_string())?;
        given.identify(&ClientIdentity::default());
        given.client().ok_or_else(|| "no client".to_owned())
    }

    #[test]
    fn an_address_is_counted_as_that_of_a_peer_is() {
        let network = |text| of("client.ip", text).unwrap().network().to_string();
        assert_eq!(network("198.51.100.7"), network("::ffff:198.51.100.7"));
        assert_eq!(network("2001:db8::1"), network("2001:db8::2"));
        assert_ne!(network("2001:db8:0:1::1"), network("2001:db8::1"));
    }

    #[test]
    fn what_is_no_address_is_an_error_that_says_so() {
        for text in ["", "localhost", "198.51.100.7:80", "[::1]", "010.0.0.1"] {
            let error = of("client.ip", text).unwrap_err();
            assert!(error.contains("is no IP address"), "{error}");
        }
    }

    #[test]
    fn what_cannot_be_a_path_is_an_error_that_says_what_to_give() {
        for text in ["", "auth/login", "https://example.org/auth/login", "?a"] {
            let mut given = GivenAttributes::default();
            let error = given.add("path", text).unwrap_err().to_string();
            assert!(error.contains("such as `/auth/login`"), "{error}");
        }
        for text in ["/", "/auth/login?next=https://example.org", "//a", "*"] {
            assert_eq!(GivenAttributes::default().add("path", text), Ok(()));
        }
    }

    #[test]
    fn a_parameter_is_read_from_the_path_unless_it_is_given() {
        let mut given = GivenAttributes::default();
        given.add("path", "/q?page=2&a=1&a=x+y").unwrap();
        let value = |given: &GivenAttributes<'_>, name: &str| {
            given.attribute(&name.parse().unwrap()).map(Cow::into_owned)
        };
        assert_eq!(value(&given, "query.page").as_deref(), Some("2"));
        assert_eq!(value(&given, "query.a").as_deref(), Some("1, x y"));
        assert_eq!(value(&given, "query.Page"), None);
        given.add("query.page", "7").unwrap();
        assert_eq!(value(&given, "query.page").as_deref(), Some("7"));
    }

    #[test]
    fn names_are_those_of_policies_and_come_once() {
        let mut given = GivenAttributes::default();
        given.add("header.X-Plan", "pro").unwrap();
        let plan = "header.x-plan".parse().unwrap();
        assert_eq!(given.attribute(&plan).as_deref(), Some("pro"));
        let twice = given.add("header.x-plan", "free").unwrap_err();
        assert_eq!(
            twice.to_string(),
            "the attribute `header.x-plan` is given twice"
        );
        given.add("client.ip", "::1").unwrap();
        assert!(matches!(
            given.add("client.ip", "::1"),
            Err(AttributeError::Twice(_))
        ));
        let case = given.add("Client.IP", "::1").unwrap_err().to_string();
        assert!(case.contains("write `client.ip`"), "{case}");
    }

    #[test]
    fn there_are_no_more_and_no_longer_ones_than_are_read() {
        let mut given = GivenAttributes::default();
        for number in 0..MAX_ATTRIBUTES {
            given.add(&format!("a{number}"), "x").unwrap();
        }
        assert_eq!(given.add("more", "x"), Err(AttributeError::TooMany));
        let mut given = GivenAttributes::default();
        given.add("user", "x".repeat(MAX_VALUE_BYTES)).unwrap();
        let error = given.add("host", "x".repeat(MAX_VALUE_BYTES + 1));
        assert_eq!(error, Err(AttributeError::TooLong(AttributeName::Host)));
    }
}
