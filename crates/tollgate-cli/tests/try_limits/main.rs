//! `tollgate try`, run as people and programs run it.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

mod bad_input;
mod run;
mod worked_out;

use std::io::Write;
use std::process::{Command, Stdio};

use tollgate::{Limit, Timestamp};
use tollgate_core::State;

use run::{field, lines, run};

#[test]
fn answers_in_lines_of_json() {
    let trace = "0\n0 10 ann\n0.5 1 ann\n0.5 11 ann\n1000000.000001 0 a\"b\n";
    assert_eq!(
        lines(&["10/min", "--format", "json"], trace),
        [
            r#"{"t":0,"key":"","cost":1,"verdict":"allow","limit":10,"remaining":9,"reset_after":6,"retry_after":null}"#,
            r#"{"t":0,"key":"ann","cost":10,"verdict":"allow","limit":10,"remaining":0,"reset_after":60,"retry_after":null}"#,
            r#"{"t":0.5,"key":"ann","cost":1,"verdict":"deny","limit":10,"remaining":0,"reset_after":59.5,"retry_after":5.5}"#,
            r#"{"t":0.5,"key":"ann","cost":11,"verdict":"never","limit":10,"remaining":0,"reset_after":59.5,"retry_after":null}"#,
            r#"{"t":1000000.000001,"key":"a\"b","cost":0,"verdict":"allow","limit":10,"remaining":10,"reset_after":0,"retry_after":null}"#,
        ]
    );
}

#[test]
fn several_limits_are_decided_together_and_name_the_one_that_decides() {
    let lines = lines(
        &["5/min", "2/s fixed-window", "--format", "json"],
        "0\n0\n0\n1\n1\n2\n2\n",
    );
    let told: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                field(line, "verdict"),
                field(line, "remaining"),
                field(line, "decided_by"),
            )
        })
        .collect();
    let told: Vec<_> = told
        .iter()
        .map(|(verdict, remaining, limit)| (verdict.as_str(), remaining.as_str(), limit.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("allow", "1", "2/s fixed-window"),
            ("allow", "0", "2/s fixed-window"),
            // Not spent of the five.
            ("deny", "0", "2/s fixed-window"),
            ("allow", "2", "5/min"),
            ("allow", "0", "2/s fixed-window"),
            ("allow", "0", "5/min"),
            ("deny", "0", "5/min"),
        ]
    );
}

#[test]
fn agrees_with_the_algorithms_themselves() {
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for text in [
        "7/min",
        "3/s burst 9",
        "7/10s fixed-window",
        "7/10s sliding-window",
        "7/10s sliding-log",
    ] {
        let limit: Limit = text.parse().unwrap();
        let (mut now, mut trace, mut expected) = (0, String::new(), Vec::new());
        let mut state = State::fresh(&limit);
        for _ in 0..500 {
            now += random(1_500_000);
            let cost = random(4);
            trace += &format!("{}.{:06} {cost}\n", now / 1_000_000, now % 1_000_000);
            expected.push(state.charge(&limit, cost, Timestamp::from_micros(now)));
        }
        let lines = lines(&[text, "--format", "json"], &trace);
        assert_eq!(lines.len(), expected.len());
        for (line, outcome) in lines.iter().zip(expected) {
            let micros = |name| {
                let text = field(line, name);
                (text != "null").then(|| {
                    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
                    format!("{whole}{part:0<6}").parse::<u64>().unwrap()
                })
            };
            assert_eq!(
                field(line, "remaining"),
                outcome.remaining.to_string(),
                "{text} {line}"
            );
            assert_eq!(
                micros("reset_after"),
                Some(outcome.reset_after.as_micros()),
                "{text} {line}"
            );
            let retry_after = outcome.retry_after.map(tollgate::Micros::as_micros);
            assert_eq!(micros("retry_after"), retry_after, "{text} {line}");
        }
    }
}

#[test]
fn prints_a_table_for_people_without_colours_where_nobody_looks() {
    let lines = lines(&["2/min"], "0\n0 1 ann\n0.25 2 ann\n");
    assert_eq!(
        lines,
        [
            "seconds  key  cost  verdict  remaining  reset after  retry after",
            "      0  -       1  allow       1 of 2         30 s            -",
            "      0  ann     1  allow       1 of 2         30 s            -",
            "   0.25  ann     2  deny        1 of 2      29.75 s      29.75 s",
            "3 requests: 2 allowed, 1 denied",
        ]
    );
}

#[test]
fn columns_are_as_wide_as_what_is_in_them() {
    let trace = "0 1 2001:db8:1:2::3\n0 1000000 日本\n1800000000.123456 1 a\n";
    assert_eq!(
        lines(&["2/min", "5/h sliding-log"], trace),
        [
            "          seconds  key                 cost  verdict  remaining  reset after  retry after  decided by",
            "                0  2001:db8:1:2::3        1  allow       1 of 2         30 s            -  2/min",
            "                0  日本             1000000  never       2 of 2          0 s            -  2/min",
            "1800000000.123456  a                      1  allow       1 of 2         30 s            -  2/min",
            "3 requests: 2 allowed, 1 denied",
        ]
    );
}

#[test]
fn a_long_table_does_not_wait_for_its_end() {
    let mut trace = "0\n".repeat(150);
    trace.push_str("0 1 a-key-that-comes-late\n0\n");
    let lines = lines(&["2/min"], &trace);
    assert_eq!(lines.len(), 154);
    assert!(
        lines[1].starts_with("      0  -       1  allow"),
        "{lines:?}"
    );
    // What follows a wider row is as wide.
    assert!(lines[151].starts_with("      0  a-key-that-comes-late"));
    assert_eq!(lines[152].len(), lines[151].len(), "{lines:?}");
}

#[test]
fn what_was_answered_before_a_wrong_line_is_told() {
    let output = run(&["2/min"], "0\nnow\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    let output = run(&["2/min"], "now\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
}

#[test]
fn says_what_is_wrong_and_ends_as_is_usual() {
    for (arguments, trace, code, message) in [
        (&["10/mim"][..], "", 64, "did you mean `min`?"),
        (&[], "", 64, "<LIMIT>"),
        (
            &["10/min"],
            "0\nnow\n",
            1,
            "tollgate: standard input:2: `now` is no number of seconds",
        ),
        (
            &["10/min", "--trace", "/no/such/file"],
            "",
            1,
            "tollgate: cannot open /no/such/file: ",
        ),
        (
            &["10/min", "--plot", "/no/such/directory/a.svg"],
            "0\n",
            1,
            "cannot write /no/such/directory/a.svg: ",
        ),
    ] {
        let output = run(arguments, trace);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(message), "{errors}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tollgate"))
        .args(["try", "10/min"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // It may end before it has read everything.
    let _ = input.write_all("0\n".repeat(100_000).as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
