use tollgate::{Micros, Timestamp};

use crate::log::text::tests::{AT, address, read, request};
use crate::log::{Line, Peer, Record, Reject, Skipped, TextForm, TimeBasis};

fn clf(line: &str) -> Record<'_> {
    request(TextForm::Combined, line)
}

fn rejected(line: &str) -> Reject {
    read(TextForm::Combined, line).expect_err(line)
}

/// A line whose part before the time is this.
fn client(before: &str) -> Record<'static> {
    let line = format!(r#"{before} [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200 5 "-" "-""#);
    clf(line.leak())
}

/// A line whose part after the time is this.
fn answer(after: &str) -> Record<'static> {
    clf(format!("198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] {after}").leak())
}

#[test]
fn nginx_combined_is_read_whole() {
    let line = r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET /a?b=1 HTTP/1.1" 200 522 "-" "curl/8.5.0""#;
    let expected = Record {
        peer: address("198.51.100.7"),
        method: Some("GET".into()),
        path: Some("/a".into()),
        query: Some("b=1".into()),
        status: Some(200),
        user_agent: Some("curl/8.5.0".into()),
        ..Record::at(AT, TimeBasis::End, Micros::SECOND)
    };
    assert_eq!(clf(line), expected);
}

#[test]
fn apache_vhost_combined_is_read_whole() {
    let line = r#"www.example.net:443 2001:db8::17 - alice [05/Nov/2026:06:25:02 +0000] "POST /x HTTP/1.1" 302 - "https://example.net/\"q\"" "A \"B\" C""#;
    let expected = Record {
        peer: address("2001:db8::17"),
        method: Some("POST".into()),
        path: Some("/x".into()),
        host: Some("www.example.net:443".into()),
        user: Some("alice".into()),
        status: Some(302),
        referer: Some("https://example.net/\"q\"".into()),
        user_agent: Some("A \"B\" C".into()),
        ..Record::at(AT, TimeBasis::End, Micros::SECOND)
    };
    assert_eq!(clf(line), expected);
}

