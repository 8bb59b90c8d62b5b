//! Lines within lines.

use proptest::prelude::*;

use super::*;
use crate::log::testing::told;
use crate::log::{Input, LogSource, ReadOptions};
use crate::report::FileReport;

const COMBINED: &str =
    r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET /a HTTP/1.1" 200 522 "-" "curl""#;

fn report(lines: &[String]) -> (LogSource, FileReport) {
    let input = Input::Text {
        name: "a log".to_owned(),
        bytes: lines.join("\n").into_bytes(),
    };
    let mut source = LogSource::open(&input, &ReadOptions::default()).unwrap();
    while source.read_some(&mut |_, _| {}).unwrap() {}
    let report = source.findings().file_report(0);
    (source, report)
}

fn docker(log: &str) -> String {
    serde_json::json!({ "log": log, "stream": "stdout", "time": "2026-11-05T06:25:02.3Z" })
        .to_string()
}

#[test]
fn wrappers_are_taken_off() {
    let bare = told(COMBINED);
    for line in [
        format!("2026-11-05T06:25:02.31+01:00 stdout F {COMBINED}"),
        format!("2026-11-05T06:25:02.311222333Z stdout F:x {COMBINED}"),
        docker(&format!("{COMBINED}\n")),
        docker(&format!("{COMBINED}\r\n")),
        format!("<190>Nov  5 06:25:02 host nginx: {COMBINED}"),
        format!("<190>Nov  5 06:25:02 nginx: {COMBINED}"),
        format!("Nov  5 06:25:02 host {COMBINED}"),
        format!("Nov  5 06:25:02 {COMBINED}"),
        format!("Nov 15 06:25:02 2026 host relay nginx[123]: {COMBINED}"),
        format!("Nov 15 2026 06:25:02 host nginx[123]: {COMBINED}"),
        format!("2026-11-05T06:25:02.1+00:00 host nginx[123]: {COMBINED}"),
        format!("<190>1 2026-11-05T06:25:02.003Z host nginx 123 - - {COMBINED}"),
        format!(r#"<190>1 2026-11-05T06:25:02.003Z host nginx - ID [a@1 b="c]\"d"][e] {COMBINED}"#),
        format!("<190>1 2026-11-05T06:25:02.003Z host nginx 123 - - \u{feff}{COMBINED}"),
    ] {
        assert_eq!(told(&line), bare, "{line}");
    }
}

#[test]
fn the_prefix_of_docker_compose_is_taken_off() {
    let bare = told(COMBINED);
    let vhost = format!("www.example.net:443 {COMBINED}");
    let time = "2026-11-05T06:25:02.311222333Z";
    for (line, bare) in [
        (format!("web-1  | {COMBINED}"), bare.clone()),
        (format!("web-1 | {COMBINED}"), bare.clone()),
        (format!("shop_web_1           | {COMBINED}"), bare.clone()),
        (format!("web-1  | {time} {COMBINED}"), bare.clone()),
        (format!("\x1b[36mweb-1  | \x1b[0m{COMBINED}"), bare.clone()),
        (
            format!("\x1b[36;1mweb-1  |\x1b[0m {time} {COMBINED}"),
            bare.clone(),
        ),
        (format!("web-1  | {vhost}"), told(&vhost)),
        ("web-1  |".to_owned(), "skipped: blank".to_owned()),
        (format!("web-1  | {time} "), "skipped: blank".to_owned()),
    ] {
        assert_eq!(told(&line), bare, "{line}");
    }
    // The honest form with a host, and a client that is a name.
    assert!(
        told(&vhost).contains("host \"www.example.net:443\""),
        "{vhost}"
    );
    let named = COMBINED.replace("198.51.100.7", "web-1");
    assert!(told(&named).contains("peer named web-1"), "{named}");
    let (_, report) = report(&[format!("web-1  | {COMBINED}")]);
    assert_eq!(report.formats[0].format, "compose combined");
}

#[test]
fn json_within_wrappers_is_read() {
    let json = r#"{"start_time":"2026-11-05T06:25:02.310Z","response_code":200,"user-agent":"a \"b\" \\ ü"}"#;
    let bare = told(json);
    assert!(bare.starts_with("envoy-json "), "{bare}");
    for line in [
        docker(&format!("{json}\n")),
        format!("2026-11-05T06:25:02.31Z stdout F {json}"),
        format!("proxy-1  | {json}"),
        format!("<190>Nov  5 06:25:02 host envoy: @cee: {json}"),
    ] {
        assert_eq!(told(&line), bare, "{line}");
    }
}

#[test]
fn parts_of_lines_are_joined_stream_by_stream() {
    let (a, b) = COMBINED.split_at(40);
    let (b, c) = b.split_at(10);
    let cri =
        |stream: &str, tag: &str, text: &str| format!("2026-11-05T06:25:02Z {stream} {tag} {text}");
    let (source, report) = report(&[
        cri("stdout", "P", a),
        cri("stderr", "P", "an error "),
        cri("stdout", "P", b),
        cri("stderr", "F", "message"),
        cri("stdout", "F", c),
        cri("stdout", "F", COMBINED),
        docker(a),
        docker(&format!("{b}{c}\n")),
    ]);
    assert_eq!((report.lines, report.requests, report.rejected), (8, 3, 0));
    let skipped = source.findings().skipped();
    let skipped: Vec<_> = skipped
        .iter()
        .map(|skipped| (skipped.kind, skipped.count))
        .collect();
    assert_eq!(skipped, [("other_message", 1), ("partial", 4)]);
    let formats: Vec<_> = report
        .formats
        .iter()
        .map(|format| (format.format.as_str(), format.lines))
        .collect();
    assert_eq!(formats, [("cri combined", 2), ("docker combined", 1)]);
}

// T17
#[test]
fn a_line_whose_last_part_never_comes_is_rejected_once() {
    let cri = |tag: &str, text: &str| format!("2026-11-05T06:25:02Z stdout {tag} {text}");
    let (source, report) = report(&[cri("F", COMBINED), cri("P", "a"), cri("P", "b")]);
    assert_eq!((report.lines, report.requests, report.rejected), (3, 1, 1));
    let rejects = source.findings().rejects();
    let example = &rejects[0].examples[0];
    assert_eq!((rejects[0].reason, example.line), ("unfinished", 3));
    assert_eq!(example.text.as_deref(), Some("ab"));
    let skipped = source.findings().skipped();
    assert_eq!((skipped[0].kind, skipped[0].count), ("partial", 1));
}

#[test]
fn a_line_of_too_many_parts_is_rejected_and_takes_no_memory() {
    let part = "x".repeat(16 * 1024);
    let mut unwrapper = Unwrapper::default();
    let partial = format!("2026-11-05T06:25:02Z stdout P {part}");
    for _ in 0..1000 {
        let taken = unwrapper.take(partial.as_bytes());
        assert_eq!(taken, Ok((Wrapper::Cri, Unwrapped::Partial, false)));
        assert!(unwrapper.output.text.capacity() <= 2 * LONGEST);
    }
    let last = b"2026-11-05T06:25:02Z stdout F end";
    assert_eq!(unwrapper.take(last), Err(Reject::TooLong));
    assert_eq!(
        unwrapper.take(last),
        Ok((Wrapper::Cri, Unwrapped::Within(b"end"), false))
    );
}

#[test]
fn what_only_looks_like_a_wrapper_is_left_alone() {
    for line in [
        COMBINED,
        "2026-11-05T06:25:02Z INF Traefik version",
        "2026-11-05T06:25:02Z stdout X a",
        "2026-11-05T06:25:02Z stdoutF a",
        "<190> a",
        "<1900>Nov  5 06:25:02 host nginx: a",
        "Nov  5 06:25 host nginx: a",
        "web-1 |a",
        "web-1| a",
        "web 1 | a",
        "192.0.2.1 | a",
        " | a",
        "a/b | a",
        r#"{"log":1,"stream":"stdout"}"#,
        r#"{"message":"x","stream":"stdout"}"#,
        "",
    ] {
        let taken = Unwrapper::default()
            .take(line.as_bytes())
            .map(|(wrapper, within, _)| (wrapper, within == Unwrapped::Within(line.as_bytes())));
        assert_eq!(taken, Ok((Wrapper::None, true)), "{line}");
    }
}

#[test]
fn a_line_of_syslog_that_cannot_be_read_is_no_client_of_that_name() {
    let line = COMBINED.replace("198.51.100.7 - -", "Nov 15 06:25:02 host");
    assert_eq!(told(&line), "rejected: unknown_form");
}

#[test]
fn what_looks_like_a_wrapper_may_be_part_of_a_log_format() {
    let format = "$time_iso8601 stdout F $remote_addr";
    let options = ReadOptions::default().log_format(format.parse().unwrap());
    let told =
        crate::log::testing::told_with(&options, "2026-11-05T06:25:02Z stdout F 203.0.113.5");
    assert_eq!(told, "log-format 1793859902.000000 End/1s peer 203.0.113.5");
}

#[test]
fn an_error_output_is_no_reject() {
    assert_eq!(
        told("2026-11-05T06:25:02Z stderr F something went wrong"),
        "skipped: other_message"
    );
    assert_eq!(
        told("2026-11-05T06:25:02Z stdout F something went wrong"),
        "rejected: unknown_form"
    );
    assert_eq!(told("2026-11-05T06:25:02Z stdout F "), "skipped: blank");
}

proptest! {
    #[test]
    fn never_panics(
        prefix in "(<1>1? ?|Nov  5 06:25:02 |2026-11-05T06:25:02Z |stdout [FP]|h |nginx: |\\[a=\"b|- |w-1  \\| |\x1b\\[3|\\{\"log\":\"x\",\"stream\":\"std){0,8}",
        rest: Vec<u8>,
    ) {
        let line = [prefix.as_bytes(), &rest].concat();
        let mut unwrapper = Unwrapper::default();
        for _ in 0..2 {
            let _ = unwrapper.take(&line);
        }
    }
}
