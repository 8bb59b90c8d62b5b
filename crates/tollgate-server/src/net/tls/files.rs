//! From files to what a handshake needs.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{Error as PemError, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::ClientCertVerifier;
use tokio_rustls::rustls::sign::{CertifiedKey, SingleCertAndKey};
use tokio_rustls::rustls::{Error, RootCertStore, ServerConfig};

use super::{Current, TlsError, TlsFiles, validity};

/// The most bytes of a file. A bundle of all the authorities of the web has a quarter of it.
const LARGEST: u64 = 1 << 20;

/// What the files have in them. It has no `Debug`: one is a private key.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
    client_ca: Option<Vec<u8>>,
}

impl Contents {
    pub(super) fn read(files: &TlsFiles) -> Result<Self, TlsError> {
        Ok(Self {
            certificate: read(&files.certificate)?,
            key: read(&files.key)?,
            client_ca: files.client_ca.as_deref().map(read).transpose()?,
        })
    }

    pub(super) fn configure(&self, files: &TlsFiles) -> Result<Current, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let certified = self.certified(files, &provider)?;
        let not_after = validity::look_at(&files.certificate, &certified.cert);
        let verifier = match (&files.client_ca, &self.client_ca) {
            (Some(file), Some(contents)) => authority(file, contents, &provider)?,
            _ => WebPkiClientVerifier::no_client_auth(),
        };
        let mut other = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|source| TlsError::Unusable {
                file: files.certificate.clone(),
                source,
            })?
            .with_client_cert_verifier(verifier)
            .with_cert_resolver(Arc::new(SingleCertAndKey::from(certified)));
        // A session that was taken up again would keep what its certificate allowed.
        other.send_tls13_tickets = if files.client_ca.is_some() { 0 } else { 2 };
        let mut http = other.clone();
        http.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Current {
            http: Arc::new(http),
            other: Arc::new(other),
            not_after,
        })
    }

    fn certified(
        &self,
        files: &TlsFiles,
        provider: &CryptoProvider,
    ) -> Result<CertifiedKey, TlsError> {
        let chain = certificates(&files.certificate, &self.certificate)?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|error| match error {
            PemError::NoItemsFound => TlsError::NoKey {
                file: files.key.clone(),
            },
            error => not_pem(&files.key, &error),
        })?;
        CertifiedKey::from_der(chain, key, provider).map_err(|error| match error {
            Error::InconsistentKeys(_) => TlsError::Mismatch {
                key: files.key.clone(),
                certificate: files.certificate.clone(),
            },
            // A key that is none is a general error there, a certificate one of its own.
            Error::InvalidCertificate(_) => TlsError::Unusable {
                file: files.certificate.clone(),
                source: error,
            },
            source => TlsError::Unusable {
                file: files.key.clone(),
                source,
            },
        })
    }
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    let error = |source| TlsError::Read {
        file: path.to_owned(),
        source,
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(error)?;
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(error)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= LARGEST) {
        return Ok(bytes);
    }
    Err(TlsError::TooLarge {
        file: path.to_owned(),
        limit: LARGEST,
    })
}

pub(crate) fn certificates(
    file: &Path,
    contents: &[u8],
) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(contents).collect();
    let found = found.map_err(|error| not_pem(file, &error))?;
    if found.is_empty() {
        return Err(TlsError::NoCertificate {
            file: file.to_owned(),
        });
    }
    Ok(found)
}

fn authority(
    file: &Path,
    contents: &[u8],
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let error = |problem: String| TlsError::Authority {
        file: file.to_owned(),
        problem,
    };
    let mut roots = RootCertStore::empty();
    for certificate in certificates(file, contents)? {
        roots.add(certificate).map_err(|it| error(it.to_string()))?;
    }
    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|it| error(it.to_string()))
}

fn not_pem(file: &Path, error: &PemError) -> TlsError {
    TlsError::NotPem {
        file: file.to_owned(),
        problem: error.to_string(),
    }
}
