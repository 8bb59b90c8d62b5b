//! Lines of Cloudflare's Logpush.

use crate::log::testing::told;
use crate::log::{Input, LogSource, ReadOptions};

const LINE: &str = r#"{"ClientIP":"2001:db8::17","ClientRequestHost":"example.net","ClientRequestMethod":"GET","ClientRequestURI":"/a?b=1","ClientRequestUserAgent":"agent","EdgeEndTimestamp":1793860702540000000,"EdgeResponseBytes":612,"EdgeResponseStatus":200,"EdgeStartTimestamp":1793860702500000000,"RayID":"41ddf1740f67442d"}"#;

fn with(from: &str, to: &str) -> String {
    assert!(LINE.contains(from), "{from}");
    told(&LINE.replace(from, to))
}

#[test]
fn a_line_tells_begin_and_end() {
    assert_eq!(
        told(LINE),
        r#"cloudflare 1793860702.500000 Start/1µs took 40ms peer 2001:db8::17 method "GET" path "/a" query "b=1" host "example.net" status "200" agent "agent""#
    );
}

#[test]
fn every_format_of_time_is_found_out_value_by_value() {
    for (start, told_start) in [
        ("1793860702500000000", "1793860702.500000 Start/1µs"),
        ("1793860702", "1793860702.000000 Start/"),
        ("\"2026-11-05T06:38:22Z\"", "1793860702.000000 Start/"),
        ("\"2026-11-05T06:38:22.5Z\"", "1793860702.500000 Start/"),
        ("\"1793860702\"", "1793860702.000000 Start/"),
        ("1.7938607025e18", "1793860702.500000 Start/1µs"),
    ] {
        let told = with("1793860702500000000", start);
        assert!(
            told.starts_with(&format!("cloudflare {told_start}")),
            "{start}: {told}"
        );
    }
    let told = with(
        "\"EdgeStartTimestamp\":1793860702500000000",
        "\"OriginIP\":\"\"",
    );
    assert!(
        told.starts_with("cloudflare 1793860702.540000 End/1µs peer"),
        "{told}"
    );
    assert_eq!(with("1793860702500000000", "\"soon\""), "rejected: time");
}

#[test]
fn a_request_that_is_delivered_twice_counts_once() {
    let log = |name: &str, lines: &[&str]| Input::Text {
        name: name.to_owned(),
        bytes: lines.join("\n").into_bytes(),
    };
    let other = LINE.replace("41ddf1740f67442d", "51ddf1740f67442d");
    let later = LINE.replace("1793860702500000000", "1793860702600000000");
    let options = ReadOptions::default();
    let requests = |input: &Input| {
        let mut source = LogSource::open(input, &options).unwrap();
        while source.read_some(&mut |_, _| {}).unwrap() {}
        let findings = source.findings();
        let skipped = findings.skipped();
        let repeated = skipped.iter().find(|skipped| skipped.kind == "repeated");
        (
            findings.requests(),
            repeated.map_or(0, |skipped| skipped.count),
        )
    };
    let first = log("first", &[LINE, &other, LINE, &later]);
    assert_eq!(requests(&first), (3, 1));
    assert_eq!(requests(&log("retry", &[&other, LINE])), (0, 2));
    assert_eq!(
        requests(&first),
        (3, 1),
        "a log that is read again does not repeat itself"
    );
}
