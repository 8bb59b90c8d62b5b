//! What every reader of text must do, and what the readers' tests share.

use proptest::prelude::*;
use tollgate::{Micros, Timestamp};

use crate::log::{Line, Peer, Record, Reject, Skipped, TextForm, TextState, TimeZone};

/// 2026-11-05T06:25:02Z
pub(crate) const AT: Timestamp = Timestamp::from_secs(1_793_859_902);

/// Reads a line with a state of its own, in which times without offset are in UTC.
pub(crate) fn read(form: TextForm, line: &str) -> Result<Line<'_>, Reject> {
    form.read(line.as_bytes(), &mut TextState::new(Some(TimeZone::UTC)))
}

/// The request that a line tells.
pub(crate) fn request(form: TextForm, line: &str) -> Record<'_> {
    match read(form, line) {
        Ok(Line::Request(record)) => record,
        other => panic!("{other:?}: {line}"),
    }
}

pub(crate) fn address(text: &str) -> Peer<'static> {
    Peer::Address(text.parse().unwrap())
}

pub(crate) fn after(span: Micros) -> Timestamp {
    AT.saturating_add(span)
}

/// A line of each form.
const GOOD: [(TextForm, &str); 14] = [
    (
        TextForm::Combined,
        r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET /a?b=1 HTTP/1.1" 200 522 "-" "curl/8.5.0""#,
    ),
    (
        TextForm::Combined,
        r#"www.example.net:443 2001:db8::17 - alice [05/Nov/2026:06:25:02 +0100] "POST /x HTTP/1.1" 302 - "https://example.net/\"q\"" "A \"B\" C""#,
    ),
    (
        TextForm::Combined,
        r#"203.0.113.5, 198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET /x HTTP/2.0" 200 352 "-" "-" 244 "web@docker -> leaf@docker" "http://192.0.2.3:80" 42ms"#,
    ),
    (
        TextForm::Combined,
        r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET /\x22 HTTP/1.1" 200 5 "-" "-" "203.0.113.5, 10.0.0.1" rt=0.042 uct="0.001""#,
    ),
    (
        TextForm::Envoy,
        r#"[2026-11-05T06:25:02.310Z] "GET /x HTTP/2" 200 - 0 154 226 100 "203.0.113.5,198.51.100.7" "agent" "cc21d9b0-0000-4000-8000-000000000000" "example.net" "192.0.2.1:80""#,
    ),
    (
        TextForm::Envoy,
        r#"[2026-11-05T06:25:02.310Z] "GET /x HTTP/2" 200 - via_upstream - "-" 0 154 226 100 "203.0.113.5" "agent" "id" "example.net" "192.0.2.1:80" outbound|80||web 192.0.2.2:1 192.0.2.3:80 198.51.100.7:5 - default"#,
    ),
    (
        TextForm::Alb,
        r#"https 2026-11-05T06:25:02.500821Z app/lb/50dc6c495c0c9188 [2001:db8::17]:48160 - -1 -1 -1 404 - 204 167 "GET https://api.example.net:443/%%32%65/ HTTP/1.1" "x\"y" TLS_AES_128_GCM_SHA256 TLSv1.3 - "Root=1-00000000-000000000000000000000000" "api.example.net" "session-reused" 0 2026-11-05T06:25:02.400000Z "waf,fixed-response" "-" "-" "-" "-" "-" "-" TID_0 "-" "-" "-""#,
    ),
    (
        TextForm::CloudFront,
        "2026-11-05\t06:25:02\tFRA2-C1\t522\t2001:db8::17\tGET\td1.cloudfront.net\t/a\t200\t-\tMozilla/5.0%20(X11)\tb=1\t-\tHit\tid==\texample.net\thttps\t23\t0.042\t203.0.113.5",
    ),
    (
        TextForm::CloudFront,
        "#Fields: date time c-ip cs-method cs-uri-stem sc-status",
    ),
    (
        TextForm::HaProxy,
        r#"198.51.100.7:41342 [05/Nov/2026:06:25:02.310] web~ api/node1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {example.net|curl} {} "GET /a?b=1 HTTP/1.1""#,
    ),
    (
        TextForm::HaProxy,
        "198.51.100.7:41342 [05/Nov/2026:06:25:02.310] web/1: SSL handshake failure",
    ),
    (
        TextForm::ProxyManager,
        r#"[05/Nov/2026:06:25:02 +0000] HIT 200 200 - GET https example.net "/a?b=1" [Client 198.51.100.7] [Length 522] [Gzip 2.10] [Sent-to 192.0.2.3] "curl/8.5.0" "-""#,
    ),
    (
        TextForm::ProxyManager,
        r#"[05/Nov/2026:06:25:02 +0000] 200 - GET https example.net "/a" [Client 198.51.100.7] [Length 522] [Gzip -] "curl/8.5.0" "-""#,
    ),
    (
        TextForm::Combined,
        r#"2026/11/05 06:25:02 [error] 31#31: *7 limiting requests, excess: 5.428 by zone "one", client: 2001:db8::17, server: , request: "GET / HTTP/1.1", host: "example.net""#,
    ),
];

