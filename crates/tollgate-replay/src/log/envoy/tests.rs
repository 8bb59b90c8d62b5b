use tollgate::Micros;

use crate::log::text::tests::{address, after, read, request};
use crate::log::{Line, Peer, Record, Reject, Skipped, TextForm, TimeBasis};

const DEFAULT: &str = r#"[2026-11-05T06:25:02.310Z] "GET /x?y HTTP/2" 200 - 0 154 226 100 "203.0.113.5,198.51.100.7" "agent" "cc21d9b0-0000-4000-8000-000000000000" "example.net" "192.0.2.1:80""#;

fn envoy(line: &str) -> Record<'_> {
    request(TextForm::Envoy, line)
}

fn rejected(line: &str) -> Reject {
    read(TextForm::Envoy, line).expect_err(line)
}

fn expected() -> Record<'static> {
    let at = after(Micros::from_millis(310));
    Record {
        duration: Some(Micros::from_millis(226)),
        forwarded_for: Some("203.0.113.5,198.51.100.7".into()),
        method: Some("GET".into()),
        path: Some("/x".into()),
        query: Some("y".into()),
        host: Some("example.net".into()),
        status: Some(200),
        user_agent: Some("agent".into()),
        ..Record::at(at, TimeBasis::Start, Micros::MILLISECOND)
    }
}

#[test]
fn the_default_format_is_read_whole() {
    assert_eq!(envoy(DEFAULT), expected());
    assert_eq!(envoy(DEFAULT).peer, Peer::Unknown);
}

#[test]
fn istio_tells_the_peer_and_the_route() {
    let more = r#" outbound|80||web 192.0.2.2:41 192.0.2.3:80 [2001:db8::17]:48160 - default"#;
    for details in [r#"via_upstream - "-""#, r#""-""#] {
        let line = DEFAULT.replace("200 - 0", &format!("200 - {details} 0")) + more;
        let expected = Record {
            peer: address("2001:db8::17"),
            route: Some("default".into()),
            ..expected()
        };
        assert_eq!(envoy(&line), expected, "{details}");
    }
}

#[test]
fn what_is_absent_is_none() {
    // T15
    let record =
        envoy(r#"[2026-11-05T06:25:02.310Z] "- - HTTP/1.1" 0 DPE 0 0 5 - "-" "-" "id" "-" "-""#);
    assert_eq!((record.method, record.path), (None, None));
    assert_eq!((record.status, record.host), (None, None));
    assert_eq!((record.forwarded_for, record.user_agent), (None, None));
    assert_eq!(record.duration, Some(Micros::from_millis(5)));
}

#[test]
fn flags_do_not_matter() {
    let line = DEFAULT.replace("200 -", "429 RL,RLSE");
    assert_eq!(envoy(&line).status, Some(429));
}

#[test]
fn quotes_in_texts_are_borne_where_they_cannot_be_mistaken() {
    // T11
    let line = DEFAULT.replace("\"agent\"", "\"A \"B\" C\"");
    assert_eq!(envoy(&line).user_agent.as_deref(), Some("A \"B\" C"));
    let line = DEFAULT.replace("/x?y", "/x\" y");
    assert_eq!(envoy(&line).path.as_deref(), Some("/x\" y"));
    let line = DEFAULT.replace("\"agent\"", "\"A\" \"B\"");
    assert_eq!(rejected(&line), Reject::Quotes);
}

#[test]
fn a_connection_without_http_is_no_request() {
    let line = r#"[2026-11-05T06:25:02.310Z] "- - -" 0 - - - "-" 10 20 30 - "-" "-" "-" "-" "192.0.2.1:80" outbound|1||db 192.0.2.2:1 192.0.2.3:2 198.51.100.7:3 - -"#;
    assert_eq!(
        read(TextForm::Envoy, line),
        Ok(Line::Skipped(Skipped::OtherMessage))
    );
}

#[test]
fn a_line_that_ends_in_the_middle_is_rejected() {
    // T17
    assert_eq!(
        rejected(&DEFAULT[..DEFAULT.len() - 1]),
        Reject::TooFewFields
    );
    assert_eq!(rejected(&DEFAULT[..60]), Reject::TooFewFields);
    assert_eq!(rejected(&DEFAULT[..40]), Reject::Unfinished);
}

#[test]
fn wrong_times_and_fields_are_rejected() {
    assert_eq!(rejected(&DEFAULT.replace("11-05", "13-05")), Reject::Time);
    assert_eq!(rejected(&DEFAULT.replace("154", "x")), Reject::OtherForm);
    assert_eq!(rejected(&DEFAULT.replace("200 -", "OK -")), Reject::Status);
}
