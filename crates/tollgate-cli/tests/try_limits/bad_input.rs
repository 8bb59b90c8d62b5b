//! Input that is wrong, or looks as if it were.

use crate::run::{lines, run};

/// How it ends, and what stands on standard error.
fn ends_with(arguments: &[&str], trace: &[u8]) -> (i32, String) {
    let output = run(arguments, trace);
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn a_line_that_is_no_request_is_named_with_what_to_write() {
    for (trace, message) in [
        (
            &b"0\n-1\n"[..],
            "2: `-1` is no number of seconds, such as 0, 12 or 1.250000",
        ),
        (
            b"0\n\nNaN\n",
            "3: `NaN` is no number of seconds, such as 0, 12 or 1.250000",
        ),
        (
            b"\x1b[2J\n",
            "1: `\\u{1b}[2J` is no number of seconds, such as 0, 12 or 1.250000",
        ),
        (
            b"0 NaN\n",
            "1: `NaN` is no cost; write a whole number of units, or `1 NaN` if it is a key",
        ),
        (
            b"0 18446744073709551616 ann\n",
            "1: the cost 18446744073709551616 is too large; the largest is 1000000000000",
        ),
        (
            b"0\n1 1 \xff\n",
            "2: the line is not UTF-8; save the trace as UTF-8",
        ),
        // As some editors save text: UTF-16.
        (
            b"\xff\xfe0\0\n\0",
            "1: the line is not UTF-8; save the trace as UTF-8",
        ),
    ] {
        let (code, errors) = ends_with(&["10/min"], trace);
        assert_eq!(errors, format!("tollgate: standard input:{message}\n"));
        assert_eq!(code, 1, "{errors}");
    }
}

#[test]
fn a_line_without_an_end_is_not_read_to_it() {
    let mut trace = b"0\n".to_vec();
    trace.resize(1 << 20, b'1');
    let (code, errors) = ends_with(&["10/min"], &trace);
    assert_eq!(
        errors,
        "tollgate: standard input:2: the line is longer than 65536 bytes; write each request on a line of its own\n"
    );
    assert_eq!(code, 1);
}

#[test]
fn a_message_quotes_no_more_than_people_read() {
    let mut trace = vec![b'x'; 60_000];
    trace.push(b'\n');
    let (code, errors) = ends_with(&["10/min"], &trace);
    assert!(errors.len() < 400, "{errors}");
    assert_eq!(code, 1);
}

#[test]
fn a_trace_without_requests_is_a_mistake() {
    for trace in ["", "\n\n", "# 0\n", "\u{feff}"] {
        let (code, errors) = ends_with(&["10/min", "--format", "json"], trace.as_bytes());
        assert_eq!(
            errors,
            "tollgate: standard input has no requests; write a line for each, such as `0`, or `1.5 2 ann` with a cost and a key\n"
        );
        assert_eq!(code, 1, "{trace:?}");
    }
}

#[test]
fn a_trace_that_cannot_be_read_is_named() {
    let directory = env!("CARGO_TARGET_TMPDIR");
    let (code, errors) = ends_with(&["10/min", "--trace", directory], b"");
    assert!(
        errors.starts_with(&format!("tollgate: cannot read {directory}: ")),
        "{errors}"
    );
    assert_eq!(code, 1);
}

#[test]
fn what_editors_and_programs_put_into_a_trace_is_no_mistake() {
    let plain = lines(&["10/min"], "0 2 ann\n5 1 ann\n4 1 ann\n");
    for trace in [
        "0\t2\tann\n5\t1\tann\n4\t1\tann\n",
        "0 2 ann\r\n5 1 ann\r\n4 1 ann\r\n",
        "\u{feff}0 2 ann\n5 ann\n4 ann",
        "  0   2 ann   # first\n\n5 1 ann\n# back\n4 1 ann\n",
    ] {
        assert_eq!(lines(&["10/min"], trace), plain, "{trace:?}");
    }
}

#[test]
fn a_limit_with_a_typo_is_a_usage_error_that_names_what_is_meant() {
    for (limit, message) in [
        ("10/mim", "did you mean `min`?"),
        ("10/min slidng-log", "did you mean `sliding-log`?"),
        ("10 min", "such as `10/min`"),
        // B103, B121
        ("0/min", "to refuse every request use `block`"),
    ] {
        let (code, errors) = ends_with(&[limit], b"0\n");
        assert!(errors.contains(message), "{errors}");
        assert_eq!(code, 64, "{errors}");
    }
}

#[test]
fn no_key_moves_the_cursor_of_who_reads_the_table() {
    let rows = lines(&["10/min"], "0 1 \u{1b}[2J\n");
    assert!(rows[1].contains("\\u{1b}[2J"), "{rows:?}");
}

#[test]
fn limits_that_would_share_a_count_are_refused_as_a_policy_refuses_them() {
    for limits in [
        ["10/min", "5/min"],
        ["1/s", "1/s"],
        ["2/60s burst 9", "3/min"],
    ] {
        let (code, errors) = ends_with(&limits, b"0\n");
        assert_eq!(code, 64, "{errors}");
        assert!(errors.contains("would share a count"), "{errors}");
    }
    let (code, errors) = ends_with(&["10/min", "10/min sliding-log"], b"0\n");
    assert_eq!(code, 0, "{errors}");
}
