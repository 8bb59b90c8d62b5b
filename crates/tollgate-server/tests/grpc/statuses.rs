//! What each descriptor is told, and the call as a whole.

use prost_types::value::Kind;

use crate::generated::{Code, DescriptorStatus, RateLimitResponse, Unit};
use crate::support::{Daemon, TWO_A_MINUTE, descriptor, field};

fn limit_of(status: &DescriptorStatus) -> Option<(&str, u32, Unit)> {
    let limit = status.current_limit.as_ref()?;
    Some((&limit.name, limit.requests_per_unit, limit.unit()))
}

fn metadata<'m>(answer: &'m RateLimitResponse, name: &str) -> Option<&'m Kind> {
    let metadata = answer.dynamic_metadata.as_ref()?;
    metadata.fields.get(name)?.kind.as_ref()
}

fn text(text: &str) -> Option<Kind> {
    Some(Kind::StringValue(text.to_owned()))
}

#[tokio::test]
async fn an_admitted_request_is_told_its_limit_and_what_is_left() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let answer = daemon
        .client()
        .await
        .ask([descriptor(&[("remote_address", "192.0.2.1")])])
        .await;
    assert_eq!(answer.overall_code(), Code::Ok);
    let [status] = &answer.statuses[..] else {
        panic!("{answer:?}");
    };
    assert_eq!(status.code(), Code::Ok);
    assert_eq!(limit_of(status), Some(("two", 2, Unit::Minute)));
    assert_eq!(status.limit_remaining, 1);
    let reset = status.duration_until_reset.unwrap();
    assert_eq!((reset.seconds, reset.nanos), (30, 0));
    let headers = &answer.response_headers_to_add;
    assert_eq!(field(headers, "ratelimit"), Some("\"two\";r=1;t=30"));
    assert_eq!(field(headers, "x-ratelimit-remaining"), Some("1"));
    assert_eq!(field(headers, "retry-after"), None);
    assert!(answer.raw_body.is_empty());
    assert_eq!(metadata(&answer, "policy").cloned(), text("two"));
    assert_eq!(metadata(&answer, "reason").cloned(), text("allowed"));
}

#[tokio::test]
async fn a_denied_request_is_told_when_to_come_again_and_that_is_true() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    let who = [("remote_address", "192.0.2.1")];
    for _ in 0..2 {
        assert_eq!(client.code(&who).await, Code::Ok);
    }
    let answer = client.ask([descriptor(&who)]).await;
    assert_eq!(answer.overall_code(), Code::OverLimit);
    assert_eq!(answer.statuses[0].code(), Code::OverLimit);
    assert_eq!(answer.statuses[0].limit_remaining, 0);
    let headers = &answer.response_headers_to_add;
    assert_eq!(field(headers, "retry-after"), Some("30"));
    assert_eq!(field(headers, "cache-control"), Some("no-store"));
    assert_eq!(
        field(headers, "content-type"),
        Some("application/problem+json")
    );
    let body: serde_json::Value = serde_json::from_slice(&answer.raw_body).unwrap();
    assert_eq!(body["violated-policies"], serde_json::json!(["two"]));
    // Which one the response has, only the proxy knows.
    assert_eq!(body.get("status"), None);
    assert_eq!(metadata(&answer, "reason").cloned(), text("limit_exceeded"));
    assert_eq!(
        metadata(&answer, "retry_after"),
        Some(&Kind::NumberValue(30.0))
    );
    // Another client is not concerned.
    assert_eq!(
        client.code(&[("remote_address", "192.0.2.2")]).await,
        Code::Ok
    );
    daemon.advance_secs(29);
    assert_eq!(client.code(&who).await, Code::OverLimit);
    daemon.advance_secs(1);
    assert_eq!(client.code(&who).await, Code::Ok);
}

const SEVERAL: &str = "
[[policy]]
name = 'user'
match = { user = '**' }
key = ['user']
limits = ['5/min fixed-window', '3/5min fixed-window']
[[policy]]
name = 'plan'
match = { plan = '**' }
key = ['plan']
limits = ['1/h fixed-window']
[[policy]]
name = 'staff'
match = { staff = 'yes' }
shared = true
unlimited = true
";

