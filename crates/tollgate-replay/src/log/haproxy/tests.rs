use tollgate::Micros;

use crate::log::text::tests::{address, after, read, request};
use crate::log::{Line, Peer, Record, Reject, Skipped, TextForm, TextState, TimeBasis};

const LINE: &str = r#"198.51.100.7:41342 [05/Nov/2026:06:25:02.310] web~ api/node1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {example.net|curl #22x#22} {} "GET /a#22?b=1 HTTP/1.1""#;

fn haproxy(line: &str) -> Record<'_> {
    request(TextForm::HaProxy, line)
}

fn rejected(line: &str) -> Reject {
    read(TextForm::HaProxy, line).expect_err(line)
}

#[test]
fn a_line_is_read_whole() {
    let at = after(Micros::from_millis(310));
    let expected = Record {
        duration: Some(Micros::from_millis(109)),
        peer: address("198.51.100.7"),
        method: Some("GET".into()),
        path: Some("/a\"".into()),
        query: Some("b=1".into()),
        route: Some("api".into()),
        status: Some(200),
        ..Record::at(at, TimeBasis::Start, Micros::MILLISECOND)
    };
    assert_eq!(haproxy(LINE), expected);
}

#[test]
fn its_time_is_local() {
    // T23
    let mut state = TextState::default();
    assert_eq!(
        TextForm::HaProxy.read(LINE.as_bytes(), &mut state),
        Err(Reject::NoOffset)
    );
    let mut state = TextState::new("+05:30".parse().ok());
    let Ok(Line::Request(record)) = TextForm::HaProxy.read(LINE.as_bytes(), &mut state) else {
        panic!("it is no request");
    };
    let ahead = Micros::from_secs(19_800);
    assert_eq!(record.at.saturating_add(ahead), haproxy(LINE).at);
}

#[test]
fn clients_are_of_either_family_or_a_socket() {
    // T01
    for (client, peer) in [
        ("2001:db8::17:41342", address("2001:db8::17")),
        ("[2001:db8::17]:41342", address("2001:db8::17")),
        ("::ffff:198.51.100.7:41342", address("::ffff:198.51.100.7")),
        ("unix:1", Peer::Unix),
    ] {
        let line = LINE.replace("198.51.100.7:41342", client);
        assert_eq!(haproxy(&line).peer, peer, "{client}");
    }
}

#[test]
fn a_request_that_was_not_finished_is_one_all_the_same() {
    // T05, T15
    let line = r#"198.51.100.7:41342 [05/Nov/2026:06:25:02.310] web web/<NOSRV> -1/-1/-1/-1/+5001 -1 212 - - CR-- 1/1/0/0/0 0/0 "<BADREQ>""#;
    let record = haproxy(line);
    assert_eq!((record.method, record.path), (None, None));
    assert_eq!(record.status, None);
    assert_eq!(record.duration, Some(Micros::from_millis(5_001)));
    let aborted = line.replace("+5001", "-1");
    assert_eq!(haproxy(&aborted).duration, None);
}

#[test]
fn lines_that_are_no_requests_are_skipped() {
    for line in [
        "198.51.100.7:41342 [05/Nov/2026:06:25:02.310] web/1: SSL handshake failure",
        "198.51.100.7:41342 [05/Nov/2026:06:25:02.310] tcp db/node1 1/0/5007 212 -- 1/1/1/1/0 0/0",
        "Server api/node1 is DOWN, reason: Layer4 timeout, check duration: 2001ms.",
        "Proxy web started.",
        "[WARNING]  (1) : config : missing timeouts",
    ] {
        assert_eq!(
            read(TextForm::HaProxy, line),
            Ok(Line::Skipped(Skipped::OtherMessage)),
            "{line}"
        );
    }
}

#[test]
fn a_line_that_was_cut_is_rejected() {
    // T17
    assert_eq!(rejected(&LINE[..LINE.len() - 1]), Reject::Unfinished);
    assert_eq!(rejected(&LINE[..100]), Reject::TooFewFields);
    assert_eq!(rejected(&LINE[..30]), Reject::Unfinished);
    assert_eq!(rejected("hello"), Reject::OtherForm);
    assert_eq!(rejected(&LINE.replace("Nov", "Nox")), Reject::Time);
    assert_eq!(rejected(&LINE.replace(" 200 ", " OK ")), Reject::Status);
}
