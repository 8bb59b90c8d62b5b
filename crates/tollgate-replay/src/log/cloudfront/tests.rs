use tollgate::Micros;

use crate::log::text::tests::{AT, address, read, request};
use crate::log::{Line, Record, Reject, Skipped, TextForm, TextState, TimeBasis};

const LINE: &str = "2026-11-05\t06:25:02\tFRA2-C1\t522\t2001:db8::17\tGET\td1.cloudfront.net\t/a%20b\t200\thttps://example.net/%2522\tMozilla/5.0%20(X11)\tb=1\t-\tHit\tid==\texample.net\thttps\t23\t0.042\t203.0.113.5";

fn rejected(line: &str) -> Reject {
    read(TextForm::CloudFront, line).expect_err(line)
}

#[test]
fn a_line_is_read_whole() {
    let took = Micros::from_millis(42);
    let expected = Record {
        duration: Some(took),
        peer: address("2001:db8::17"),
        forwarded_for: Some("203.0.113.5".into()),
        method: Some("GET".into()),
        path: Some("/a%20b".into()),
        query: Some("b=1".into()),
        host: Some("example.net".into()),
        status: Some(200),
        user_agent: Some("Mozilla/5.0 (X11)".into()),
        referer: Some("https://example.net/%22".into()),
        ..Record::at(
            AT.saturating_sub(took),
            TimeBasis::EndLessDuration,
            Micros::SECOND,
        )
    };
    assert_eq!(request(TextForm::CloudFront, LINE), expected);
}

#[test]
fn columns_are_those_that_the_file_names() {
    let mut state = TextState::default();
    let mut read = |line: &'static str| TextForm::CloudFront.read(line.as_bytes(), &mut state);
    let comment = Ok(Line::Skipped(Skipped::Comment));
    assert_eq!(read("#Version: 1.0"), comment);
    assert_eq!(
        read("#Fields: c-ip x-new date time sc-status cs-uri-stem cs(Host)"),
        comment
    );
    let Ok(Line::Request(record)) =
        read("198.51.100.7\tnew\t2026-11-05\t06:25:02\t429\t/a\tb.example.net\tmore")
    else {
        panic!("it is no request");
    };
    assert_eq!(record.peer, address("198.51.100.7"));
    assert_eq!((record.at, record.basis), (AT, TimeBasis::End));
    assert_eq!((record.status, record.method), (Some(429), None));
    assert_eq!(record.path.as_deref(), Some("/a"));
    assert_eq!(record.host.as_deref(), Some("b.example.net"));
}

#[test]
fn absent_values_are_none() {
    // T15
    let line = LINE.replace("\t200\t", "\t000\t").replace("0.042", "-");
    let line = line.replace("203.0.113.5", "-").replace("\tb=1", "\t-");
    let record = request(TextForm::CloudFront, &line);
    assert_eq!((record.status, record.duration), (None, None));
    assert_eq!((record.forwarded_for, record.query), (None, None));
    assert_eq!((record.at, record.basis), (AT, TimeBasis::End));
}

#[test]
fn wrong_values_are_rejected() {
    assert_eq!(rejected(&LINE.replace("11-05", "13-05")), Reject::Time);
    assert_eq!(rejected(&LINE.replace("06:25:02", "06:25")), Reject::Time);
    assert_eq!(rejected(&LINE.replace("2001:db8::17", "x")), Reject::Client);
    assert_eq!(rejected(&LINE.replace("\t200\t", "\tOK\t")), Reject::Status);
    assert_eq!(rejected("2026-11-05\t06:25:02\tx"), Reject::TooFewFields);
    assert_eq!(rejected("a\tb"), Reject::OtherForm);
    assert_eq!(rejected("no tabs"), Reject::OtherForm);
}
