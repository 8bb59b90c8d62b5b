use tollgate::Micros;

use crate::log::text::tests::{AT, address, read, request};
use crate::log::{Record, Reject, TextForm, TimeBasis};

const PROXY: &str = r#"[05/Nov/2026:06:25:02 +0000] HIT 502, 200 200 - GET https example.net "/a\x22?b=1" [Client 198.51.100.7] [Length 522] [Gzip 2.10] [Sent-to 192.0.2.3] "curl/8.5.0" "https://example.net/""#;
const OWN: &str = r#"[05/Nov/2026:06:25:02 +0000] 200 - GET https example.net "/a\x22?b=1" [Client 198.51.100.7] [Length 522] [Gzip -] "curl/8.5.0" "https://example.net/""#;

fn rejected(line: &str) -> Reject {
    read(TextForm::ProxyManager, line).expect_err(line)
}

#[test]
fn both_formats_are_read_whole() {
    let expected = Record {
        peer: address("198.51.100.7"),
        method: Some("GET".into()),
        path: Some("/a\"".into()),
        query: Some("b=1".into()),
        host: Some("example.net".into()),
        status: Some(200),
        user_agent: Some("curl/8.5.0".into()),
        referer: Some("https://example.net/".into()),
        ..Record::at(AT, TimeBasis::End, Micros::SECOND)
    };
    assert_eq!(request(TextForm::ProxyManager, PROXY), expected);
    assert_eq!(request(TextForm::ProxyManager, OWN), expected);
}

#[test]
fn absent_values_are_none() {
    // T05, T15
    let line = r#"[05/Nov/2026:06:25:02 +0000] - - 000 - - http - "-" [Client 2001:db8::17] [Length 0] [Gzip -] [Sent-to 192.0.2.3] "-" "-""#;
    let record = request(TextForm::ProxyManager, line);
    assert_eq!(record.peer, address("2001:db8::17"));
    assert_eq!((record.status, record.method), (None, None));
    assert_eq!((record.path, record.host), (None, None));
    assert_eq!((record.user_agent, record.referer), (None, None));
}

#[test]
fn wrong_lines_are_rejected() {
    // T17
    assert_eq!(rejected(&PROXY[..PROXY.len() - 1]), Reject::Unfinished);
    assert_eq!(rejected(&PROXY[..20]), Reject::Unfinished);
    let cut = OWN.find(" [Client").unwrap();
    assert_eq!(rejected(&OWN[..cut]), Reject::TooFewFields);
    assert_eq!(rejected(&OWN.replace("05/Nov", "35/Nov")), Reject::Time);
    assert_eq!(rejected(&OWN.replace(" 200 ", " OK ")), Reject::Status);
    assert_eq!(rejected(&OWN.replace("198.51.100.7", "$a")), Reject::Client);
    assert_eq!(rejected("[notice] x"), Reject::OtherForm);
}
