//! Encryption: certificates from files, which may change while the daemon runs.

mod error;
mod files;
mod validity;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

pub use error::TlsError;

/// What else reads certificates.
#[cfg(feature = "opentelemetry")]
pub(crate) mod pem {
    pub(crate) use super::files::{certificates, read};
    pub(crate) use super::told;
}

use files::Contents;

/// Where certificates are: files in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The daemon's certificate, and those that lead to its authority.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The authorities of the clients, each of which must have a certificate then.
    pub client_ca: Option<PathBuf>,
}

/// The certificates in use. Clones are the same.
#[derive(Clone)]
pub struct Certificates(Arc<Shared>);

struct Shared {
    files: TlsFiles,
    current: RwLock<Current>,
    watch: Mutex<Watch>,
}

#[derive(Clone)]
struct Current {
    /// With the protocols of HTTP to choose from.
    http: Arc<ServerConfig>,
    /// Without.
    other: Arc<ServerConfig>,
    /// Until when the certificate is valid, in seconds since the epoch, if that can be told.
    not_after: Option<u64>,
}

/// What was last seen in the files.
struct Watch {
    /// What is in use, or was found to be wrong.
    tried: Result<Contents, String>,
    /// What was found by the last look, which may still be written to.
    seen: Option<Result<Contents, String>>,
}

impl Certificates {
    /// Reads the files. What is odd but can be used is logged.
    ///
    /// # Errors
    ///
    /// A file cannot be read, lacks what it is for, or does not fit to the others.
    pub fn open(files: TlsFiles) -> Result<Self, TlsError> {
        let contents = Contents::read(&files)?;
        let current = contents.configure(&files)?;
        Ok(Self(Arc::new(Shared {
            current: RwLock::new(current),
            watch: Mutex::new(Watch {
                tried: Ok(contents),
                seen: None,
            }),
            files,
        })))
    }

    /// Looks whether the files have become others, and uses them for connections that begin from
    /// then on. What is found for the first time may still be written to, and is used by the next
    /// look. Certificates that cannot be used change nothing, and are logged. Blocks.
    pub fn poll(&self) {
        self.look(false);
    }

    /// As [`poll`](Self::poll), but uses at once what it finds, and says again what is wrong with
    /// it. Blocks.
    pub fn reload(&self) {
        self.look(true);
    }

    fn look(&self, is_asked_for: bool) {
        let shared = &*self.0;
        let watch = shared.watch.lock();
        // Nothing is half done in it if something panics.
        let mut watch = watch.unwrap_or_else(PoisonError::into_inner);
        let found = Contents::read(&shared.files).map_err(|error| told(&error));
        if !is_asked_for {
            if found == watch.tried {
                watch.seen = None;
                return;
            }
            if watch.seen.as_ref() != Some(&found) {
                watch.seen = Some(found);
                return;
            }
        }
        let usable = match &found {
            Ok(contents) => contents
                .configure(&shared.files)
                .map_err(|error| told(&error)),
            Err(error) => Err(error.clone()),
        };
        match usable {
            Ok(current) => {
                if found != watch.tried {
                    tracing::info!(file = %shared.files.certificate.display(), "the certificate was read again");
                }
                let place = shared.current.write();
                *place.unwrap_or_else(PoisonError::into_inner) = current;
            }
            Err(error) => {
                tracing::error!(%error, "the certificate cannot be used; what was in use stays");
            }
        }
        watch.tried = found;
        watch.seen = None;
    }

    /// What takes the next connection.
    pub(super) fn acceptor(&self, is_http: bool) -> TlsAcceptor {
        let current = self.current();
        TlsAcceptor::from(if is_http { current.http } else { current.other })
    }

    /// Until when the certificate is valid, in seconds since the epoch, if that can be told.
    pub(crate) fn not_after(&self) -> Option<u64> {
        self.current().not_after
    }

    fn current(&self) -> Current {
        let current = self.0.current.read();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl std::fmt::Debug for Certificates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certificates")
            .field("files", &self.0.files)
            .finish_non_exhaustive()
    }
}

/// An error with its causes, in one line.
pub(crate) fn told(error: &TlsError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
