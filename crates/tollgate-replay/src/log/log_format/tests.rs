//! Formats as people write them, lines as nginx writes them.

use proptest::prelude::*;

use super::LogFormat;
use crate::log::testing::{told_of_bytes, told_with};
use crate::log::{Form, ReadOptions};

const COMBINED: &str = r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#;
const LINE: &str = r#"198.51.100.7 - alice [05/Nov/2026:06:25:02 +0000] "GET /a?b=1 HTTP/1.1" 200 522 "-" "curl/8.5.0""#;

fn options(format: &str) -> ReadOptions {
    ReadOptions::default().log_format(format.parse().unwrap())
}

fn told(format: &str, line: &str) -> String {
    told_with(&options(format), line)
}

fn error(format: &str) -> String {
    format.parse::<LogFormat>().unwrap_err().to_string()
}

#[test]
fn reads_combined_as_the_reader_of_combined_does() {
    let found_out = told_with(&ReadOptions::default(), LINE);
    let told = told(COMBINED, LINE);
    assert_eq!(
        told.strip_prefix("log-format"),
        found_out.strip_prefix("combined")
    );
}

#[test]
fn every_variable_that_says_something_is_used() {
    let format = r"$msec $time_iso8601 rt=${request_time} peer=$realip_remote_addr client=$remote_addr user=$remote_user $request_method $host$is_it $request_uri $status [$http_x_forwarded_for] $http_x_api_plan $arg_page $upstream_addr";
    assert!(error(format).contains("`$host` and `$is_it` touch"));
    let format = format.replace("$host$is_it", "$host");
    assert_eq!(
        told(
            &format,
            "1793859902.524 2026-11-05T06:25:02+00:00 rt=0.042 peer=192.0.2.9 client=203.0.113.5 user=- GET example.net /a?b=%20 499 [203.0.113.5, 198.51.100.7] pro 2 192.0.2.3:80, 192.0.2.4:80"
        ),
        r#"log-format 1793859902.482000 EndLessDuration/1ms took 42ms peer 192.0.2.9 client 203.0.113.5 list "203.0.113.5, 198.51.100.7" method "GET" path "/a" query "b=%20" host "example.net" status "499" header.x-api-plan="pro" query.page="2""#
    );
    assert_eq!(
        told(
            "$time_iso8601|$remote_addr|$uri|$args|$http_host",
            "2026-11-05T06:25:02+00:00|unix:|/a|b=1|example.net"
        ),
        r#"log-format 1793859902.000000 End/1s peer unix path "/a" query "b=1" host "example.net""#
    );
}

#[test]
fn a_whole_directive_is_taken_apart() {
    let directive = r#"log_format  main  escape=default
        '$remote_addr - $remote_user [$time_local] "$request" '
        '$status $body_bytes_sent "$http_referer" '
        "\"$http_user_agent\"";"#;
    assert_eq!(
        directive.parse::<LogFormat>(),
        COMBINED.parse::<LogFormat>()
    );
    let strings = "'$remote_addr [$time_local]'\n  ' $status';";
    assert_eq!(
        strings.parse::<LogFormat>(),
        "$remote_addr [$time_local] $status".parse()
    );
}

