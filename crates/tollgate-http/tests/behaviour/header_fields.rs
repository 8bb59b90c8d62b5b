//! The numbers that responses tell.

use http::StatusCode;
use tollgate::Micros;
use tollgate_http::{Headers, Reset};
use tollgate_policy::{Mode, When};

use crate::support::*;

fn member(name: &str, parameters: &[(&str, i64)]) -> Member {
    let parameters = parameters
        .iter()
        .map(|(key, value)| (String::from(*key), *value));
    (name.to_owned(), parameters.collect())
}

// B69
#[tokio::test]
async fn tell_every_limit_in_the_form_of_the_draft() {
    let (limiter, clock) = limiter([
        per_client("permin", &["50/min fixed-window"]),
        per_client("perhr", &["1000/h fixed-window"]),
    ]);
    send_times(&limiter, 2, "/").await;
    clock.advance(secs(10));
    let response = send(&limiter, request("/")).await;
    let headers = response.headers();
    assert_eq!(
        members(headers, "ratelimit-policy"),
        [
            member("permin", &[("q", 50), ("w", 60)]),
            member("perhr", &[("q", 1000), ("w", 3600)]),
        ]
    );
    assert_eq!(
        members(headers, "ratelimit"),
        [
            member("permin", &[("r", 47), ("t", 50)]),
            member("perhr", &[("r", 997), ("t", 3590)]),
        ]
    );
}

// B69
#[tokio::test]
async fn leave_out_a_window_below_a_second() {
    let (limiter, _) = limiter([per_client("fast", &["5/500ms"])]);
    let response = send(&limiter, request("/")).await;
    let policy = members(response.headers(), "ratelimit-policy");
    assert_eq!(policy, [member("fast", &[("q", 5)])]);
}

#[tokio::test]
async fn announce_the_burst_of_a_token_bucket_and_its_refill() {
    let (limiter, _) = limiter([per_client("burst", &["20/s burst 60"])]);
    let response = send(&limiter, request("/")).await;
    let headers = response.headers();
    let policy = members(headers, "ratelimit-policy");
    assert_eq!(policy, [member("burst", &[("q", 60), ("w", 3)])]);
    let state = members(headers, "ratelimit");
    assert_eq!(state, [member("burst", &[("r", 59), ("t", 1)])]);
    assert_eq!(field(headers, "x-ratelimit-limit"), Some("60"));
}

#[tokio::test]
async fn give_each_limit_of_a_policy_a_name_of_its_own() {
    let pro = [limit("600/min"), limit("9000/h")];
    let (limiter, _) = limiter([
        per_client("api", &["60/min", "1000/h"]).tier(When::is("header.x-plan", "pro"), pro),
        per_client("api-2", &["70/min"]),
    ]);
    let response = send(&limiter, request("/")).await;
    for list in ["ratelimit-policy", "ratelimit"] {
        let members = members(response.headers(), list);
        assert_eq!(names(&members), ["api", "api/2", "api-2"]);
    }
    let mut request = request("/");
    request
        .headers_mut()
        .insert("x-plan", "pro".parse().unwrap());
    let response = send(&limiter, request).await;
    let policy = members(response.headers(), "ratelimit-policy");
    assert_eq!(policy[0], member("api", &[("q", 600), ("w", 60)]));
    assert_eq!(policy[1], member("api/2", &[("q", 9000), ("w", 3600)]));
}

// B59
#[tokio::test]
async fn round_the_wait_up_and_to_at_least_a_second() {
    let (limiter, _) = limiter([per_client("quick", &["10/s"])]);
    let response = send_times(&limiter, 11, "/").await;
    assert_eq!(field(response.headers(), "retry-after"), Some("1"));

    // A true wait of 1.0004 s.
    let (limiter, clock) = self::limiter([per_client("window", &["1/2s fixed-window"])]);
    clock.advance(Micros::new(999_600));
    let response = send_times(&limiter, 2, "/").await;
    assert_eq!(field(response.headers(), "retry-after"), Some("2"));
}

