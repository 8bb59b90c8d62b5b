//! A certificate authority of one's own, and what it has signed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use super::directory::Directory;

/// What `openssl` is to write into certificates.
const CONFIGURATION: &str = "\
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
# A replica is a client of its master.
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = DNS:localhost, IP:127.0.0.1
[elsewhere]
basicConstraints = critical, CA:FALSE
extendedKeyUsage = serverAuth
subjectAltName = DNS:elsewhere.test
[client]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = clientAuth
";

/// Whether a server asks its clients for certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientCertificates {
    /// Each must have one of the server's authority.
    Required,
    /// Who has one must have one of the server's authority.
    Optional,
    /// Nobody is asked.
    Ignored,
}

impl ClientCertificates {
    /// As `tls-auth-clients` has it.
    pub(super) const fn setting(self) -> &'static str {
        match self {
            Self::Required => "yes",
            Self::Optional => "optional",
            Self::Ignored => "no",
        }
    }
}

/// An authority that nobody else trusts, and the keys and certificates of a server and of a client
/// that it has signed. Clones share the files, which are removed with the last.
#[derive(Clone, Debug)]
pub struct Certificates(Arc<Directory>);

impl Certificates {
    /// A new authority, and a server that is `localhost` and `127.0.0.1`.
    ///
    /// # Panics
    ///
    /// If there is no `openssl`.
    #[must_use]
    pub fn new() -> Self {
        Self::with_server("server")
    }

    /// The same, but the server's certificate is for `elsewhere.test`, which it is not.
    ///
    /// # Panics
    ///
    /// If there is no `openssl`.
    #[must_use]
    pub fn of_another_host() -> Self {
        Self::with_server("elsewhere")
    }

    fn with_server(kind: &str) -> Self {
        let directory = Directory::new();
        fs::write(directory.file("openssl.cnf"), CONFIGURATION)
            .expect("the new directory takes a file");
        make(directory.path(), "authority", "authority", &[]);
        let signed = ["-CA", "authority.crt", "-CAkey", "authority.key"];
        make(directory.path(), "server", kind, &signed);
        make(directory.path(), "client", "client", &signed);
        Self(Arc::new(directory))
    }

    /// The authority's certificate: whom a client is to trust.
    #[must_use]
    pub fn authority(&self) -> PemFile {
        self.file("authority.crt")
    }

    /// The server's certificate.
    #[must_use]
    pub fn server_certificate(&self) -> PemFile {
        self.file("server.crt")
    }

    /// The server's private key.
    #[must_use]
    pub fn server_key(&self) -> PemFile {
        self.file("server.key")
    }

    /// The client's certificate.
    #[must_use]
    pub fn client_certificate(&self) -> PemFile {
        self.file("client.crt")
    }

    /// The client's private key.
    #[must_use]
    pub fn client_key(&self) -> PemFile {
        self.file("client.key")
    }

    fn file(&self, name: &str) -> PemFile {
        PemFile(self.0.path().join(name))
    }
}

impl Default for Certificates {
    fn default() -> Self {
        Self::new()
    }
}

/// A file with a certificate or a private key (PKCS #8), in PEM. It is there as long as its
/// [`Certificates`].
#[derive(Clone, Debug)]
pub struct PemFile(PathBuf);

impl PemFile {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What is in it.
    ///
    /// # Panics
    ///
    /// If its [`Certificates`] are gone.
    #[must_use]
    pub fn text(&self) -> String {
        fs::read_to_string(&self.0).expect("the certificates are still there")
    }
}

/// Writes `{name}.key` and `{name}.crt`, which is of this kind and for two days.
fn make(directory: &Path, name: &str, kind: &str, signed: &[&str]) {
    let [key, certificate] = ["key", "crt"].map(|suffix| format!("{name}.{suffix}"));
    let output = Command::new("openssl")
        .current_dir(directory)
        .args([
            "req",
            "-x509",
            "-config",
            "openssl.cnf",
            "-extensions",
            kind,
        ])
        .args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
        .args([
            "-nodes",
            "-days",
            "2",
            "-subj",
            &format!("/CN=tollgate {name}"),
        ])
        .args(["-keyout", &key, "-out", &certificate])
        .args(signed)
        .output()
        .unwrap_or_else(|error| {
            panic!("cannot run openssl ({error}); install it with: apt-get install openssl")
        });
    assert!(
        output.status.success(),
        "openssl makes no certificate:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
