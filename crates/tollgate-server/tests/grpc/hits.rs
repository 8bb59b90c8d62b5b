//! How many units a request takes, or gives back.

use crate::generated::{Code, RateLimitDescriptor, RateLimitRequest};
use crate::support::{Client, Daemon, descriptor, request};

const TEN: &str = "[[policy]]\nname = 'ten'\nkey = ['user']\nmissing_key = 'skip'\nlimits = ['10/min fixed-window']\n";

fn user(hits: Option<u64>) -> RateLimitDescriptor {
    RateLimitDescriptor {
        hits_addend: hits,
        ..descriptor(&[("user", "7")])
    }
}

fn giving_back(hits: u64) -> RateLimitDescriptor {
    RateLimitDescriptor {
        is_negative_hits: true,
        ..user(Some(hits))
    }
}

/// How much is left, asked without taking anything.
async fn left(client: &mut Client) -> u32 {
    let answer = client.ask([user(Some(0))]).await;
    answer.statuses[0].limit_remaining
}

#[tokio::test]
async fn a_request_takes_one_unless_it_or_its_descriptor_says_more() {
    let daemon = Daemon::start(TEN).await;
    let mut client = daemon.client().await;
    client.ask([user(None)]).await;
    assert_eq!(left(&mut client).await, 9, "0 is what is sent for nothing");
    let three = RateLimitRequest {
        hits_addend: 3,
        ..request([user(None)])
    };
    client.call(three).await.unwrap();
    assert_eq!(left(&mut client).await, 6);
    let three = RateLimitRequest {
        hits_addend: 3,
        ..request([user(Some(5))])
    };
    client.call(three).await.unwrap();
    assert_eq!(
        left(&mut client).await,
        1,
        "the descriptor's number goes first"
    );
}

#[tokio::test]
async fn zero_of_a_descriptor_only_looks() {
    let daemon = Daemon::start(TEN).await;
    let mut client = daemon.client().await;
    for _ in 0..3 {
        assert_eq!(left(&mut client).await, 10);
    }
}

#[tokio::test]
async fn more_than_can_ever_fit_is_over_the_limit_without_a_wait() {
    let daemon = Daemon::start(TEN).await;
    let mut client = daemon.client().await;
    for hits in [11, 1 << 40, u64::MAX] {
        let answer = client.ask([user(Some(hits))]).await;
        assert_eq!(answer.overall_code(), Code::OverLimit, "{hits}");
        let headers = &answer.response_headers_to_add;
        assert_eq!(crate::support::field(headers, "retry-after"), None);
    }
    assert_eq!(left(&mut client).await, 10);
}

#[tokio::test]
async fn negative_hits_are_given_back_but_no_more_than_was_used() {
    let daemon = Daemon::start(TEN).await;
    let mut client = daemon.client().await;
    client.ask([user(Some(10))]).await;
    let answer = client.ask([giving_back(4)]).await;
    assert_eq!(answer.overall_code(), Code::Ok);
    assert_eq!(answer.statuses[0].code(), Code::Ok);
    assert_eq!(answer.statuses[0].limit_remaining, 4);
    client.ask([giving_back(u64::MAX)]).await;
    assert_eq!(left(&mut client).await, 10);
    // What nobody has is given back by nobody.
    let nobody = RateLimitDescriptor {
        is_negative_hits: true,
        ..descriptor(&[])
    };
    assert_eq!(client.ask([nobody]).await.overall_code(), Code::Ok);
}

#[tokio::test]
async fn a_call_that_is_denied_gives_nothing_back_either() {
    let daemon = Daemon::start(TEN).await;
    let mut client = daemon.client().await;
    client.ask([user(Some(6))]).await;
    let answer = client.ask([giving_back(6), user(Some(11))]).await;
    assert_eq!(answer.overall_code(), Code::OverLimit);
    let codes: Vec<_> = answer.statuses.iter().map(|it| it.code()).collect();
    assert_eq!(codes, [Code::Ok, Code::OverLimit]);
    assert_eq!(left(&mut client).await, 4);
    // One that is admitted takes before it gives back.
    let answer = client.ask([giving_back(6), user(Some(4))]).await;
    assert_eq!(answer.overall_code(), Code::Ok);
    assert_eq!(left(&mut client).await, 6);
}

#[tokio::test]
async fn descriptors_that_share_a_count_add_up() {
    let daemon = Daemon::start(TEN).await;
    let mut client = daemon.client().await;
    let answer = client.ask([user(Some(6)), user(Some(6))]).await;
    assert_eq!(answer.overall_code(), Code::OverLimit);
    assert_eq!(left(&mut client).await, 10);
    let answer = client.ask([user(Some(6)), user(Some(4))]).await;
    assert_eq!(answer.overall_code(), Code::Ok);
    assert_eq!(left(&mut client).await, 0);
}