// B61: there is no prefix to look the wait up under; the name of a policy is the nearest thing.
#[tokio::test]
async fn tell_the_same_wait_whatever_the_policy_is_called() {
    for name in ["a", "app.prefix-1"] {
        let (limiter, _) = limiter([per_client(name, &["1/min"])]);
        let response = send_times(&limiter, 2, "/").await;
        assert_eq!(field(response.headers(), "retry-after"), Some("60"));
    }
}

// B63
#[tokio::test]
async fn describe_the_limit_that_denied() {
    let (limiter, clock) = limiter([
        per_client("permin", &["60/min fixed-window"]),
        per_client("budget", &["10/h fixed-window"]),
    ]);
    send_times(&limiter, 10, "/").await;
    clock.advance(secs(600));
    let response = send(&limiter, request("/")).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    let headers = response.headers();
    assert_eq!(field(headers, "x-ratelimit-limit"), Some("10"));
    assert_eq!(field(headers, "x-ratelimit-remaining"), Some("0"));
    assert_eq!(field(headers, "x-ratelimit-reset"), Some("1800003600"));
    assert_eq!(field(headers, "retry-after"), Some("3000"));
    let state = members(headers, "ratelimit");
    assert_eq!(state[0], member("permin", &[("r", 60), ("t", 0)]));
    assert_eq!(state[1], member("budget", &[("r", 0), ("t", 3000)]));
}

// B63
#[tokio::test]
async fn tell_the_longest_wait_of_the_limits_that_denied() {
    let (limiter, _) = limiter([
        per_client("short", &["1/min fixed-window"]),
        per_client("long", &["1/h fixed-window"]),
        per_client("middle", &["1/30min fixed-window"]),
    ]);
    let response = send_times(&limiter, 2, "/").await;
    assert_eq!(field(response.headers(), "retry-after"), Some("3600"));
    assert_eq!(
        field(response.headers(), "x-ratelimit-reset"),
        Some("1800003600")
    );
}

#[tokio::test]
async fn describe_the_limit_that_is_closest_to_exhaustion_when_all_admit() {
    let (limiter, _) = limiter([
        per_client("wide", &["100/min"]),
        per_client("narrow", &["3/min"]),
        per_client("middle", &["10/min"]),
    ]);
    let response = send(&limiter, request("/")).await;
    assert_eq!(field(response.headers(), "x-ratelimit-limit"), Some("3"));
    assert_eq!(
        field(response.headers(), "x-ratelimit-remaining"),
        Some("2")
    );
}

// B67
#[tokio::test]
async fn count_the_legacy_reset_as_the_option_says_and_the_others_from_now() {
    for (reset, expected) in [(Reset::Delta, "60"), (Reset::Epoch, "1800000060")] {
        let (options, clock) = options([per_client("a", &["1/min"])]);
        let headers = Headers::none().ietf().x_ratelimit(reset);
        let limiter = options.headers(headers).build();
        send(&limiter, request("/")).await;
        clock.advance(Micros::from_millis(500));
        let response = send(&limiter, request("/")).await;
        let headers = response.headers();
        assert_eq!(field(headers, "x-ratelimit-reset"), Some(expected));
        assert_eq!(field(headers, "retry-after"), Some("60"));
        let state = members(headers, "ratelimit");
        assert_eq!(state, [member("a", &[("r", 0), ("t", 60)])]);
    }
}

