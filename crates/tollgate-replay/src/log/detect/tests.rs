//! Logs of one form, of several, and of none.

use super::*;
use crate::log::{Input, LogSource};
use crate::report::RejectCount;

const COMBINED: &str =
    r#"198.51.100.7 - - [05/Nov/2026:06:25:02 +0000] "GET /a HTTP/1.1" 200 522 "-" "curl""#;
const VHOST: &str = r#"www.example.net:443 2001:db8::17 - - [05/Nov/2026:06:25:02 +0000] "GET /a HTTP/1.1" 200 522 "-" "curl""#;
const NAMED: &str =
    r#"node3.example.net - - [05/Nov/2026:06:25:02 +0000] "GET /a HTTP/1.1" 200 522 "-" "curl""#;
const VARIABLE: &str =
    r#"$a - - [05/Nov/2026:06:25:02 +0000] "GET /a HTTP/1.1" 200 522 "-" "curl""#;
const ENVOY: &str = r#"[2026-11-05T06:25:02.310Z] "GET /x HTTP/2" 200 - 0 154 226 100 "203.0.113.5,198.51.100.7" "agent" "cc21d9b0-0000-4000-8000-000000000000" "example.net" "192.0.2.1:80""#;
const JSON: &str = r#"{"start_time":"2026-11-05T06:25:02.310Z","response_code":200}"#;

fn read(options: &ReadOptions, lines: &[&str]) -> (Vec<(String, u64)>, Vec<RejectCount>, u64) {
    let input = Input::Text {
        name: "a log".to_owned(),
        bytes: lines.join("\n").into_bytes(),
    };
    let mut source = LogSource::open(&input, options).unwrap();
    while source.read_some(&mut |_, _| {}).unwrap() {}
    let report = source.findings().file_report(0);
    let formats = report
        .formats
        .into_iter()
        .map(|format| (format.format, format.lines));
    let skipped = source
        .findings()
        .skipped()
        .iter()
        .map(|skipped| skipped.count)
        .sum();
    (formats.collect(), source.findings().rejects(), skipped)
}

fn form(name: &str, lines: u64) -> (String, u64) {
    (name.to_owned(), lines)
}

// T21, B155
#[test]
fn lines_of_several_forms_in_one_file_are_each_read_and_reported() {
    let lines = [
        COMBINED, VHOST, JSON, COMBINED, ENVOY, NAMED, VARIABLE, JSON, "what?",
    ];
    let (forms, rejects, _) = read(&ReadOptions::default(), &lines);
    assert_eq!(
        forms,
        [form("combined", 4), form("envoy-json", 2), form("envoy", 1)]
    );
    let reasons: Vec<_> = rejects
        .iter()
        .map(|reject| (reject.reason, reject.count, reject.examples[0].line))
        .collect();
    assert_eq!(reasons, [("unknown_form", 1, 9), ("client", 1, 7)]);
}

#[test]
fn a_form_that_is_asked_for_is_the_only_one() {
    let options = ReadOptions::default().format(Form::Envoy);
    let (forms, rejects, _) = read(&options, &[COMBINED, ENVOY, JSON]);
    assert_eq!(forms, [form("envoy", 1)]);
    assert_eq!((rejects[0].reason, rejects[0].count), ("other_form", 2));
    let options = ReadOptions::default().format(Form::EnvoyJson);
    let (forms, rejects, _) = read(&options, &[COMBINED, ENVOY, JSON, r#"{"a":1}"#]);
    assert_eq!(forms, [form("envoy-json", 1)]);
    assert_eq!((rejects[0].reason, rejects[0].count), ("other_form", 3));
}

#[test]
fn every_line_of_a_file_of_no_known_form_is_rejected_with_examples() {
    let (forms, rejects, _) = read(&ReadOptions::default(), &["a b c", "{\"a\":1}", "d"]);
    assert_eq!(forms, []);
    assert_eq!((rejects[0].reason, rejects[0].count), ("unknown_form", 3));
    assert_eq!(rejects[0].examples[1].text.as_deref(), Some("{\"a\":1}"));
}

#[test]
fn columns_that_a_file_names_later_are_used() {
    let fields = "#Fields: date time c-ip cs-method cs-uri-stem sc-status";
    let line = "2026-11-05\t06:25:02\t203.0.113.5\tGET\t/a\t200";
    let (forms, rejects, skipped) = read(
        &ReadOptions::default(),
        &[COMBINED, "#Version: 1.0", fields, line, COMBINED],
    );
    assert_eq!(rejects, []);
    assert_eq!(forms, [form("combined", 2), form("cloudfront", 1)]);
    assert_eq!(skipped, 2);
}

#[test]
fn messages_in_json_between_requests_in_json_are_skipped() {
    let message = r#"{"level":"warn","msg":"slow upstream"}"#;
    let (_, rejects, skipped) = read(&ReadOptions::default(), &[JSON, message, JSON]);
    assert_eq!((rejects.len(), skipped), (0, 1));
    let (_, rejects, _) = read(&ReadOptions::default(), &[message]);
    assert_eq!(rejects[0].reason, "unknown_form");
}

#[test]
fn blank_lines_are_skipped() {
    let (_, rejects, skipped) = read(&ReadOptions::default(), &["", " \t", COMBINED, "\r"]);
    assert_eq!((rejects.len(), skipped), (0, 3));
}

// T23
#[test]
fn times_without_offset_need_a_zone() {
    let line = r#"{"start_time":"2026-11-05T06:25:02.310","response_code":200}"#;
    let (_, rejects, _) = read(&ReadOptions::default(), &[line]);
    assert_eq!(rejects[0].reason, "no_offset");
    let options = ReadOptions::default().time_zone("-03:30".parse().unwrap());
    let told = crate::log::testing::told_with(&options, line);
    assert!(told.starts_with("envoy-json 1793872502.310000 "), "{told}");
}
