//! TLS.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tollgate_server::{Server, ServerSettings, SurfaceName, TlsFiles};
use tollgate_testkit::redis::Certificates;

use crate::support::{Daemon, ask, engine, is_closed, port, settings, within};

/// Copies, which tests may change, as the files of a mounted secret change.
struct Files(TempDir);

impl Files {
    fn of(certificates: &Certificates) -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        files.become_those_of(certificates);
        files
    }

    fn become_those_of(&self, certificates: &Certificates) {
        fs::write(self.path("crt"), certificates.server_certificate().text()).unwrap();
        fs::write(self.path("key"), certificates.server_key().text()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn tls(&self) -> TlsFiles {
        TlsFiles {
            certificate: self.path("crt"),
            key: self.path("key"),
            client_ca: None,
        }
    }

    fn settings(&self) -> ServerSettings {
        settings(|it| it.tls = Some(self.tls()))
    }
}

/// A client that trusts an authority, and may have a certificate.
async fn connect(
    daemon: &Daemon,
    trusted: &Certificates,
    is_known: bool,
    protocols: &[&[u8]],
) -> std::io::Result<TlsStream<TcpStream>> {
    let read = |path: &Path| CertificateDer::from_pem_file(path).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(read(trusted.authority().path())).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots);
    let mut config = if is_known {
        let key = PrivateKeyDer::from_pem_file(trusted.client_key().path()).unwrap();
        let chain = vec![read(trusted.client_certificate().path())];
        config.with_client_auth_cert(chain, key).unwrap()
    } else {
        config.with_no_client_auth()
    };
    config.alpn_protocols = protocols.iter().map(|it| it.to_vec()).collect();
    let stream = daemon.connect().await;
    let name = "localhost".try_into().unwrap();
    within(TlsConnector::from(Arc::new(config)).connect(name, stream)).await
}

#[tokio::test]
async fn what_comes_over_tcp_is_encrypted_and_the_version_of_http_is_chosen() {
    let certificates = Certificates::new();
    let daemon = Daemon::start(Files::of(&certificates).settings()).await;
    let protocols: [&[u8]; 2] = [b"h2", b"http/1.1"];
    for (offered, chosen) in [
        (&protocols[..], Some(&b"h2"[..])),
        (&protocols[1..], Some(&b"http/1.1"[..])),
        (&[], None),
    ] {
        let mut stream = connect(&daemon, &certificates, false, offered)
            .await
            .unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), chosen);
        if chosen != Some(b"h2") {
            let answer = ask(&mut stream, "/livez").await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        }
    }
    // Who does not encrypt gets nowhere, and holds nothing up.
    let mut plain = daemon.connect().await;
    assert!(ask(&mut plain, "/livez").await.is_err());
}

#[tokio::test]
async fn exceptions_and_what_operators_ask_stay_plain() {
    let files = Files::of(&Certificates::new());
    let mut settings = files.settings();
    settings.plain = vec![SurfaceName::Http];
    settings.operations = Some("127.0.0.1:0".parse().unwrap());
    let daemon = Daemon::start(settings).await;
    for address in [daemon.http(), port(daemon.addresses.operations.as_ref())] {
        let mut plain = TcpStream::connect(address).await.unwrap();
        let answer = ask(&mut plain, "/livez").await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[tokio::test]
async fn a_client_without_a_certificate_is_turned_away_if_it_needs_one() {
    let certificates = Certificates::new();
    let files = Files::of(&certificates);
    let mut tls = files.tls();
    tls.client_ca = Some(certificates.authority().path().to_owned());
    let daemon = Daemon::start(settings(|it| it.tls = Some(tls))).await;
    let mut known = connect(&daemon, &certificates, true, &[]).await.unwrap();
    let answer = ask(&mut known, "/livez").await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // With TLS 1.3 the client learns it by the first answer.
    let turned_away = match connect(&daemon, &certificates, false, &[]).await {
        Ok(mut unknown) => ask(&mut unknown, "/livez").await.is_err(),
        Err(_) => true,
    };
    assert!(turned_away);
    let metrics = ask(&mut known, "/metrics").await.unwrap();
    let refused = "connections_refused_total{surface=\"http\",reason=\"handshake\"} 1";
    assert!(metrics.contains(refused), "{metrics}");
    assert!(metrics.contains("certificate_expiry_timestamp_seconds "));
}

#[tokio::test]
async fn a_new_certificate_is_for_new_connections_and_a_broken_one_for_none() {
    let (old, new) = (Certificates::new(), Certificates::new());
    let files = Files::of(&old);
    let daemon = Daemon::start(files.settings()).await;
    let watch = daemon.certificates.clone().unwrap();
    let mut before = connect(&daemon, &old, false, &[]).await.unwrap();

    // Half of it: the key is not that of the certificate.
    fs::write(files.path("crt"), new.server_certificate().text()).unwrap();
    watch.poll();
    watch.poll();
    connect(&daemon, &old, false, &[]).await.unwrap();

    // All of it: the first look may see what is still written to.
    files.become_those_of(&new);
    watch.poll();
    connect(&daemon, &old, false, &[]).await.unwrap();
    watch.poll();
    connect(&daemon, &new, false, &[]).await.unwrap();
    assert!(connect(&daemon, &old, false, &[]).await.is_err());

    fs::remove_file(files.path("key")).unwrap();
    watch.reload();
    connect(&daemon, &new, false, &[]).await.unwrap();

    // Asked for, it is used at once.
    files.become_those_of(&old);
    watch.reload();
    connect(&daemon, &old, false, &[]).await.unwrap();
    let answer = ask(&mut before, "/livez").await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn a_mistake_names_the_file_and_what_is_wrong_with_it() {
    let (one, other) = (Certificates::new(), Certificates::new());
    for (break_it, file, problem) in [
        (
            Box::new(|files: &Files| fs::write(files.path("key"), other.server_key().text()))
                as Box<dyn Fn(&Files) -> std::io::Result<()>>,
            "key",
            "is not that of the certificate",
        ),
        (
            Box::new(|files: &Files| fs::write(files.path("crt"), one.server_key().text())),
            "crt",
            "there is no certificate in",
        ),
        (
            Box::new(|files: &Files| fs::write(files.path("key"), "")),
            "key",
            "there is no private key in",
        ),
        (
            Box::new(|files: &Files| {
                let text = one.server_certificate().text();
                fs::write(files.path("crt"), text.replace("-----END", ""))
            }),
            "crt",
            "is no PEM file",
        ),
        (
            Box::new(|files: &Files| {
                let nonsense = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
                fs::write(files.path("crt"), nonsense)
            }),
            "crt",
            "cannot be used",
        ),
        (
            Box::new(|files: &Files| fs::remove_file(files.path("crt"))),
            "crt",
            "cannot read",
        ),
    ] {
        let files = Files::of(&one);
        break_it(&files).unwrap();
        let (_folder, engine) = engine();
        let error = Server::bind(engine, files.settings()).await.unwrap_err();
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert!(source.contains(problem), "{source}");
        assert!(
            source.contains(files.path(file).to_str().unwrap()),
            "{source}"
        );
    }
}

#[tokio::test]
async fn who_does_not_finish_the_handshake_is_cut_off() {
    let files = Files::of(&Certificates::new());
    let mut settings = files.settings();
    settings.handshake_timeout = Duration::from_millis(1);
    let daemon = Daemon::start(settings).await;
    let mut silent = daemon.connect().await;
    assert!(is_closed(&mut silent).await);
}