// B71
#[tokio::test]
async fn keep_remaining_between_zero_and_the_limit() {
    let (limiter, clock) = limiter([per_client("a", &["5/min sliding-window"])]);
    clock.advance(secs(30));
    let mut seen = Vec::new();
    for _ in 0..3 {
        for _ in 0..20 {
            let response = send(&limiter, request("/")).await;
            let remaining = field(response.headers(), "x-ratelimit-remaining").unwrap();
            seen.push(remaining.parse::<u64>().unwrap());
        }
        // Into the next window, where the last one weighs 0.3.
        clock.advance(secs(48));
    }
    assert!(seen.iter().all(|remaining| *remaining <= 5), "{seen:?}");
    assert_eq!(seen[..7], [4, 3, 2, 1, 0, 0, 0]);
}

// B71
#[tokio::test]
async fn are_absent_when_the_store_has_failed_and_the_policy_allows() {
    let limiter = failing([per_client("a", &["5/min"])]).build();
    let response = send(&limiter, request("/")).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(response.headers().is_empty());
}

#[tokio::test]
async fn are_absent_where_no_policy_matches() {
    let (limiter, _) = limiter([per_client("auth", &["5/min"]).path("/auth/**")]);
    let response = send(&limiter, request("/boards")).await;
    assert!(response.headers().is_empty());
    let response = send(&limiter, request("/auth/login")).await;
    assert_eq!(response.headers().len(), 5);
}

#[tokio::test]
async fn are_those_dialects_that_the_options_name() {
    let fields = async |headers: Headers| {
        let (options, _) = options([per_client("a", &["1/min"])]);
        let limiter = options.headers(headers).build();
        let response = send(&limiter, request("/")).await;
        let mut names: Vec<_> = response
            .headers()
            .keys()
            .map(|name| name.to_string())
            .collect();
        names.sort();
        let denied = send(&limiter, request("/")).await;
        assert_eq!(field(denied.headers(), "retry-after"), Some("60"));
        names
    };
    assert!(fields(Headers::none()).await.is_empty());
    let ietf = fields(Headers::none().ietf()).await;
    assert_eq!(ietf, ["ratelimit", "ratelimit-policy"]);
    let x_ratelimit = fields(Headers::none().x_ratelimit(Reset::Delta)).await;
    assert_eq!(
        x_ratelimit,
        [
            "x-ratelimit-limit",
            "x-ratelimit-remaining",
            "x-ratelimit-reset"
        ]
    );
}

#[tokio::test]
async fn say_nothing_of_a_policy_that_hides_its_numbers() {
    let (limiter, _) = limiter([
        per_client("login", &["1/min"]).hide_numbers(true),
        per_client("api", &["60/min"]),
        per_client("all", &["10/min"]),
    ]);
    let allowed = send(&limiter, request("/")).await;
    let headers = allowed.headers();
    for list in ["ratelimit-policy", "ratelimit"] {
        assert_eq!(names(&members(headers, list)), ["api", "all"]);
    }
    assert_eq!(field(headers, "x-ratelimit-limit"), Some("10"));

    // The numbers of limits that admitted the request would only mislead.
    let denied = send(&limiter, request("/")).await;
    assert_eq!(denied.status(), StatusCode::TOO_MANY_REQUESTS);
    let headers = denied.headers();
    assert_eq!(field(headers, "retry-after"), Some("60"));
    assert_eq!(names(&members(headers, "ratelimit")), ["api", "all"]);
    assert_eq!(field(headers, "x-ratelimit-limit"), None);
    assert_eq!(json(denied).await["violated-policies"][0], "login");
}

#[tokio::test]
async fn say_nothing_of_a_policy_in_shadow() {
    let (limiter, _) = limiter([
        per_client("new", &["1/min"]).mode(Mode::Shadow),
        per_client("old", &["60/min"]),
    ]);
    let response = send_times(&limiter, 2, "/").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(names(&members(response.headers(), "ratelimit")), ["old"]);
    assert_eq!(field(response.headers(), "x-ratelimit-limit"), Some("60"));

    let (limiter, _) = self::limiter([per_client("new", &["1/min"]).mode(Mode::Shadow)]);
    let response = send_times(&limiter, 2, "/").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(response.headers().is_empty());
}
