//! Collectors that are reached by TLS.

use std::process::Command;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use tollgate_testkit::redis::{Certificates, PemFile};

use super::collector::Collector;
use super::{PROTOCOLS, exporting};
use crate::process::{Daemon, folder};

fn certificate(file: &PemFile) -> CertificateDer<'static> {
    CertificateDer::from_pem_file(file.path()).unwrap()
}

/// A collector that lets in who has a certificate of the authority.
fn collector(certificates: &Certificates) -> Collector {
    let provider = Arc::new(ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(certificate(&certificates.authority())).unwrap();
    let clients =
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
    let key = PrivateKeyDer::from_pem_file(certificates.server_key().path()).unwrap();
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(clients.build().unwrap())
        .with_single_cert(vec![certificate(&certificates.server_certificate())], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Collector::encrypted(TlsAcceptor::from(Arc::new(config)))
}

fn encrypting(command: &mut Command, collector: &Collector, certificates: &Certificates) {
    let endpoint = format!("https://localhost:{}", collector.address.port());
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    for (variable, file) in [
        ("CERTIFICATE", certificates.authority()),
        ("CLIENT_CERTIFICATE", certificates.client_certificate()),
        ("CLIENT_KEY", certificates.client_key()),
    ] {
        command.env(format!("OTEL_EXPORTER_OTLP_{variable}"), file.path());
    }
}

#[test]
fn what_is_exported_is_encrypted_for_a_collector_of_the_authority_that_is_named() {
    for protocol in PROTOCOLS {
        let certificates = Certificates::new();
        let (folder, collector) = (folder(), collector(&certificates));
        let mut command = exporting(folder.path(), &collector, protocol);
        encrypting(&mut command, &collector, &certificates);
        let _daemon = Daemon::start(&mut command);
        collector.metrics();
        // The connection is kept, or made again.
        collector.metrics();
    }
}

#[test]
fn nothing_is_exported_to_a_collector_that_nobody_vouches_for() {
    let certificates = Certificates::new();
    let (folder, collector) = (folder(), collector(&certificates));
    let mut command = exporting(folder.path(), &collector, "grpc");
    encrypting(&mut command, &collector, &certificates);
    let others = Certificates::new();
    command.env("OTEL_EXPORTER_OTLP_CERTIFICATE", others.authority().path());
    let daemon = Daemon::start(&mut command);
    let line = daemon.line("was not taken");
    assert!(line.contains("invalid peer certificate"), "{line}");
}