#[tokio::test]
async fn each_descriptor_has_a_status_in_order() {
    let daemon = Daemon::start(SEVERAL).await;
    let mut client = daemon.client().await;
    let asked = [
        descriptor(&[("unknown", "1")]),
        descriptor(&[("staff", "yes")]),
        descriptor(&[("user", "7")]),
        descriptor(&[("plan", "free")]),
        descriptor(&[]),
    ];
    let answer = client.ask(asked.clone()).await;
    let limits: Vec<_> = answer.statuses.iter().map(limit_of).collect();
    assert_eq!(
        limits,
        [
            None,
            None,
            // The tighter one, whose period is no unit.
            Some(("user/2", 3, Unit::Unknown)),
            Some(("plan", 1, Unit::Hour)),
            None,
        ]
    );
    let left: Vec<_> = answer
        .statuses
        .iter()
        .map(|it| it.limit_remaining)
        .collect();
    assert_eq!(left, [0, u32::MAX, 2, 0, 0]);
    // The field lists the limits of all.
    assert_eq!(
        field(&answer.response_headers_to_add, "ratelimit-policy"),
        Some("\"user\";q=5;w=60, \"user/2\";q=3;w=300, \"plan\";q=1;w=3600")
    );

    let answer = client.ask(asked).await;
    let codes: Vec<_> = answer.statuses.iter().map(DescriptorStatus::code).collect();
    assert_eq!(
        codes,
        [Code::Ok, Code::Ok, Code::Ok, Code::OverLimit, Code::Ok]
    );
    assert_eq!(answer.overall_code(), Code::OverLimit);
    assert_eq!(metadata(&answer, "policy").cloned(), text("plan"));
    assert_eq!(
        metadata(&answer, "descriptor"),
        Some(&Kind::NumberValue(3.0))
    );
    // Nothing was spent of the others.
    assert_eq!(answer.statuses[2].limit_remaining, 2);
    assert_eq!(
        client.ask([descriptor(&[("user", "7")])]).await.statuses[0].limit_remaining,
        1
    );
}

#[tokio::test]
async fn of_several_that_deny_the_longest_wait_speaks() {
    let daemon = Daemon::start(SEVERAL).await;
    let mut client = daemon.client().await;
    let asked = [
        descriptor(&[("user", "7")]),
        descriptor(&[("plan", "free")]),
    ];
    for _ in 0..3 {
        client.ask([descriptor(&[("user", "7")])]).await;
    }
    client.ask([descriptor(&[("plan", "free")])]).await;
    let answer = client.ask(asked).await;
    let codes: Vec<_> = answer.statuses.iter().map(DescriptorStatus::code).collect();
    assert_eq!(codes, [Code::OverLimit, Code::OverLimit]);
    assert_eq!(metadata(&answer, "policy").cloned(), text("plan"));
    let wait = field(&answer.response_headers_to_add, "retry-after").unwrap();
    daemon.advance_secs(wait.parse().unwrap());
    let both = [
        descriptor(&[("user", "7")]),
        descriptor(&[("plan", "free")]),
    ];
    assert_eq!(client.ask(both).await.overall_code(), Code::Ok);
}

#[tokio::test]
async fn a_policy_in_shadow_is_named_and_denies_nothing() {
    let policy = TWO_A_MINUTE.to_owned() + "mode = 'shadow'\n";
    let daemon = Daemon::start(&policy).await;
    let mut client = daemon.client().await;
    let who = [("remote_address", "192.0.2.1")];
    for _ in 0..2 {
        let answer = client.ask([descriptor(&who)]).await;
        assert_eq!(metadata(&answer, "shadow_denied"), None);
    }
    let answer = client.ask([descriptor(&who)]).await;
    assert_eq!(answer.overall_code(), Code::Ok);
    assert_eq!(limit_of(&answer.statuses[0]), None);
    let Some(Kind::ListValue(list)) = metadata(&answer, "shadow_denied") else {
        panic!("{answer:?}");
    };
    assert_eq!(list.values[0].kind, text("two"));
}

#[tokio::test]
async fn hidden_numbers_are_told_nowhere() {
    let policy = TWO_A_MINUTE.to_owned() + "hide_numbers = true\n";
    let daemon = Daemon::start(&policy).await;
    let mut client = daemon.client().await;
    let who = [("remote_address", "192.0.2.1")];
    for code in [Code::Ok, Code::Ok, Code::OverLimit] {
        let answer = client.ask([descriptor(&who)]).await;
        assert_eq!(answer.overall_code(), code);
        let status = &answer.statuses[0];
        assert_eq!(
            (limit_of(status), status.limit_remaining),
            (None, 0),
            "{answer:?}"
        );
        assert_eq!(status.duration_until_reset, None);
        let headers = &answer.response_headers_to_add;
        assert_eq!(field(headers, "ratelimit"), None);
        assert_eq!(field(headers, "x-ratelimit-limit"), None);
        // When to come again is no secret.
        assert_eq!(
            field(headers, "retry-after").is_some(),
            code == Code::OverLimit
        );
    }
}

#[tokio::test]
async fn what_is_blocked_or_lacks_its_key_is_over_the_limit() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'closed'\nmatch = { path = '/internal/**' }\nblock = true\n\
         [[policy]]\nname = 'users'\nmatch = { path = '/api/**' }\nkey = ['user']\nlimits = ['9/min']\n",
    )
    .await;
    let mut client = daemon.client().await;
    for (path, reason, missing) in [
        ("/internal/x", "blocked", None),
        ("/api/x", "missing_key", text("user")),
    ] {
        let answer = client.ask([descriptor(&[("path", path)])]).await;
        assert_eq!(answer.overall_code(), Code::OverLimit);
        assert_eq!(answer.statuses[0].code(), Code::OverLimit);
        assert_eq!(metadata(&answer, "reason").cloned(), text(reason));
        assert_eq!(metadata(&answer, "missing").cloned(), missing);
        let headers = &answer.response_headers_to_add;
        assert_eq!(field(headers, "retry-after"), None, "waiting does not help");
    }
    assert_eq!(client.code(&[("path", "/open")]).await, Code::Ok);
}
