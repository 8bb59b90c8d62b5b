//! Limits that descriptors bring along.

use tonic::Code as GrpcCode;

use crate::generated::{Code, RateLimitDescriptor, RateLimitOverride};
use crate::support::{Daemon, TWO_A_MINUTE, descriptor, field, request};

fn with_limit(entries: &[(&str, &str)], units: u32, unit: i32) -> RateLimitDescriptor {
    RateLimitDescriptor {
        limit: Some(RateLimitOverride {
            requests_per_unit: units,
            unit,
        }),
        ..descriptor(entries)
    }
}

const MINUTE: i32 = 2;

#[tokio::test]
async fn a_limit_of_a_descriptor_stands_in_place_of_the_files() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    let who = [("remote_address", "192.0.2.1")];
    for left in [2, 1, 0] {
        let answer = client.ask([with_limit(&who, 3, MINUTE)]).await;
        assert_eq!(answer.overall_code(), Code::Ok);
        let status = &answer.statuses[0];
        assert_eq!(status.limit_remaining, left);
        let limit = status.current_limit.as_ref().unwrap();
        assert_eq!((limit.requests_per_unit, limit.unit), (3, MINUTE));
    }
    let answer = client.ask([with_limit(&who, 3, MINUTE)]).await;
    assert_eq!(answer.overall_code(), Code::OverLimit);
    let headers = &answer.response_headers_to_add;
    assert_eq!(field(headers, "retry-after"), Some("30"));
    // It is counted by all entries, and the file's count was not touched.
    let other = [("remote_address", "192.0.2.1"), ("path", "/")];
    assert_eq!(
        client
            .ask([with_limit(&other, 3, MINUTE)])
            .await
            .overall_code(),
        Code::Ok
    );
    assert_eq!(
        client.ask([descriptor(&who)]).await.statuses[0].limit_remaining,
        1
    );
}

#[tokio::test]
async fn no_spelling_of_an_address_or_a_path_has_a_count_of_its_own() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    for (address, path, code) in [
        ("2001:db8::1", "/auth/login", Code::Ok),
        ("2001:db8::2", "/auth/../auth/login?x=1", Code::OverLimit),
        ("2001:db8:0:0:7::", "//auth/%6cogin", Code::OverLimit),
        ("2001:db8:0:1::1", "/auth/login", Code::Ok),
    ] {
        let entries = [("remote_address", address), ("path", path)];
        let answer = client.ask([with_limit(&entries, 1, MINUTE)]).await;
        assert_eq!(answer.overall_code(), code, "{address} {path}");
    }
}

#[tokio::test]
async fn a_limit_of_nothing_denies_all() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    let answer = client.ask([with_limit(&[("user", "7")], 0, MINUTE)]).await;
    assert_eq!(answer.overall_code(), Code::OverLimit);
    let status = &answer.statuses[0];
    assert_eq!(status.current_limit.as_ref().unwrap().requests_per_unit, 0);
    assert_eq!(status.limit_remaining, 0);
}

#[tokio::test]
async fn every_unit_is_taken_and_others_are_refused_by_name() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    for unit in 1..=6 {
        for units in [1, u32::MAX] {
            let asked = with_limit(&[("user", &unit.to_string())], units, unit);
            let answer = client.call(request([asked])).await;
            assert_eq!(answer.unwrap().overall_code(), Code::Ok, "{units} {unit}");
        }
    }
    for unit in [0, 7, -1, i32::MAX] {
        let asked = [descriptor(&[]), with_limit(&[("user", "7")], 3, unit)];
        let refusal = client.call(request(asked)).await.unwrap_err();
        assert_eq!(refusal.code(), GrpcCode::InvalidArgument);
        assert!(
            refusal.message().contains("descriptors[1].limit.unit"),
            "{refusal}"
        );
    }
}

#[tokio::test]
async fn more_different_limits_than_are_kept_are_still_limits() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    for units in 1..=300 {
        let asked = with_limit(&[("user", &units.to_string())], units, MINUTE);
        let answer = client.ask([asked]).await;
        assert_eq!(answer.statuses[0].limit_remaining, units - 1);
    }
}
