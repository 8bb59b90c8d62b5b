//! Attributes that own their values.

use std::borrow::Cow;
use std::net::IpAddr;

use super::{AttributeName, Attributes};
use crate::ClientAddress;

/// Attributes that own their values: for tests, log lines, and protocols that carry names and
/// values.
///
/// ```
/// use tollgate_policy::{AttributeMap, AttributeName, Attributes};
///
/// let request = AttributeMap::new()
///     .with(AttributeName::Method, "GET")
///     .with(AttributeName::Path, "/places/7")
///     .with_client_ip("198.51.100.7".parse()?);
/// assert_eq!(request.attribute(&AttributeName::Method).as_deref(), Some("GET"));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeMap {
    values: Vec<(AttributeName, String)>,
    client: Option<ClientAddress>,
}

impl AttributeMap {
    /// No attribute at all.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            values: Vec::new(),
            client: None,
        }
    }

    /// Sets an attribute. The last value of a name counts. A [`AttributeName::ClientIp`] whose
    /// text is no address is no client.
    #[must_use]
    pub fn with(mut self, name: AttributeName, value: impl Into<String>) -> Self {
        self.set(name, value);
        self
    }

    /// Sets the client: see [`ClientAddress::new`].
    #[must_use]
    pub fn with_client_ip(self, ip: IpAddr) -> Self {
        self.with_client(ClientAddress::new(ip))
    }

    /// Sets the client.
    #[must_use]
    pub const fn with_client(mut self, client: ClientAddress) -> Self {
        self.client = Some(client);
        self
    }

    /// Sets an attribute, as [`with`](Self::with) does.
    pub fn set(&mut self, name: AttributeName, value: impl Into<String>) {
        let value = value.into();
        if name == AttributeName::ClientIp {
            self.client = value.parse().ok().map(ClientAddress::new);
            return;
        }
        match self.values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.values.push((name, value)),
        }
    }
}

impl Attributes for AttributeMap {
    fn attribute(&self, name: &AttributeName) -> Option<Cow<'_, str>> {
        self.values
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| Cow::Borrowed(value.as_str()))
    }

    fn client(&self) -> Option<ClientAddress> {
        self.client
    }
}
