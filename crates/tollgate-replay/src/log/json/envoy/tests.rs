//! Lines of Envoy, Envoy Gateway and Istio.

use crate::log::testing::told;

const LINE: &str = r#"{":authority":"example.net","bytes_received":0,"bytes_sent":154,"connection_termination_details":null,"downstream_local_address":"192.0.2.1:8080","downstream_remote_address":"203.0.113.5:41342","duration":226,"method":"GET","protocol":"HTTP/2","requested_server_name":null,"response_code":200,"response_code_details":"via_upstream","response_flags":"-","route_name":"web","start_time":"2026-11-05T06:25:02.310Z","upstream_host":"192.0.2.3:80","user-agent":"agent","x-envoy-origin-path":"/x?y=1","x-envoy-upstream-service-time":null,"x-forwarded-for":"203.0.113.5,198.51.100.7","x-request-id":"cc21d9b0"}"#;

fn with(from: &str, to: &str) -> String {
    assert!(LINE.contains(from), "{from}");
    told(&LINE.replace(from, to))
}

#[test]
fn a_line_tells_the_begin_and_the_peer() {
    assert_eq!(
        told(LINE),
        r#"envoy-json 1793859902.310000 Start/1ms took 226ms peer 203.0.113.5 list "203.0.113.5,198.51.100.7" method "GET" path "/x" query "y=1" host "example.net" route "web" status "200" agent "agent" header.x-request-id="cc21d9b0""#
    );
}

#[test]
fn a_direct_peer_leaves_the_other_address_to_the_client() {
    let told = with(
        r#""downstream_remote_address""#,
        r#""downstream_direct_remote_address":"[2001:db8::17]:443","downstream_remote_address""#,
    );
    assert!(
        told.contains(" peer 2001:db8::17 client 203.0.113.5 "),
        "{told}"
    );
}

// T29
#[test]
fn nulls_and_dashes_are_absent() {
    let told = with("\"agent\"", "null");
    assert!(!told.contains("agent"), "{told}");
    assert!(!with(r#""route_name":"web""#, r#""route_name":"-""#).contains("route"));
    let told = with(
        r#""x-forwarded-for":"203.0.113.5,198.51.100.7""#,
        r#""x-forwarded-for":null"#,
    );
    assert!(!told.contains("list"), "{told}");
    assert!(with("203.0.113.5:41342", "/run/x.sock").contains(" peer unix "));
}

#[test]
fn the_resolution_is_that_of_the_finest_time_of_the_log() {
    use crate::log::{Input, LogSource, ReadOptions};
    let whole = LINE.replace("02.310Z", "02Z");
    let input = Input::Text {
        name: "a log".to_owned(),
        bytes: format!("{whole}\n{LINE}\n{whole}").into_bytes(),
    };
    let mut source = LogSource::open(&input, &ReadOptions::default()).unwrap();
    let mut resolutions = Vec::new();
    let mut note = |_, record: &crate::log::Record<'_>| {
        resolutions.push(record.resolution.as_micros());
    };
    while source.read_some(&mut note).unwrap() {}
    assert_eq!(resolutions, [1_000_000, 1_000, 1_000]);
}

// T15
#[test]
fn a_response_that_was_never_sent_has_no_status() {
    assert!(!with(r#""response_code":200"#, r#""response_code":0"#).contains("status"));
    let told = with(r#""response_code":200"#, r#""response_code":"429""#);
    assert!(told.contains(r#"status "429""#), "{told}");
}

#[test]
fn the_original_path_goes_before_the_rewritten_one() {
    let told = with(r#""method":"GET""#, r#""method":"GET","path":"/rewritten""#);
    assert!(told.contains(r#" path "/x" "#), "{told}");
    let told = with(r#""x-envoy-origin-path":"/x?y=1""#, r#""path":"/z""#);
    assert!(told.contains(r#" path "/z" "#), "{told}");
}
