//! Whom the daemon believes to be its collector, when what it exports is encrypted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::net::pem;

/// Files in PEM.
pub(super) struct TrustFiles {
    /// The authorities of collectors; the system's, if there is none.
    pub(super) authorities: Option<PathBuf>,
    /// The daemon's own certificate, and its key.
    pub(super) client: Option<(PathBuf, PathBuf)>,
}

/// How to encrypt what is exported. `protocol` is what is agreed on to be spoken then.
///
/// # Errors
///
/// A file cannot be used; the problem follows the name of a variable.
pub(super) fn config(files: &TrustFiles, protocol: &[u8]) -> Result<ClientConfig, String> {
    let roots = match &files.authorities {
        Some(file) => roots(certificates(file)?, file)?,
        None => system_roots()?,
    };
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("cannot be used: {error}"))?
        .with_root_certificates(roots);
    let mut config = match &files.client {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = certificates(certificate)?;
            let wrong = |problem: &str| format!("names {}, {problem}", key.display());
            let key = pem::read(key).map_err(|error| pem::told(&error))?;
            let key = PrivateKeyDer::from_pem_slice(&key)
                .map_err(|_| wrong("which has no private key in PEM, or one with a passphrase"))?;
            builder
                .with_client_auth_cert(chain, key)
                .map_err(|_| wrong("whose key is not that of the certificate"))?
        }
    };
    config.alpn_protocols = vec![protocol.to_vec()];
    Ok(config)
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let found = pem::read(file).and_then(|contents| pem::certificates(file, &contents));
    found.map_err(|error| format!("cannot be used: {}", pem::told(&error)))
}

fn roots(certificates: Vec<CertificateDer<'static>>, file: &Path) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates {
        roots.add(certificate).map_err(|error| {
            let file = file.display();
            format!("cannot be used: {file} has what is no authority: {error}")
        })?;
    }
    Ok(roots)
}

fn system_roots() -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    // Those of a system that cannot be read are not needed as long as others can.
    let (added, _) =
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    (added > 0).then_some(roots).ok_or_else(|| {
        "is not set, and the system has no certificates of authorities: set it to a file with that of \
         your collector, or install the package ca-certificates"
            .to_owned()
    })
}