#[test]
fn apache_common_has_no_texts() {
    let record = answer(r#""GET /a HTTP/1.0" 304 -"#);
    assert_eq!(record.status, Some(304));
    assert_eq!(record.path.as_deref(), Some("/a"));
    assert_eq!(record.user_agent, None);
}

#[test]
fn traefik_tells_begin_duration_and_router() {
    let record = answer(
        r#""GET /x HTTP/2.0" 200 352 "-" "-" 244 "web@docker -> leaf@docker" "http://192.0.2.3:80" 42ms"#,
    );
    assert_eq!((record.at, record.basis), (AT, TimeBasis::Start));
    assert_eq!(record.duration, Some(Micros::from_millis(42)));
    assert_eq!(record.route.as_deref(), Some("web@docker -> leaf@docker"));
    assert_eq!(record.forwarded_for, None);

    let record = answer(r#""GET /x HTTP/2" - - "-" "-" 1 "-" "-" 0ms"#);
    assert_eq!((record.status, record.route), (None, None));
    assert_eq!(record.duration, Some(Micros::ZERO));
}

#[test]
fn traefik_escapes_nothing() {
    // T11
    let tail = r#"1 "web@docker" "http://192.0.2.3:80" 7ms"#;
    for (agent, expected) in [
        (r#"A "B" C"#, r#"A "B" C"#),
        (r"back\", r"back\"),
        (r"\x41", r"\x41"),
        (r#"1 "x" "y" 9ms"#, ""),
    ] {
        let line = format!(
            r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200 5 "-" "{agent}" {tail}"#
        );
        if expected.is_empty() {
            assert_eq!(rejected(&line), Reject::Quotes, "{agent}");
            continue;
        }
        let record = clf(&line);
        assert_eq!(record.user_agent.as_deref(), Some(expected), "{agent}");
        assert_eq!(record.route.as_deref(), Some("web@docker"));
    }
}

#[test]
fn clients_are_of_either_family_and_have_no_zone() {
    // T01, T03
    assert_eq!(client("2001:db8::17 - -").peer, address("2001:db8::17"));
    assert_eq!(client("fe80::1%eth0 - -").peer, address("fe80::1"));
    assert_eq!(client("unix: - -").peer, Peer::Unix);
}

#[test]
fn a_client_may_be_a_name() {
    // T27
    let name = |name: &'static str| Peer::Name(name.into());
    let plain = client("dyn-5.example.net - -");
    assert_eq!(plain.peer, name("dyn-5.example.net"));
    assert_eq!(plain.host, None);
    let with_ident = client("dyn-5.example.net joe -");
    assert_eq!(with_ident.peer, name("dyn-5.example.net"));
    assert_eq!(with_ident.user, None);
    let with_port = client("www.example.net:443 dyn-5.example.net joe alice");
    assert_eq!(with_port.peer, name("dyn-5.example.net"));
    assert_eq!(with_port.user.as_deref(), Some("alice"));
    for host in ["www.example.net", "www.example.net:443"] {
        let record = client(format!("{host} dyn-5.example.net - alice").leak());
        assert_eq!(record.peer, name("dyn-5.example.net"));
        assert_eq!(record.host.as_deref(), Some(host));
        assert_eq!(record.user.as_deref(), Some("alice"));
    }
}

#[test]
fn what_is_no_client_is_rejected() {
    let line = |client: &str| {
        format!(r#"{client} - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200 5 "-" "-""#)
    };
    for wrong in ["$a", "256.1.1.1", "<script>"] {
        assert_eq!(rejected(&line(wrong)), Reject::Client, "{wrong}");
    }
}

#[test]
fn a_host_before_the_client_may_have_a_port_or_be_an_address() {
    for host in [
        "example.net",
        "example.net:80",
        "192.0.2.1",
        "192.0.2.1:80",
        "*",
    ] {
        let record = client(format!("{host} 198.51.100.7 - -").leak());
        assert_eq!(record.peer, address("198.51.100.7"), "{host}");
        assert_eq!(record.host.as_deref(), Some(host));
    }
}

#[test]
fn a_list_of_clients_is_a_forwarding_list() {
    let record = client("203.0.113.5, 198.51.100.7, 10.0.0.1 - alice");
    assert_eq!(record.peer, Peer::Unknown);
    let list = record.forwarded_for.as_deref();
    assert_eq!(list, Some("203.0.113.5, 198.51.100.7, 10.0.0.1"));
    assert_eq!(record.user.as_deref(), Some("alice"));
    let list = client("203.0.113.5,198.51.100.7 - -").forwarded_for;
    assert_eq!(list.as_deref(), Some("203.0.113.5,198.51.100.7"));
}

#[test]
fn users_may_hold_blanks_and_brackets() {
    // T13
    for (before, user) in [
        ("198.51.100.7 - -", None),
        ("198.51.100.7 - ", None),
        ("198.51.100.7 - \"\"", None),
        ("198.51.100.7 - john smith", Some("john smith")),
        ("198.51.100.7 joe john smith", Some("john smith")),
        ("198.51.100.7 - a]b[c", Some("a]b[c")),
        ("198.51.100.7 - a [b] \"", Some("a [b] \"")),
        ("198.51.100.7 - caf\\xC3\\xA9", Some("café")),
        ("198.51.100.7 - \\xff", None),
    ] {
        let record = client(before);
        assert_eq!(record.user.as_deref(), user, "{before}");
        assert_eq!(record.peer, address("198.51.100.7"));
        assert_eq!(record.at, AT);
    }
}

#[test]
fn a_user_cannot_forge_a_request() {
    let record =
        client(r"198.51.100.7 - x [01/Jan/2020:00:00:00 +0000] \x22GET /forged HTTP/1.1\x22 200 1");
    assert_eq!(record.path.as_deref(), Some("/"));
    assert_eq!(record.at, AT);
}

#[test]
fn rubbish_is_a_request_of_its_client() {
    // T05, T07
    for (request, method) in [
        (r#""" 400 0 "-" "-""#, None),
        (r#""-" 408 - "-" "-""#, None),
        (r#""\x16\x03\x01\x02" 400 157 "-" "-""#, None),
        (r#""HELP" 400 157 "-" "-""#, Some("HELP")),
        (r#""batman" 400 157 "-" "-""#, Some("batman")),
    ] {
        let record = answer(request);
        assert_eq!(record.method.as_deref(), method, "{request}");
        assert_eq!(record.path, None, "{request}");
        assert_eq!(record.peer, address("198.51.100.7"));
    }
}

#[test]
fn the_asterisk_is_a_path() {
    // T09
    let record = answer(r#""OPTIONS * HTTP/1.1" 200 0 "-" "-""#);
    assert_eq!(record.path.as_deref(), Some("*"));
}

#[test]
fn absent_numbers_are_not_zero() {
    // T15
    for status in ["-", "000", "0"] {
        let record = answer(format!(r#""GET / HTTP/1.1" {status} - "-" "-""#).leak());
        assert_eq!(record.status, None, "{status}");
    }
    let line = r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" OK 5"#;
    assert_eq!(rejected(line), Reject::Status);
    let line = r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200 0.042 5"#;
    assert_eq!(rejected(line), Reject::OtherForm);
}

#[test]
fn escapes_are_undone_in_every_text() {
    // T25
    let record =
        answer(r#""GET /\xC3\xBC\x22/\xFF?q=\x5C HTTP/1.1" 200 5 "\x22r\x22" "a\\b \"c\"""#);
    assert_eq!(record.path.as_deref(), Some("/ü\"/%FF"));
    assert_eq!(record.query.as_deref(), Some("q=\\"));
    assert_eq!(record.referer.as_deref(), Some("\"r\""));
    assert_eq!(record.user_agent.as_deref(), Some("a\\b \"c\""));
}

#[test]
fn quotes_that_are_not_escaped_are_read_from_the_right_if_that_is_certain() {
    // T11
    for (texts, agent, list) in [
        (r#""-" "A "B" C""#, "A \"B\" C", None),
        (r#""-" ""B""#, "\"B", None),
        (
            r#""-" "A "B" C" "203.0.113.5""#,
            "A \"B\" C",
            Some("203.0.113.5"),
        ),
        (
            r#""-" "A "B" C" "203.0.113.5, evil""#,
            "A \"B\" C",
            Some("203.0.113.5, evil"),
        ),
        (r#""-" "A "B" C" "-""#, "A \"B\" C", None),
        (r#""-" "A "B" C" rt=0.250"#, "A \"B\" C", None),
    ] {
        let record = answer(format!(r#""GET / HTTP/1.1" 200 5 {texts}"#).leak());
        assert_eq!(record.user_agent.as_deref(), Some(agent), "{texts}");
        assert_eq!(record.forwarded_for.as_deref(), list, "{texts}");
        assert_eq!(record.referer, None);
    }
    for (texts, reject) in [
        (r#""-" "A"B" "C" "D""#, Reject::Quotes),
        (r#""-" "A "B" C" "D""#, Reject::Quotes),
        (r#""-" "A "B" C"#, Reject::Unfinished),
    ] {
        let line = format!(
            r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200 5 {texts}"#
        );
        assert_eq!(rejected(&line), reject, "{texts}");
    }
    let path = answer(r#""GET /a"b HTTP/1.1" 200 5 "-" "-""#).path;
    assert_eq!(path.as_deref(), Some("/a\"b"));
}

#[test]
fn a_line_that_ends_in_the_middle_is_rejected() {
    // T17
    let line = r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200 5 "-" "curl"#;
    for (end, reject) in [
        (line.len(), Reject::Unfinished),
        (line.len() - 5, Reject::TooFewFields),
        (line.len() - 7, Reject::Unfinished),
        (70, Reject::Unfinished),
        (60, Reject::Unfinished),
        (46, Reject::Unfinished),
        (40, Reject::Unfinished),
        (10, Reject::OtherForm),
    ] {
        assert_eq!(rejected(&line[..end]), reject, "{}", &line[..end]);
    }
    let line = r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET / HTTP/1.1" 200"#;
    assert_eq!(rejected(line), Reject::TooFewFields);
}

#[test]
fn a_forwarding_list_may_follow_the_agent() {
    for (more, list) in [
        (r#""203.0.113.5""#, Some("203.0.113.5")),
        (
            r#""203.0.113.5, 2001:db8::1""#,
            Some("203.0.113.5, 2001:db8::1"),
        ),
        (r#""x, 203.0.113.5:4000""#, Some("x, 203.0.113.5:4000")),
        (r#""gzip" "203.0.113.5""#, Some("203.0.113.5")),
        (r#""-""#, None),
        (r#""-" "192.0.2.3:80""#, None),
        (r#""example.net""#, None),
    ] {
        let record = answer(format!(r#""GET / HTTP/1.1" 200 5 "-" "-" {more}"#).leak());
        assert_eq!(record.forwarded_for.as_deref(), list, "{more}");
        assert_eq!(record.peer, address("198.51.100.7"));
    }
}

#[test]
fn a_list_of_which_some_members_are_no_addresses_is_a_forwarding_list() {
    for (more, list) in [
        (r#""203.0.113.9, evil""#, Some("203.0.113.9, evil")),
        (r#""203.0.113.9, ""#, Some("203.0.113.9, ")),
        (r#""unknown,203.0.113.9,x""#, Some("unknown,203.0.113.9,x")),
        (
            r#""a, [2001:db8::1]:80, b""#,
            Some("a, [2001:db8::1]:80, b"),
        ),
        (
            r#""gzip, br" "203.0.113.9, evil""#,
            Some("203.0.113.9, evil"),
        ),
        (r#""203.0.113.9, evil" 0.250"#, Some("203.0.113.9, evil")),
        (r#""a, b""#, None),
        (r#""de, ad, 1.2""#, None),
    ] {
        let record = answer(format!(r#""GET / HTTP/1.1" 200 5 "-" "-" {more}"#).leak());
        assert_eq!(record.forwarded_for.as_deref(), list, "{more}");
    }
}

#[test]
fn the_time_that_a_request_took_is_subtracted() {
    // B153
    for more in [
        "30.000",
        "rt=30.000",
        "request_time=30.000",
        r#"rt="30.000" uct="0.000""#,
        r#""203.0.113.5" 30.000 0.004"#,
        "512 30.000 [default-web-80] [] 192.0.2.3:80 12 0.002 200 4f2a",
    ] {
        let record = answer(format!(r#""GET / HTTP/1.1" 200 5 "-" "-" {more}"#).leak());
        let took = Micros::from_secs(30);
        assert_eq!(record.at, AT.saturating_sub(took), "{more}");
        assert_eq!(record.basis, TimeBasis::EndLessDuration);
        assert_eq!(record.duration, Some(took));
    }
    let common = answer(r#""GET / HTTP/1.1" 200 5 0.250"#);
    assert_eq!(common.duration, Some(Micros::from_millis(250)));
}

#[test]
fn the_time_to_the_millisecond_is_no_duration() {
    let exact = Timestamp::from_micros(AT.as_micros() + 407_000);
    let seconds = exact.as_micros() / 1_000_000;
    for (added, took) in [
        (format!("{seconds}.407"), None),
        (format!("{seconds}.407 0.250"), Some(250)),
        (format!("0.250 {seconds}.407"), Some(250)),
        (format!("{seconds}.407 rt=0.250"), Some(250)),
    ] {
        let record = answer(format!(r#""GET / HTTP/1.1" 200 5 "-" "-" {added}"#).leak());
        let took = took.map(Micros::from_millis);
        assert_eq!(record.duration, took, "{added}");
        assert_eq!(
            record.at,
            exact.saturating_sub(took.unwrap_or_default()),
            "{added}"
        );
        assert_eq!(record.resolution, Micros::MILLISECOND, "{added}");
    }
}

#[test]
fn what_else_was_added_is_passed_over() {
    for more in ["512", "-", "gzip 3.1", r#"host="a b" x=y"#, r#""p" . "#] {
        let record = answer(format!(r#""GET / HTTP/1.1" 200 5 "-" "-" {more}"#).leak());
        assert_eq!((record.duration, record.at), (None, AT), "{more}");
    }
}

#[test]
fn a_time_that_no_clock_shows_is_rejected() {
    // T23
    for (time, reject) in [
        ("31/Feb/2026:06:25:02 +0000", Reject::Time),
        ("05/Nov/2026:06:25:02 CET", Reject::Time),
        ("05/Nov/1969:06:25:02 +0000", Reject::Time),
        ("2026-11-05T06:25:02Z", Reject::OtherForm),
    ] {
        let line = format!(r#"198.51.100.7 - - [{time}] "GET / HTTP/1.1" 200 5"#);
        assert_eq!(rejected(&line), reject, "{time}");
    }
}

#[test]
fn a_time_without_offset_needs_a_zone() {
    // T23
    let line = r#"198.51.100.7 - - [05/Nov/2026:06:25:02] "GET / HTTP/1.1" 200 5"#;
    let mut state = crate::log::TextState::default();
    let without = TextForm::Combined.read(line.as_bytes(), &mut state);
    assert_eq!(without, Err(Reject::NoOffset));
    assert_eq!(clf(line).at, AT);
}

#[test]
fn error_lines_are_no_requests() {
    // L14
    let line = r#"2026/11/05 06:25:02 [error] 31#31: *7 limiting requests, excess: 5.428 by zone "one", client: 2001:db8::17, server: , request: "GET / HTTP/1.1", host: "example.net""#;
    assert_eq!(
        read(TextForm::Combined, line),
        Ok(Line::Skipped(Skipped::OtherMessage))
    );
}
