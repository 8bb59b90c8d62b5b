//! Servers that speak TLS.

use tollgate::StoreErrorKind;
use tollgate_redis::{RedisStore, TlsOptions};
use tollgate_testkit::redis::{Certificates, ClientCertificates, Cluster, RedisServer};

use crate::given::{cluster_url, decide, key_of, limit, open};

fn trusting(certificates: &Certificates) -> TlsOptions {
    TlsOptions::new().ca(certificates.authority().text())
}

fn shown(options: TlsOptions, certificates: &Certificates) -> TlsOptions {
    options.client_certificate(
        certificates.client_certificate().text(),
        certificates.client_key().text(),
    )
}

#[tokio::test]
async fn trusts_servers_of_its_own_authority_and_no_others() {
    let [own, other] = [Certificates::new(), Certificates::new()];
    let server = RedisServer::builder()
        .tls(&own, ClientCertificates::Ignored)
        .start();
    let store = open(&server.url()).tls(&trusting(&own)).unwrap();
    assert!(decide(&store, &limit(5), "k").await.unwrap().is_allowed());
    let named = server.url().replace("127.0.0.1", "localhost");
    let store = open(&named).tls(&trusting(&own)).unwrap();
    assert!(decide(&store, &limit(5), "k").await.unwrap().is_allowed());

    let strangers: [RedisStore; 2] = [
        open(&server.url()).tls(&trusting(&other)).unwrap(),
        // The system does not know it.
        open(&server.url()),
    ];
    for store in strangers {
        let error = store.connect().await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error:?}");
    }
    let plain = server.url().replace("rediss", "redis");
    open(&plain).connect().await.unwrap_err();
}

#[tokio::test]
async fn refuses_a_certificate_of_another_host() {
    let certificates = Certificates::of_another_host();
    let server = RedisServer::builder()
        .tls(&certificates, ClientCertificates::Ignored)
        .start();
    let store = open(&server.url()).tls(&trusting(&certificates)).unwrap();
    store.connect().await.unwrap_err();
}

#[tokio::test]
async fn shows_its_certificate_to_a_server_that_asks_for_one() {
    let [own, other] = [Certificates::new(), Certificates::new()];
    let server = RedisServer::builder()
        .password("s3cret")
        .tls(&own, ClientCertificates::Required)
        .start();
    let open = |options: &TlsOptions| open(&server.url()).tls(options).unwrap();
    let store = open(&shown(trusting(&own), &own));
    assert!(decide(&store, &limit(5), "k").await.unwrap().is_allowed());
    for options in [trusting(&own), shown(trusting(&own), &other)] {
        open(&options).connect().await.unwrap_err();
    }
}

#[test]
fn says_which_of_the_certificates_cannot_be_used() {
    let [own, other] = [Certificates::new(), Certificates::new()];
    let error = |url: &str, options: &TlsOptions| {
        let store = RedisStore::open(url).unwrap();
        store.tls(options).unwrap_err().to_string()
    };
    let mixed = TlsOptions::new()
        .client_certificate(own.client_certificate().text(), other.client_key().text());
    let error_of_key = error("rediss://localhost", &mixed);
    assert!(error_of_key.contains("client key"), "{error_of_key}");
    let error = error("redis://localhost", &trusting(&own));
    assert!(error.contains("rediss://"), "{error}");
}

#[tokio::test]
async fn comes_to_all_nodes_of_a_cluster_by_tls_and_with_the_password() {
    let own = Certificates::new();
    let options = RedisServer::builder()
        .password("s3cret")
        .tls(&own, ClientCertificates::Required);
    let cluster = Cluster::start_like(&options);
    let url = cluster_url(&cluster, &[0]).replace("redis-cluster://", "rediss-cluster://:s3cret@");
    let store = open(&url).tls(&shown(trusting(&own), &own)).unwrap();
    store.connect().await.unwrap();
    for master in 0..3 {
        let key = key_of(&cluster, master);
        assert!(decide(&store, &limit(5), &key).await.unwrap().is_allowed());
    }
    assert!(!format!("{store:?}").contains("s3cret"), "{store:?}");
    let error = open(&url.replace("s3cret", "wr0ng"))
        .tls(&shown(trusting(&own), &own))
        .unwrap()
        .connect()
        .await
        .unwrap_err();
    let text = format!("{error:?} {error}");
    assert!(
        text.contains("password") && !text.contains("wr0ng"),
        "{text}"
    );
}