#[test]
fn every_line_is_read_by_its_own_form() {
    for (form, line) in GOOD {
        assert!(read(form, line).is_ok(), "{form:?}: {line}");
    }
}

#[test]
fn a_request_is_read_by_no_other_form() {
    // T21
    for (own, line) in GOOD {
        if !matches!(read(own, line), Ok(Line::Request(_))) {
            continue;
        }
        for other in TextForm::ALL.into_iter().filter(|form| *form != own) {
            assert_eq!(
                read(other, line),
                Err(Reject::OtherForm),
                "{other:?}: {line}"
            );
        }
    }
}

#[test]
fn json_is_of_another_form() {
    // T21
    for form in TextForm::ALL {
        for json in [
            r#"{"a":"b"}"#,
            r#"{"log":"x [05/Nov/2026:06:25:02 +0000] y"}"#,
        ] {
            assert_eq!(read(form, json), Err(Reject::OtherForm), "{form:?}");
        }
    }
}

#[test]
fn blank_lines_and_zeros_are_skipped() {
    // T19
    for form in TextForm::ALL {
        for (line, skipped) in [
            ("", Skipped::Blank),
            ("\r", Skipped::Blank),
            ("\0\0\0\0\0", Skipped::Zeros),
        ] {
            assert_eq!(read(form, line), Ok(Line::Skipped(skipped)), "{form:?}");
        }
    }
}

#[test]
fn zeros_before_a_line_and_a_carriage_return_after_it_are_not_part_of_it() {
    // T19: what a log that was truncated while it was open begins with.
    for (form, line) in GOOD {
        let dressed = format!("\0\0\0{line}\r");
        assert_eq!(read(form, &dressed), read(form, line), "{form:?}");
    }
}

/// A good line, some bytes of which were changed, removed or doubled.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let change = (
        any::<proptest::sample::Index>(),
        prop_oneof![
            any::<u8>(),
            proptest::sample::select(&b"\"\\[] -\t,:/%?#=\0"[..])
        ],
        0..4_u8,
    );
    let changes = proptest::collection::vec(change, 0..6);
    (proptest::sample::select(&GOOD[..]), changes).prop_map(|((_, line), changes)| {
        let mut line = line.as_bytes().to_vec();
        for (index, byte, kind) in changes {
            if line.is_empty() {
                break;
            }
            let at = index.index(line.len());
            match kind {
                0 => line[at] = byte,
                1 => line.insert(at, byte),
                2 => drop(line.remove(at)),
                _ => line.truncate(at),
            }
        }
        line
    })
}

fn never_panics(lines: &[Vec<u8>]) {
    for form in TextForm::ALL {
        let mut state = TextState::new("America/St_Johns".parse().ok());
        for line in lines {
            if let Ok(Line::Request(record)) = form.read(line, &mut state) {
                assert!(
                    record
                        .status
                        .is_none_or(|status| (100..=999).contains(&status))
                );
                for text in [&record.method, &record.host, &record.user, &record.path] {
                    assert_ne!(text.as_deref(), Some(""), "{record:?}");
                }
                assert_eq!(
                    record.basis == crate::log::TimeBasis::EndLessDuration,
                    record.basis != crate::log::TimeBasis::Start && record.duration.is_some(),
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(lines: Vec<Vec<u8>>) {
        never_panics(&lines);
    }

    #[test]
    fn changed_lines_are_read_or_rejected(
        lines in proptest::collection::vec(mutated(), 1..8),
    ) {
        never_panics(&lines);
    }

    /// T17
    #[test]
    fn a_line_that_was_cut_is_rejected_or_tells_the_same_client_and_time(
        good in proptest::sample::select(&GOOD[..]),
        cut: proptest::sample::Index,
    ) {
        let (form, line) = good;
        let part = &line[..cut.index(line.len())];
        if let (Ok(Line::Request(part)), Ok(Line::Request(whole))) =
            (read(form, part), read(form, line))
        {
            prop_assert_eq!(part.status, whole.status);
            prop_assert_eq!(part.peer, whole.peer);
            prop_assert_eq!(part.path, whole.path);
        }
    }
}
