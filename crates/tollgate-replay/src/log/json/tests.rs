//! What all forms of JSON have in common, and that no line makes a reader panic.

use proptest::prelude::*;

use crate::log::testing::{told, told_of_bytes};
use crate::log::{Field, FieldMap, Form, ReadOptions};

/// A good line of each form.
const LINES: [&str; 5] = [
    r#"{"level":"info","ts":1793860702.5240,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.190","client_ip":"203.0.113.5","method":"GET","host":"example.net","uri":"/a?b=1","headers":{"User-Agent":["curl/8.5.0"],"X-A":["a","b"]}},"user_id":"","duration":0.000929675,"status":200}"#,
    r#"{"ClientAddr":"192.0.2.9:41342","ClientHost":"203.0.113.5, 198.51.100.7","DownstreamStatus":200,"Duration":42000000,"RequestHost":"example.net","RequestMethod":"GET","RequestPath":"/x?y=1","StartUTC":"2026-11-05T06:25:02.310123456Z","request_X-A":"b"}"#,
    r#"{":authority":"example.net","downstream_remote_address":"[2001:db8::17]:41342","duration":226,"method":"GET","path":"/\u00fc\xff","response_code":200,"start_time":"2026-11-05T06:25:02.310Z","x-forwarded-for":null}"#,
    r#"{"ClientIP":"2001:db8::17","ClientRequestMethod":"GET","ClientRequestURI":"/a?b=1","EdgeEndTimestamp":"2026-11-05T06:25:02Z","EdgeResponseStatus":"200","EdgeStartTimestamp":1793860702500000000,"RayID":"41ddf1740f67442d"}"#,
    r#"{"ts":"2026-11-05 06:25:02+01","latency":12.5,"ip":"203.0.113.5","req":{"line":"GET /a?b HTTP/1.1","headers":{"X-Plan":["pro"]}}}"#,
];

fn map() -> FieldMap {
    let fields = [
        "time=.ts",
        "duration=.latency:ms",
        "client.ip=.ip",
        "request=.req.line",
        "header.x-plan=.req.headers[\"X-Plan\"][0]",
    ];
    FieldMap::new(fields.map(|field| field.parse::<Field>().unwrap())).unwrap()
}

/// Reads a line in every way.
fn read_in_every_way(line: &[u8]) {
    let found_out = ReadOptions::default();
    let _ = told_of_bytes(&found_out, line);
    let _ = told_of_bytes(&found_out.clone().fields(map()), line);
    for form in Form::ALL {
        let _ = told_of_bytes(&found_out.clone().fields(map()).format(form), line);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes: Vec<u8>) {
        read_in_every_way(&bytes);
        read_in_every_way(&[b"{", &bytes[..]].concat());
    }

    #[test]
    fn no_change_to_a_good_line_makes_a_reader_panic(
        line in 0..LINES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 0..6),
    ) {
        let mut bytes = LINES[line].as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 if bytes.len() > 1 => { bytes.remove(at); }
                _ => bytes.truncate(at.max(1)),
            }
        }
        read_in_every_way(&bytes);
    }

    // T17
    #[test]
    fn a_line_that_was_cut_is_no_request(line in 0..LINES.len(), at: prop::sample::Index) {
        let line = LINES[line];
        let cut = &line[..at.index(line.len() - 1).max(1)];
        let options = ReadOptions::default();
        prop_assert_eq!(told_of_bytes(&options, cut.as_bytes()), "rejected: unfinished");
    }
}

#[test]
fn good_lines_are_read() {
    for line in &LINES[..4] {
        assert!(told(line).contains(" path "), "{line}");
    }
    assert!(told(LINES[2]).contains(r#" path "/ü%FF" "#));
    let options = ReadOptions::default().fields(map());
    assert_eq!(
        told_of_bytes(&options, LINES[4].as_bytes()),
        r#"fields 1793856301.987500 EndLessDuration/1s took 12.5ms peer 203.0.113.5 method "GET" path "/a" query "b" header.x-plan="pro""#
    );
}

// T29
#[test]
fn numbers_as_text_duplicate_names_and_nested_nulls_are_borne() {
    let line = r#"{"start_time":"1.7938607025e9","response_code":"200","response_code":"404","method":null,"duration":"226","x":{"y":[null,{"z":null}]}}"#;
    assert_eq!(
        told(line),
        r#"envoy-json 1793860702.500000 Start/100ms took 226ms peer ? status "404""#
    );
}

#[test]
fn json_of_no_known_form_is_rejected() {
    assert_eq!(told(r#"{"a":1}"#), "rejected: unknown_form");
    assert_eq!(told(r#"{"a":1"#), "rejected: unfinished");
    assert_eq!(told(r#"{"a":what}"#), "rejected: json");
}
