//! Maps of fields: what they say, and what they answer to mistakes.

use super::*;
use crate::log::ReadOptions;
use crate::log::testing::told_with;

fn map(fields: &[&str]) -> Result<FieldMap, FieldError> {
    let fields: Result<Vec<Field>, FieldError> = fields.iter().map(|field| field.parse()).collect();
    FieldMap::new(fields?)
}

fn told(fields: &[&str], line: &str) -> String {
    let options = ReadOptions::default().fields(map(fields).unwrap());
    told_with(&options, line)
}

fn error(fields: &[&str]) -> String {
    map(fields).unwrap_err().to_string()
}

const LINE: &str = r#"{"ts":"2026-11-05T06:25:02.310Z","began":1793859902,"latency":42,"http":{"method":"GET","uri":"https://example.net/a?b=1","code":"200","line":"POST /c?d HTTP/1.1"},"request":{"client_ip":"203.0.113.5","peer":"192.0.2.9:443","chain":"203.0.113.5, 198.51.100.7"},"headers":{"X-Plan":["pro","x"],"user-agent":"agent","x.y":"dotted"},"sub":"alice","scopes":["a","b"],"tenant":{"id":7},"none":null,"host":"named.example.net"}"#;

#[test]
fn every_fact_is_found_where_the_map_says() {
    assert_eq!(
        told(
            &[
                "time=.ts",
                "duration=.latency:ms",
                "client.ip=.request.client_ip",
                "method=.http.method",
                "path=.http.uri",
                "status=.http.code",
                "user=.sub",
                r#"header.X-Plan=.headers["X-Plan"][0]"#,
                "header.user-agent=.headers.user-agent",
                "header.x-dotted=.headers['x.y']",
                "tenant=.tenant.id",
                "scopes=.scopes",
                "route=.none",
                "header.x-missing=.headers.missing.deeper[3]",
            ],
            LINE
        ),
        r#"fields 1793859902.268000 EndLessDuration/1ms took 42ms peer 203.0.113.5 method "GET" path "/a" query "b=1" host "example.net" user "alice" status "200" agent "agent" header.x-plan="pro" header.x-dotted="dotted" tenant="7" scopes="a, b""#
    );
}

#[test]
fn a_start_goes_before_a_time_and_a_request_line_is_taken_apart() {
    assert_eq!(
        told(
            &[
                "start=.began:s",
                "time=.ts",
                "duration=.latency",
                "peer.ip=.request.peer",
                "client.ip=.request.client_ip",
                "request=.http.line",
                "header.x-forwarded-for=.request.chain",
            ],
            LINE
        ),
        r#"fields 1793859902.000000 Start/1s took 42s peer 192.0.2.9 client 203.0.113.5 list "203.0.113.5, 198.51.100.7" method "POST" path "/c" query "d""#
    );
}

#[test]
fn a_client_may_be_a_list_a_name_or_a_socket() {
    let peer = |path: &str, line: &str| {
        let told = told(&["start=.began", &format!("client.ip={path}")], line);
        told.split_once(" peer ").unwrap().1.to_owned()
    };
    assert_eq!(
        peer(".request.chain", LINE),
        r#"? list "203.0.113.5, 198.51.100.7""#
    );
    assert_eq!(peer(".host", LINE), "named named.example.net");
    assert_eq!(peer(".a", r#"{"began":1793859902,"a":"unix:"}"#), "unix");
    assert_eq!(peer(".none", LINE), "?");
    assert_eq!(peer(".a", r#"{"began":1793859902,"a":"$a"}"#), "?");
}

#[test]
fn a_unit_is_what_was_said() {
    let at = |field: &str, value: &str| {
        let line = format!(r#"{{"t":{value},"ip":"203.0.113.5"}}"#);
        told(&[field, "client.ip=.ip"], &line)
    };
    assert!(at("time=.t:ms", "1793859902310").starts_with("fields 1793859902.310000 End/1ms"));
    assert!(at("time=.t", "1793859902310").starts_with("fields 1793859902.310000 End/1ms"));
    assert!(at("time=.t:us", "99999999999999").starts_with("fields 99999999.999999 End/1µs"));
    assert!(at("time=.t", "1e9").starts_with("fields 1000000000.000000 End/1s"));
    assert_eq!(at("time=.t", "\"x\""), "rejected: time");
}

#[test]
fn a_time_that_is_missing_and_an_object_are_rejected() {
    assert_eq!(
        told(&["time=.nothing", "client.ip=.host"], LINE),
        "rejected: field"
    );
    assert_eq!(
        told(&["time=.none", "client.ip=.host"], LINE),
        "rejected: field"
    );
    assert_eq!(
        told(&["time=.ts", "client.ip=.request"], LINE),
        "rejected: field"
    );
}

#[test]
fn mistakes_are_named_with_the_remedy() {
    for (fields, expected) in [
        (
            &["client.ip"][..],
            "`client.ip` is no field; write what it is, `=`, and where it stands, as in `client.ip=.request.client_ip`",
        ),
        (
            &["client.pi=.a"],
            "`client.pi` is no field; did you mean `client.ip`?",
        ),
        (
            &["Time=.a"],
            "no field tells when requests were; did you mean `time` by `Time`?",
        ),
        (
            &["timestamp=.a", "client.ip=.b"],
            "no field tells when requests were; did you mean `time` by `timestamp`?",
        ),
        (
            &["client.ip=.b"],
            "no field tells when requests were; add `time=…` (the end) or `start=…`",
        ),
        (
            &["time=.a"],
            "no field tells who sent requests; add `client.ip=…`",
        ),
        (
            &["time=.a", "remote_addr=.b"],
            "no field tells who sent requests; did you mean `client.ip` by `remote_addr`?",
        ),
        (&["time=.a", "time=.b"], "the field `time` is there twice"),
        (
            &["time=.a:millis"],
            "there is no unit `millis`; the units are s, ms, us and ns",
        ),
        (
            &["time=.a:seconds"],
            "there is no unit `seconds`; did you mean `s`?",
        ),
        (
            &["user=.a:ms"],
            "`user` has no unit; only `time`, `start` and `duration` have; a `:` in a name is written `[\"…\"]`",
        ),
        (
            &["time=ts"],
            "`ts` is no path to a value: it begins with a dot; write names after dots and places in brackets, as in `.headers[\"X-Plan\"][0]`",
        ),
    ] {
        assert_eq!(error(fields), expected, "{fields:?}");
    }
    for path in [
        "", ".", "..a", ".a.", ".a[", ".a[x]", ".a[\"b]", ".a[\"b\"", ".a[-1]", ":ms", ".a]",
    ] {
        let error = error(&[&format!("time={path}")]);
        assert!(error.contains("is no path to a value: "), "{path}: {error}");
    }
}

#[test]
fn a_path_that_begins_with_brackets_or_has_blanks_around_is_fine() {
    for field in [r#"time=["ts"]"#, r#"time=.["ts"]"#, "time = .ts"] {
        assert!(
            told(&[field, "client.ip=.host"], LINE).starts_with("fields 1793859902.31"),
            "{field}"
        );
    }
}

#[test]
fn messages_of_the_program_are_passed_over() {
    let message = r#"{"level":"info","ts":1793860702.5,"logger":"tls","msg":"started"}"#;
    assert_eq!(
        told(&["time=.when", "client.ip=.ip"], message),
        "skipped: other_message"
    );
}
