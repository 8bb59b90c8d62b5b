//! Calls that are not answered, and why.

use tonic::Code;

use crate::generated::RateLimitRequest;
use crate::support::{Client, Daemon, TWO_A_MINUTE, descriptor, request};

async fn refusal(client: &mut Client, request: RateLimitRequest) -> (Code, String) {
    let refusal = client.call(request).await.unwrap_err();
    (refusal.code(), refusal.message().to_owned())
}

#[tokio::test]
async fn each_bound_is_told_with_what_is_beyond_it() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    let who = descriptor(&[("remote_address", "192.0.2.1")]);
    let in_domain = |domain: &str| RateLimitRequest {
        domain: domain.to_owned(),
        ..request([who.clone()])
    };
    let entries = |count| vec![("a", "b"); count];
    let long = |length| "x".repeat(length);
    for (asked, told) in [
        (in_domain(""), "domain is empty"),
        (in_domain(&long(257)), "domain has 257 bytes"),
        (request([]), "descriptors: there is none"),
        (request(vec![who.clone(); 65]), "descriptors: there are 65"),
        (
            request([who.clone(), descriptor(&entries(65))]),
            "descriptors[1].entries: there are 65",
        ),
        (
            request([descriptor(&[("a", "b"), ("", "b")])]),
            "descriptors[0].entries[1].key is empty",
        ),
        (
            request([descriptor(&[(&long(257), "b")])]),
            "descriptors[0].entries[0].key has 257 bytes",
        ),
        (
            request([descriptor(&[("a", &long(65_537))])]),
            "descriptors[0].entries[0].value has 65537 bytes",
        ),
        (
            request([descriptor(&[
                ("a", "b"),
                ("remote_address", "192.0.2.1:80"),
            ])]),
            "descriptors[0].entries[1]: the value of `client.ip` or `remote_address` is no IP address",
        ),
        (
            request([descriptor(&[("client.ip", "localhost")])]),
            "is no IP address",
        ),
    ] {
        let (code, message) = refusal(&mut client, asked).await;
        assert_eq!(code, Code::InvalidArgument, "{told}");
        assert!(message.contains(told), "{message}");
    }
    // The next call is answered, and nothing was charged.
    assert_eq!(client.ask([who]).await.statuses[0].limit_remaining, 1);
}

#[tokio::test]
async fn what_is_at_a_bound_is_answered() {
    let daemon = Daemon::start(&(TWO_A_MINUTE.to_owned() + "missing_key = 'skip'\n")).await;
    let mut client = daemon.client().await;
    let (key, value) = ("k".repeat(256), "v".repeat(65_536));
    let mut largest = request([descriptor(&[(&key, &value)])]);
    largest.domain = "d".repeat(256);
    assert!(client.call(largest).await.is_ok());
    let many = descriptor(&[("a", "b"); 64]);
    assert!(client.call(request(vec![many; 64])).await.is_ok());
}

#[tokio::test]
async fn a_message_that_is_too_large_is_not_read() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    let value = "x".repeat(65_536);
    let asked = request(vec![descriptor(&[("a", &value)]); 17]);
    let (code, message) = refusal(&mut client, asked).await;
    assert_eq!(code, Code::OutOfRange);
    assert!(message.contains("1048576 bytes"), "{message}");
    let who = descriptor(&[("remote_address", "192.0.2.1")]);
    assert!(client.call(request([who])).await.is_ok());
}
