//! Servers that speak TLS, seen by another client than the fixture.

use std::process::Command;

use tollgate_testkit::redis::{Certificates, ClientCertificates, Cluster, RedisServer};

use crate::client::Client;

/// What a client is answered that trusts this authority, and shows this certificate if any.
fn ping(port: u16, host: &str, trusted: &Certificates, shown: Option<&Certificates>) -> String {
    let mut command = Command::new("redis-cli");
    command
        .args(["-h", host, "-p", &port.to_string(), "--tls", "--sni", host])
        .args(["--user", "default", "--pass", "s3cret", "--no-auth-warning"])
        .arg("--cacert")
        .arg(trusted.authority().path());
    if let Some(shown) = shown {
        command
            .arg("--cert")
            .arg(shown.client_certificate().path())
            .arg("--key")
            .arg(shown.client_key().path());
    }
    let output = command.arg("PING").output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn a_client_must_trust_the_server_and_be_trusted_if_it_is_asked() {
    let [own, other] = [Certificates::new(), Certificates::new()];
    for (clients, nobody, stranger) in [
        (ClientCertificates::Required, false, false),
        (ClientCertificates::Optional, true, false),
        (ClientCertificates::Ignored, true, true),
    ] {
        let server = RedisServer::builder()
            .password("s3cret")
            .tls(&own, clients)
            .start();
        assert!(server.url().starts_with("rediss://"));
        let is_answered =
            |trusted, shown| ping(server.port(), "127.0.0.1", trusted, shown) == "PONG";
        assert!(is_answered(&own, Some(&own)), "{clients:?}");
        assert!(!is_answered(&other, Some(&own)), "{clients:?}");
        assert_eq!(is_answered(&own, None), nobody, "{clients:?}");
        assert_eq!(is_answered(&own, Some(&other)), stranger, "{clients:?}");
        // Without TLS there is no answer that a client could read.
        let mut plain = Client::connect(server.port()).unwrap();
        assert!(plain.ask("PING").is_err());
        assert_eq!(server.command(&["PING"]).text(), "PONG");
    }
}

#[test]
fn a_certificate_can_be_of_another_host() {
    let names = |certificates: &Certificates| {
        let output = Command::new("openssl")
            .args(["x509", "-noout", "-ext", "subjectAltName", "-in"])
            .arg(certificates.server_certificate().path())
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let own = names(&Certificates::new());
    assert!(
        own.contains("DNS:localhost") && own.contains("127.0.0.1"),
        "{own}"
    );
    let other = names(&Certificates::of_another_host());
    assert!(
        other.contains("DNS:elsewhere.test") && !other.contains("localhost"),
        "{other}"
    );
}

#[test]
fn texts_are_there_beside_the_files_and_go_with_them() {
    let certificates = Certificates::new();
    let shared = certificates.clone();
    let key = certificates.client_key();
    assert!(key.text().starts_with("-----BEGIN PRIVATE KEY-----"));
    for certificate in [certificates.authority(), certificates.client_certificate()] {
        assert!(
            certificate
                .text()
                .starts_with("-----BEGIN CERTIFICATE-----")
        );
    }
    drop(certificates);
    assert!(key.path().exists());
    drop(shared);
    assert!(!key.path().exists());
}

#[test]
fn a_cluster_speaks_tls_between_its_nodes_too() {
    let certificates = Certificates::new();
    let options = RedisServer::builder()
        .password("s3cret")
        .tls(&certificates, ClientCertificates::Required);
    let mut cluster = Cluster::start_like(&options);
    let promoted = cluster.fail_master(2);
    let port = cluster.nodes()[promoted].port();
    assert_eq!(
        ping(port, "localhost", &certificates, Some(&certificates)),
        "PONG"
    );
}