#[test]
fn escapes_are_undone_as_the_format_says() {
    let format = r#"$remote_addr [$time_local] "$request" "$http_user_agent" $status"#;
    let line = |agent: &str| {
        format!(
            r#"198.51.100.7 [05/Nov/2026:06:25:02 +0000] "GET /\xC3\xBC HTTP/1.1" "{agent}" 200"#
        )
    };
    let told_default = told(format, &line(r"a\x22b\x5C"));
    assert!(told_default.contains(r#" path "/ü" "#), "{told_default}");
    assert!(
        told_default.ends_with(r#"agent "a\"b\\""#),
        "{told_default}"
    );
    let json = format!("escape=json {format}");
    let told_json = told(&json, &line(r#"a\" 1\u00fc\\"#));
    assert!(told_json.ends_with(r#"agent "a\" 1ü\\""#), "{told_json}");
    let two = "escape=json $remote_addr $msec \"$http_a\" $http_b";
    let told_two = told(two, r#"203.0.113.5 1793859902.5 "x\" y" z"#);
    assert!(
        told_two.ends_with(r#" header.a="x\" y" header.b="z""#),
        "{told_two}"
    );
    // T11
    let none = format!("escape=none {format}");
    let told_none = told(&none, &line(r#"a" b\x22"#));
    assert!(told_none.ends_with(r#"agent "a\" b\\x22""#), "{told_none}");
}

#[test]
fn a_format_in_the_shape_of_json_works() {
    let format = r#"escape=json {"time":"$time_iso8601","ip":"$remote_addr","req":"$request","status":$status,"rt":$request_time,"ua":"$http_user_agent"}"#;
    assert_eq!(
        told(
            format,
            r#"{"time":"2026-11-05T06:25:02+00:00","ip":"2001:db8::17","req":"GET /a HTTP/1.1","status":200,"rt":0.500,"ua":"a \"b\""}"#
        ),
        r#"log-format 1793859901.500000 EndLessDuration/1s took 500ms peer 2001:db8::17 method "GET" path "/a" status "200" agent "a \"b\"""#
    );
}

// T13
#[test]
fn a_user_may_hold_what_stands_between_values() {
    let line = LINE.replace("alice", "a [b] c [d");
    let told = told(COMBINED, &line);
    assert!(told.contains(r#" user "a [b] c [d" "#), "{told}");
}

// T05, T07, T15
#[test]
fn empty_and_odd_requests_are_requests_of_their_client() {
    let peer_and_rest = |from: &str, to: &str| {
        let told = told(COMBINED, &LINE.replace(from, to));
        told.split_once(" peer ").unwrap().1.to_owned()
    };
    let request = "GET /a?b=1 HTTP/1.1";
    assert!(peer_and_rest(request, "").starts_with(r#"198.51.100.7 user "alice" status"#));
    assert!(peer_and_rest(request, r"\x16\x03\x01").starts_with(r#"198.51.100.7 user"#));
    assert!(
        peer_and_rest(request, "HELP").contains(r#" method "HELP" user"#)
            || peer_and_rest(request, "HELP").contains(r#"method "HELP""#)
    );
    assert!(!peer_and_rest(" 200 ", " 000 ").contains("status"));
    assert!(!peer_and_rest(" 200 ", " - ").contains("status"));
}

#[test]
fn other_lines_are_rejected_with_the_reason() {
    assert_eq!(told(COMBINED, "what?"), "rejected: other_form");
    assert_eq!(
        told(COMBINED, &format!("{LINE} more")),
        "rejected: other_form"
    );
    assert_eq!(
        told(COMBINED, &LINE.replace("Nov", "Nix")),
        "rejected: time"
    );
    assert_eq!(
        told(COMBINED, &LINE[..LINE.len() - 20]),
        "rejected: unfinished"
    );
    let message = "2026/11/05 06:25:02 [error] 31#31: *7 limiting requests, excess: 5.428 by zone \"one\", client: 2001:db8::17";
    assert_eq!(told(COMBINED, message), "skipped: other_message");
    let options = ReadOptions::default().format(Form::LogFormat);
    assert_eq!(told_with(&options, LINE), "rejected: other_form");
}

#[test]
fn formats_that_say_too_little_are_refused_with_the_remedy() {
    for (format, expected) in [
        ("", "the log format has no variable; "),
        ("combined", "the log format has no variable; "),
        (
            "$remote_addr $request",
            "the log format has no time; add `$time_local`, `$time_iso8601` or `$msec`",
        ),
        (
            "$remote_addr $time_locale",
            "the log format has no time; add `$time_local`, `$time_iso8601` or `$msec`; did you mean `$time_local`?",
        ),
        (
            "$msec $request",
            "the log format has no client; add `$remote_addr`",
        ),
        (
            "$msec $remote_adr",
            "the log format has no client; add `$remote_addr`; did you mean `$remote_addr`?",
        ),
        (
            "$msec$remote_addr",
            "`$msec` and `$remote_addr` touch, so that nothing tells where one ends; put a blank between them",
        ),
        ("$msec $", "no name of a variable follows the `$` of `$`"),
        (
            "${msec $remote_addr",
            "no name of a variable follows the `$` of `${msec $remote_addr`",
        ),
        (
            "escape=html $msec $remote_addr",
            "there is no `escape=html`; it is `default`, `json` or `none`",
        ),
        (
            "log_format main '$msec $remote_addr;",
            "a quote `'` of the log format is never closed",
        ),
    ] {
        let error = error(format);
        assert!(error.starts_with(expected), "{format}: {error}");
    }
    assert!(error(&"$msec ".repeat(1000)).contains("more than 200 variables"));
}

#[test]
fn a_line_that_could_be_split_in_many_ways_is_given_up_on() {
    let format = format!("{}$remote_addr $msec", "$a $b $c $d $e $f $g $h ".repeat(8));
    let told = told(&format, &("x ".repeat(5_000) + "x"));
    assert_eq!(told, "rejected: other_form");
}

proptest! {
    #[test]
    fn no_format_and_no_line_panics(
        format in "(\\$(remote_addr|msec|time_local|request|status|http_a|x)|[ \"'\\[{a;]){0,20}",
        any_format: String,
        line: Vec<u8>,
    ) {
        for format in [format, format!("$msec $remote_addr {any_format}"), any_format] {
            if let Ok(format) = format.parse() {
                let _ = told_of_bytes(&ReadOptions::default().log_format(format), &line);
            }
        }
    }

    #[test]
    fn no_change_to_a_good_line_panics(
        escape in prop::sample::select(vec!["", "escape=json ", "escape=none "]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6),
    ) {
        let mut bytes = LINE.as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let _ = told_of_bytes(&options(&format!("{escape}{COMBINED}")), &bytes);
    }
}
