use tollgate::Timestamp;

use super::*;

const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

fn allowed(limit: u64, remaining: u64, reset_after: Micros) -> Outcome {
    Outcome {
        verdict: Verdict::Allow,
        limit,
        remaining,
        reset_after,
        retry_after: None,
        at: NOW,
    }
}

fn denied(limit: u64, reset_after: Micros, retry_after: Micros) -> Outcome {
    Outcome {
        verdict: Verdict::Deny,
        retry_after: Some(retry_after),
        ..allowed(limit, 0, reset_after)
    }
}

fn ietf(limits: &[(Item, Outcome)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let limits: Vec<_> = limits
        .iter()
        .map(|(item, outcome)| (item, outcome))
        .collect();
    write_ietf(&limits, &mut headers);
    headers
}

fn x_ratelimit(reset: Reset, outcome: &Outcome) -> HeaderMap {
    let mut headers = HeaderMap::new();
    write_x_ratelimit(reset, outcome, &mut headers);
    headers
}

// B69
#[test]
fn lists_every_limit_in_both_fields() {
    let headers = ietf(&[
        (
            Item::new("permin", 50, Micros::MINUTE),
            allowed(50, 47, Micros::from_secs(50)),
        ),
        (
            Item::new("perhr", 1000, Micros::HOUR),
            allowed(1000, 997, Micros::from_secs(3590)),
        ),
    ]);
    assert_eq!(
        headers["ratelimit-policy"],
        r#""permin";q=50;w=60, "perhr";q=1000;w=3600"#
    );
    assert_eq!(
        headers["ratelimit"],
        r#""permin";r=47;t=50, "perhr";r=997;t=3590"#
    );
}

#[test]
fn writes_no_empty_list() {
    assert!(ietf(&[]).is_empty());
}

#[test]
fn lists_more_limits_than_the_stack_holds() {
    let limits: Vec<_> = (0..40)
        .map(|number| {
            (
                Item::new(&format!("policy-{number}"), 5, Micros::MINUTE),
                allowed(5, 4, Micros::SECOND),
            )
        })
        .collect();
    let headers = ietf(&limits);
    for field in ["ratelimit-policy", "ratelimit"] {
        let list: sfv::List = sfv::Parser::new(headers[field].as_bytes()).parse().unwrap();
        assert_eq!(list.len(), 40);
    }
}

#[test]
fn announces_until_when_a_denied_limit_gives_nothing() {
    let bucket = denied(10, Micros::MINUTE, Micros::from_secs(6));
    let headers = ietf(&[(Item::new("auth", 10, Micros::MINUTE), bucket)]);
    assert_eq!(headers["ratelimit"], r#""auth";r=0;t=6"#);
}

// B67
#[test]
fn counts_the_reset_in_the_unit_that_the_option_names() {
    let outcome = denied(1, Micros::from_millis(59_500), Micros::from_millis(59_500));
    let outcome = Outcome {
        at: NOW.saturating_add(Micros::from_millis(500)),
        ..outcome
    };
    let delta = x_ratelimit(Reset::Delta, &outcome);
    assert_eq!(delta["x-ratelimit-reset"], "60");
    let epoch = x_ratelimit(Reset::Epoch, &outcome);
    assert_eq!(epoch["x-ratelimit-reset"], "1800000060");
    assert_eq!(epoch["x-ratelimit-limit"], "1");
    assert_eq!(epoch["x-ratelimit-remaining"], "0");
}

// B59
#[test]
fn rounds_retry_after_up_to_whole_seconds() {
    for (wait, secs) in [
        (Micros::ZERO, "1"),
        (Micros::from_millis(100), "1"),
        (Micros::SECOND, "1"),
        (Micros::new(1_000_400), "2"),
        (Micros::MINUTE, "60"),
    ] {
        let mut headers = HeaderMap::new();
        write_retry_after(wait, &mut headers);
        assert_eq!(headers[RETRY_AFTER], secs, "{wait:?}");
    }
}

#[test]
fn leaves_fields_alone_that_are_there() {
    let outcome = allowed(9, 8, Micros::SECOND);
    let item = Item::new("a", 9, Micros::SECOND);
    let there = HeaderValue::from_static("1");
    for name in [RATELIMIT, RATELIMIT_POLICY] {
        let mut headers = HeaderMap::from_iter([(name, there.clone())]);
        write_ietf(&[(&item, &outcome)], &mut headers);
        assert_eq!(headers.len(), 1);
    }
    for name in [X_RATELIMIT_LIMIT, X_RATELIMIT_REMAINING, X_RATELIMIT_RESET] {
        let mut headers = HeaderMap::from_iter([(name, there.clone())]);
        write_x_ratelimit(Reset::Epoch, &outcome, &mut headers);
        assert_eq!(headers.len(), 1);
    }
    let mut headers = HeaderMap::from_iter([(RETRY_AFTER, there.clone())]);
    write_retry_after(Micros::MINUTE, &mut headers);
    assert_eq!(headers[RETRY_AFTER], there);
}

// B65
#[test]
fn exposes_exactly_the_fields_that_may_be_written() {
    let exposed = |options| {
        let mut headers = HeaderMap::new();
        write_exposed(options, &mut headers);
        write_exposed(options, &mut headers);
        assert_eq!(headers.len(), 1, "once, however often written");
        headers["access-control-expose-headers"].clone()
    };
    assert_eq!(exposed(Headers::none()), "retry-after");
    assert_eq!(
        exposed(Headers::none().ietf()),
        "retry-after, ratelimit-policy, ratelimit"
    );
    assert_eq!(
        exposed(Headers::none().x_ratelimit(Reset::Delta)),
        "retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset"
    );
    assert_eq!(
        exposed(Headers::default()),
        "retry-after, ratelimit-policy, ratelimit, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset"
    );
}
