//! What can be wrong with certificates.

use std::io;
use std::path::PathBuf;

use tokio_rustls::rustls;

/// Certificates cannot be used. No message holds a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is larger than any certificate.
    #[error("{} has more than {limit} bytes; no certificates and no key are as large", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// How many bytes it may have.
        limit: u64,
    },
    /// A file has no certificate.
    #[error("there is no certificate in {}; it is to have a part `-----BEGIN CERTIFICATE-----`", file.display())]
    NoCertificate {
        /// The file.
        file: PathBuf,
    },
    /// A file has no key.
    #[error("there is no private key in {}; it is to have a part `-----BEGIN PRIVATE KEY-----`, without a passphrase", file.display())]
    NoKey {
        /// The file.
        file: PathBuf,
    },
    /// A file is no PEM.
    #[error("{} is no PEM file: {problem}", file.display())]
    NotPem {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The certificate is another key's.
    #[error("the key in {} is not that of the certificate in {}", key.display(), certificate.display())]
    Mismatch {
        /// The file with the key.
        key: PathBuf,
        /// The file with the certificate.
        certificate: PathBuf,
    },
    /// A certificate or a key is of no use.
    #[error("{} cannot be used", file.display())]
    Unusable {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: rustls::Error,
    },
    /// The authorities of clients are of no use.
    #[error("{} cannot be used as the authority of clients: {problem}", file.display())]
    Authority {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
}
