use tollgate::Micros;

use crate::log::text::tests::{AT, address, after, read, request};
use crate::log::{Peer, Record, Reject, TextForm, TimeBasis};

const LINE: &str = r#"https 2026-11-05T06:25:02.500821Z app/lb/50dc6c495c0c9188 [2001:db8::17]:48160 - -1 -1 -1 404 - 204 167 "GET https://api.example.net:443/%%32%65/?a HTTP/1.1" "x\"y" TLS_AES_128_GCM_SHA256 TLSv1.3 - "Root=1-00000000-000000000000000000000000" "api.example.net" "session-reused" 0 2026-11-05T06:25:02.400000Z "waf,fixed-response" "-" "-" "-" "-" "-" "-" TID_0 "-" "-" "-""#;

fn alb(line: &str) -> Record<'_> {
    request(TextForm::Alb, line)
}

fn rejected(line: &str) -> Reject {
    read(TextForm::Alb, line).expect_err(line)
}

#[test]
fn a_line_is_read_whole() {
    // B153: the time is that at which the request was received.
    let at = after(Micros::from_millis(400));
    let expected = Record {
        duration: Some(Micros::new(100_821)),
        peer: address("2001:db8::17"),
        method: Some("GET".into()),
        path: Some("/%%32%65/".into()),
        query: Some("a".into()),
        host: Some("api.example.net:443".into()),
        status: Some(404),
        user_agent: Some("x\"y".into()),
        ..Record::at(at, TimeBasis::Start, Micros::new(1))
    };
    assert_eq!(alb(LINE), expected);
}

#[test]
fn clients_are_written_in_several_ways() {
    for (client, peer) in [
        ("198.51.100.7:48160", address("198.51.100.7")),
        ("2001:db8::17:48160", address("2001:db8::17")),
        ("-", Peer::Unknown),
    ] {
        let line = LINE.replace("[2001:db8::17]:48160", client);
        assert_eq!(alb(&line).peer, peer, "{client}");
    }
    let line = LINE.replace("[2001:db8::17]:48160", "client:48160");
    assert_eq!(rejected(&line), Reject::Client);
}

#[test]
fn later_fields_may_be_many_or_missing() {
    let more = format!(r#"{LINE} "one more" and_another"#);
    assert_eq!(alb(&more), alb(LINE));
    let created = LINE.find(" \"waf").unwrap();
    assert_eq!(alb(&LINE[..created]), alb(LINE));
}

#[test]
fn without_a_time_of_creation_the_spans_are_subtracted() {
    let old = &LINE[..LINE.find(" TLS_AES").unwrap()];
    let record = alb(old);
    assert_eq!(record.at, after(Micros::new(500_821)));
    assert_eq!((record.basis, record.duration), (TimeBasis::End, None));

    let passed_on = old.replace("-1 -1 -1", "0.001 0.499 0.000");
    let record = alb(&passed_on);
    assert_eq!(record.at, after(Micros::new(821)));
    assert_eq!(record.basis, TimeBasis::EndLessDuration);
    assert_eq!(record.duration, Some(Micros::from_millis(500)));
}

#[test]
fn a_request_that_could_not_be_read_tells_its_host() {
    // T07
    let line = LINE.replace(
        "GET https://api.example.net:443/%%32%65/?a HTTP/1.1",
        "- http://host.example.net:80- -",
    );
    let record = alb(&line);
    assert_eq!(record.host.as_deref(), Some("host.example.net:80"));
    assert_eq!((record.method, record.path), (None, None));
}

#[test]
fn an_absent_status_is_none() {
    // T15
    assert_eq!(alb(&LINE.replace(" 404 -", " - -")).status, None);
}

#[test]
fn times_may_be_whole_seconds() {
    let line = LINE.replace("02.400000Z", "02Z");
    assert_eq!((alb(&line).at, alb(&line).resolution), (AT, Micros::SECOND));
}

#[test]
fn a_line_that_ends_in_the_middle_is_rejected() {
    // T17
    assert_eq!(rejected(&LINE[..80]), Reject::TooFewFields);
    assert_eq!(rejected(&LINE[..130]), Reject::Unfinished);
    assert_eq!(rejected("https"), Reject::TooFewFields);
    assert_eq!(rejected("smtp x"), Reject::OtherForm);
}

#[test]
fn a_quote_that_is_not_escaped_is_rejected() {
    // T11
    let line = LINE.replace("x\\\"y", "x\"y");
    assert_eq!(rejected(&line), Reject::Quotes);
}
