//! What a URL names: servers, and how to log in to them.
//!
//! Read by hand rather than by a general parser, since a list of hosts with ports is not what one
//! understands, and since no error may repeat what could be a password.

mod parts;
mod read;

use std::fmt;
use std::path::PathBuf;

use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo, ProtocolVersion};

use crate::error::UrlError;

/// All that a URL says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) place: Place,
    pub(crate) is_tls: bool,
    pub(crate) login: Login,
    /// Of the sentinels, which have users and passwords of their own.
    pub(crate) sentinel_login: Login,
    pub(crate) database: i64,
}

/// Which servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Server(Endpoint),
    Socket(PathBuf),
    Sentinel {
        sentinels: Vec<Endpoint>,
        master: String,
    },
    Cluster(Vec<Endpoint>),
}

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Endpoint {
    /// A name or an address, which for IPv6 stands without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// A user and a password.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) user: Option<String>,
    pub(crate) password: Option<String>,
}

impl Target {
    pub(crate) fn parse(url: &str) -> Result<Self, UrlError> {
        read::target(url)
    }

    /// How to connect to a server that holds data. `tls` is an address that knows the certificates
    /// to use, if there are any.
    pub(crate) fn data_server(
        &self,
        endpoint: &Endpoint,
        tls: Option<&ConnectionAddr>,
    ) -> Result<ConnectionInfo, UrlError> {
        let address = endpoint.address(self.is_tls, tls);
        // The third protocol tells when a connection has ended; servers have it since 6.0.
        info(address, &self.login, self.database, ProtocolVersion::RESP3)
    }

    /// How to connect to a server on this machine.
    pub(crate) fn data_socket(&self, path: &std::path::Path) -> Result<ConnectionInfo, UrlError> {
        let address = ConnectionAddr::Unix(path.to_owned());
        info(address, &self.login, self.database, ProtocolVersion::RESP3)
    }

    /// How to ask a server that holds data about itself and others.
    pub(crate) fn data_server_asked(
        &self,
        endpoint: &Endpoint,
        tls: Option<&ConnectionAddr>,
    ) -> Result<ConnectionInfo, UrlError> {
        let address = endpoint.address(self.is_tls, tls);
        info(address, &self.login, 0, ProtocolVersion::RESP2)
    }

    /// How to ask a sentinel.
    pub(crate) fn sentinel(
        &self,
        endpoint: &Endpoint,
        tls: Option<&ConnectionAddr>,
    ) -> Result<ConnectionInfo, UrlError> {
        let address = endpoint.address(self.is_tls, tls);
        info(address, &self.sentinel_login, 0, ProtocolVersion::RESP2)
    }
}

impl Login {
    /// An empty user or password is none.
    pub(crate) fn new(user: &str, password: &str) -> Self {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Self {
            user: some(user),
            password: some(password),
        }
    }
}

impl Endpoint {
    fn address(&self, is_tls: bool, tls: Option<&ConnectionAddr>) -> ConnectionAddr {
        let tls_params = match tls {
            Some(ConnectionAddr::TcpTls { tls_params, .. }) => tls_params.clone(),
            _ => None,
        };
        let (host, port) = (self.host.clone(), self.port);
        if is_tls {
            ConnectionAddr::TcpTls {
                host,
                port,
                insecure: false,
                tls_params,
            }
        } else {
            ConnectionAddr::Tcp(host, port)
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login")
            .field("user", &self.user)
            .field("password", &self.password.as_ref().map(|_| "hidden"))
            .finish()
    }
}

fn info(
    address: ConnectionAddr,
    login: &Login,
    database: i64,
    protocol: ProtocolVersion,
) -> Result<ConnectionInfo, UrlError> {
    let info = address
        .into_connection_info()
        .map_err(|_| wrong("its address cannot be used"))?;
    let mut settings = info
        .redis_settings()
        .clone()
        .set_db(database)
        .set_protocol(protocol)
        .set_skip_set_lib_name();
    if let Some(user) = &login.user {
        settings = settings.set_username(user);
    }
    if let Some(password) = &login.password {
        settings = settings.set_password(password);
    }
    Ok(info.set_redis_settings(settings))
}

/// How to connect to the one server of a URL.
#[cfg(test)]
pub(crate) fn connection_info(url: &str) -> Result<ConnectionInfo, UrlError> {
    let target = Target::parse(url)?;
    match &target.place {
        Place::Server(endpoint) => target.data_server(endpoint, None),
        _ => Err(wrong("it is not that of one server")),
    }
}

fn wrong(what: &str) -> UrlError {
    UrlError::new(format!("not the url of a redis: {what}"))
}

#[cfg(test)]
mod tests;
