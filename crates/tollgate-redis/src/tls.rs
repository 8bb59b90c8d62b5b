//! Whom to trust, and how to say who one is, where connections are encrypted.

use std::fmt;

use redis::{Client, ClientTlsConfig, ConnectionAddr, TlsCertificates};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};

use crate::error::UrlError;

/// Certificates for `rediss://` and its like. Without any, a server is trusted if the system's
/// certificates say so. There is no way to trust every server.
///
/// All of it is text in the PEM format, which may hold several certificates one after the other.
///
/// ```no_run
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use tollgate_redis::{RedisStore, TlsOptions};
///
/// let options = TlsOptions::new()
///     .ca(std::fs::read("ca.pem")?)
///     .client_certificate(std::fs::read("client.pem")?, std::fs::read("client.key")?);
/// let store = RedisStore::open("rediss://redis.example:6380")?.tls(&options)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct TlsOptions {
    ca: Option<Vec<u8>>,
    client: Option<(Vec<u8>, Vec<u8>)>,
}

impl TlsOptions {
    /// The system's certificates, and none of one's own.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Trusts the servers that these authorities have certified, and no others: the system's
    /// certificates count no more.
    #[must_use]
    pub fn ca(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.ca = Some(pem.into());
        self
    }

    /// Shows this certificate, followed by those between it and its authority, to servers that
    /// ask for one. The key is the certificate's, and not encrypted itself.
    #[must_use]
    pub fn client_certificate(
        mut self,
        certificate: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
    ) -> Self {
        self.client = Some((certificate.into(), key.into()));
        self
    }

    /// An address that knows the certificates, from which others take them.
    pub(crate) fn address(&self) -> Result<ConnectionAddr, UrlError> {
        self.check()?;
        let certificates = TlsCertificates {
            client_tls: self
                .client
                .clone()
                .map(|(client_cert, client_key)| ClientTlsConfig {
                    client_cert,
                    client_key,
                }),
            root_cert: self.ca.clone(),
        };
        let address = ConnectionAddr::TcpTls {
            host: "localhost".to_owned(),
            port: 1,
            insecure: false,
            tls_params: None,
        };
        let client = Client::build_with_tls(address, certificates)
            .map_err(|_| UrlError::new("the certificates for TLS cannot be used"))?;
        Ok(client.get_connection_info().addr().clone())
    }

    /// Finds now what each connection would fail of.
    fn check(&self) -> Result<(), UrlError> {
        let mut roots = RootCertStore::empty();
        if let Some(ca) = &self.ca {
            for authority in certificates(ca, "the authorities' certificates")? {
                roots.add(authority).map_err(|_| {
                    UrlError::new("a certificate of the authorities cannot be used as one")
                })?;
            }
        }
        let Some((certificate, key)) = &self.client else {
            return Ok(());
        };
        let chain = certificates(certificate, "the client certificate")?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| {
            UrlError::new(
                "the client key is not one in the PEM format; if it is encrypted, decrypt it first",
            )
        })?;
        ClientConfig::builder_with_provider(ring::default_provider().into())
            .with_safe_default_protocol_versions()
            .map_err(|_| UrlError::new("TLS cannot be used"))?
            .with_root_certificates(roots)
            .with_client_auth_cert(chain, key)
            .map(drop)
            .map_err(|_| UrlError::new("the client key is not that of the client certificate"))
    }
}

impl fmt::Debug for TlsOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsOptions")
            .field("ca", &self.ca.is_some())
            .field("client_certificate", &self.client.is_some())
            .finish()
    }
}

/// Where the process has not chosen who does its cryptography, this does; the client library takes
/// what the process has, and where two could be meant, it would panic.
pub(crate) fn choose_provider() {
    if CryptoProvider::get_default().is_none() {
        // Another thread may have been quicker, which is as well.
        let _ = ring::default_provider().install_default();
    }
}

fn certificates(pem: &[u8], whose: &str) -> Result<Vec<CertificateDer<'static>>, UrlError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    found
        .ok()
        .filter(|found| !found.is_empty())
        .ok_or_else(|| UrlError::new(format!("{whose} are not in the PEM format")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_which_certificate_cannot_be_used_and_shows_none() {
        let no_pem = || b"s3cret".to_vec();
        let empty = || b"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".to_vec();
        for (options, word) in [
            (TlsOptions::new().ca(no_pem()), "authorities"),
            (TlsOptions::new().ca(empty()), "authorities"),
            (
                TlsOptions::new().client_certificate(no_pem(), no_pem()),
                "client certificate",
            ),
            (
                TlsOptions::new().client_certificate(empty(), no_pem()),
                "client key",
            ),
        ] {
            let error = options.address().unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
            assert!(
                !format!("{error} {options:?}").contains("s3cret"),
                "{error}"
            );
        }
        assert!(TlsOptions::new().address().is_ok());
    }
}
