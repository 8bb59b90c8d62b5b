//! Lines of Caddy, of every version and setting.

use crate::log::ReadOptions;
use crate::log::testing::{told, told_with};

const LINE: &str = r#"{"level":"info","ts":1793860702.5240,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.190","remote_port":"41342","client_ip":"203.0.113.5","proto":"HTTP/2.0","method":"GET","host":"example.net","uri":"/a?b=1","headers":{"User-Agent":["curl/8.5.0"],"X-Plan":["pro"],"X-Forwarded-For":["203.0.113.5","198.51.100.7"],"Cookie":["REDACTED"],"Authorization":["REDACTED"]},"tls":{"resumed":false,"version":772,"proto":"h2","server_name":"example.net"}},"bytes_read":0,"user_id":"","duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"]}}"#;

fn with(from: &str, to: &str) -> String {
    assert!(LINE.contains(from), "{from}");
    told(&LINE.replace(from, to))
}

#[test]
fn a_line_tells_the_begin_the_peer_the_client_and_the_headers() {
    assert_eq!(
        told(LINE),
        r#"caddy 1793860702.523071 EndLessDuration/100µs took 929µs peer 192.0.2.190 client 203.0.113.5 list "203.0.113.5, 198.51.100.7" method "GET" path "/a" query "b=1" host "example.net" status "200" agent "curl/8.5.0" header.x-plan="pro""#
    );
}

#[test]
fn every_format_of_time_is_read() {
    for (ts, at) in [
        ("1793860702.5240", "1793860702.523071"),
        ("1793860702524.0", "1793860702.523071"),
        ("1793860702524000000", "1793860702.523071"),
        ("\"2026-11-05T06:25:02.524Z\"", "1793859902.523071"),
        ("\"2026-11-05T06:25:02.524+0000\"", "1793859902.523071"),
        (
            "\"2026-11-05T07:25:02.524000000+01:00\"",
            "1793859902.523071",
        ),
        ("\"2026/11/05 06:25:02.524\"", "1793859902.523071"),
        ("\"2026/11/05 06:25:02\"", "1793859901.999071"),
        ("\"05/Nov/2026:06:25:02 +0000\"", "1793859901.999071"),
    ] {
        let told = with("1793860702.5240", ts);
        assert!(
            told.starts_with(&format!("caddy {at} EndLess")),
            "{ts}: {told}"
        );
    }
    assert_eq!(with("1793860702.5240", "\"yesterday\""), "rejected: time");
    assert_eq!(with("1793860702.5240", "null"), "rejected: time");
}

#[test]
fn a_date_without_offset_is_in_the_zone_that_was_given_or_in_utc() {
    let line = LINE.replace("1793860702.5240", "\"2026/11/05 06:25:02\"");
    let options = ReadOptions::default().time_zone("+01:00".parse().unwrap());
    let told = told_with(&options, &line);
    assert!(told.starts_with("caddy 1793856301.999071 "), "{told}");
}

#[test]
fn every_format_of_duration_is_read() {
    for (duration, took) in [
        ("0.000929675", "929µs"),
        ("2.5", "2.5s"),
        ("929675", "929µs"),
        ("42", "42ms"),
        ("0", "0ns"),
        ("\"929.675µs\"", "929µs"),
        ("\"1m2.5s\"", "62.5s"),
        ("1e-3", "1ms"),
    ] {
        let told = with("0.000929675", duration);
        assert!(
            told.contains(&format!(" took {took} ")),
            "{duration}: {told}"
        );
    }
    let without = with(r#""duration":0.000929675,"#, "");
    assert!(
        without.starts_with("caddy 1793860702.524000 End/"),
        "{without}"
    );
}

#[test]
fn a_long_duration_shows_that_short_ones_are_nanoseconds() {
    use crate::log::{Input, LogSource};
    let line = |duration| LINE.replace("0.000929675", duration) + "\n";
    let input = Input::Text {
        name: "a log".to_owned(),
        bytes: (line("4000000") + &line("15000")).into_bytes(),
    };
    let mut source = LogSource::open(&input, &ReadOptions::default()).unwrap();
    let mut took = Vec::new();
    let mut note = |_, record: &crate::log::Record<'_>| {
        took.push(record.duration.unwrap().as_micros());
    };
    while source.read_some(&mut note).unwrap() {}
    assert_eq!(took, [4_000, 15]);
}

#[test]
fn older_lines_have_the_peer_with_its_port() {
    let told = with(
        r#""remote_ip":"192.0.2.190","remote_port":"41342","client_ip":"203.0.113.5""#,
        r#""remote_addr":"[2001:db8::17]:41342""#,
    );
    assert!(told.contains(" peer 2001:db8::17 list "), "{told}");
    let told = with(r#""remote_ip":"192.0.2.190""#, r#""remote_ip":"@""#);
    assert!(told.contains(" peer unix client "), "{told}");
}

// T01, T03
#[test]
fn a_peer_may_be_an_ipv6_address_whose_zone_is_dropped() {
    let told = with("192.0.2.190", "fe80::1%eth0");
    assert!(told.contains(" peer fe80::1 client "), "{told}");
}

// T25
#[test]
fn paths_are_told_as_they_were_sent() {
    for path in [
        "/%2e%2e/%%32%65/",
        "//a///b",
        "/a;jsessionid=1",
        "/ü",
        "/%",
        "*",
    ] {
        let told = with("/a?b=1", path);
        assert!(
            told.contains(&format!(" path {path:?} host ")),
            "{path}: {told}"
        );
    }
}

// B153
#[test]
fn two_long_requests_of_one_second_begin_when_they_did() {
    let begin = |ts, duration| {
        let line = LINE
            .replace("1793860702.5240", ts)
            .replace("0.000929675", duration);
        told(&line).split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(begin("1793860732.75", "30.25"), "1793860702.500000");
    assert_eq!(begin("1793860732.75", "30.5"), "1793860702.250000");
}

// T15
#[test]
fn a_status_of_zero_is_none() {
    assert!(!with(r#""status":200"#, r#""status":0"#).contains("status"));
    assert!(with(r#""status":200"#, r#""status":"404""#).contains(r#"status "404""#));
    assert_eq!(
        with(r#""status":200"#, r#""status":"ok""#),
        "rejected: status"
    );
}

#[test]
fn messages_of_other_loggers_are_no_requests() {
    for message in [
        r#"{"level":"error","ts":1793860702.5,"logger":"http.log.error.log0","msg":"dial tcp","request":{"method":"GET","uri":"/"},"status":502}"#,
        r#"{"level":"info","ts":1793860702.5,"logger":"tls.cache.maintenance","msg":"started"}"#,
        r#"{"level":"debug","ts":1793860702.5,"logger":"http.handlers.reverse_proxy","msg":"upstream roundtrip","request":{"method":"GET"},"status":200}"#,
    ] {
        assert_eq!(told(message), "skipped: other_message");
    }
}

#[test]
fn a_user_is_told() {
    assert!(with(r#""user_id":"""#, r#""user_id":"alice""#).contains(r#" user "alice" "#));
}
