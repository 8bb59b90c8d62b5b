//! What is answered to requests that are not as they should be.

use std::fmt::Write as _;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Daemon, request};

const POLICY: &str = "[[policy]]\nname = 'all'\nkey = ['client.ip']\nlimits = ['10/min']\n";

#[tokio::test]
async fn what_is_no_json_is_told_with_its_place() {
    let daemon = Daemon::start(POLICY).await;
    let answer = daemon
        .post("/v1/check", "{\"attributes\":\n {\"user\" \"7\"}}")
        .await;
    let detail = answer.problem(400);
    assert!(detail.contains("is no JSON: expected `:`"), "{detail}");
    assert_eq!(answer.json()["line"], 2);
    assert_eq!(answer.json()["column"], 10);
    for body in [
        "",
        "{",
        "\u{0}",
        "{\"attributes\": {}} x",
        "{\"attributes\": {\"a\": \"\\ud800\"}}",
    ] {
        let detail = daemon.post("/v1/check", body).await.problem(400);
        assert!(detail.contains("is no JSON"), "{body}: {detail}");
    }
}

#[tokio::test]
async fn json_of_another_form_is_told_with_what_was_meant() {
    let daemon = Daemon::start(POLICY).await;
    for (body, expected) in [
        (
            r#"{"atributes": {}}"#,
            "there is no field `atributes`; did you mean `attributes`?",
        ),
        (
            r#"{"zebra": {}}"#,
            "there is no field `zebra`; there are `attributes`, `cost`, `peek`",
        ),
        (r#"{}"#, "missing field `attributes`"),
        (r#"[]"#, "expected an object with `attributes`"),
        (
            r#"{"attributes": {}, "attributes": {}}"#,
            "duplicate field `attributes`",
        ),
        (
            r#"{"attributes": ["a"]}"#,
            "expected an object of names and strings for `attributes`",
        ),
        (
            r#"{"attributes": {"user": 7}}"#,
            "expected a string for the value of the attribute `user`",
        ),
        (
            r#"{"attributes": {"user": null}}"#,
            "expected a string for the value of the attribute `user`",
        ),
        (
            r#"{"attributes": {"a": "1", "a": "2"}}"#,
            "the attribute `a` is given twice",
        ),
        (
            r#"{"attributes": {"Client.IP": "::1"}}"#,
            "write `client.ip`",
        ),
        (
            r#"{"attributes": {"client.ip": "me"}}"#,
            "`me`, is no IP address",
        ),
        (
            r#"{"attributes": {}, "cost": -1}"#,
            "a whole number from 0 to 1000000000000 for `cost`",
        ),
        (
            r#"{"attributes": {}, "cost": 1.5}"#,
            "a whole number from 0 to 1000000000000 for `cost`",
        ),
        (
            r#"{"attributes": {}, "cost": 1000000000001}"#,
            "a whole number from 0 to 1000000000000",
        ),
        (
            r#"{"attributes": {}, "cost": 99999999999999999999}"#,
            "a whole number from 0 to 1000000000000",
        ),
        (
            r#"{"attributes": {}, "peek": "yes"}"#,
            "expected true or false for `peek`",
        ),
    ] {
        let answer = daemon.post("/v1/check", body).await;
        let detail = answer.problem(400);
        assert!(detail.contains(expected), "{body}: {detail}");
        assert_eq!(answer.json()["line"], 1, "{body}: {detail}");
    }
}

#[tokio::test]
async fn nesting_without_end_is_an_error_like_any_other() {
    let daemon = Daemon::start(POLICY).await;
    let deep = "[".repeat(30_000);
    for body in [
        deep.clone(),
        format!(r#"{{"attributes": {deep}"#),
        format!(r#"{{"attributes": {{"a": {deep}"#),
        format!(r#"{{"cost": {}"#, "{\"a\":".repeat(12_000)),
    ] {
        daemon.post("/v1/check", &body).await.problem(400);
    }
}

#[tokio::test]
async fn there_is_a_bound_to_bodies_attributes_and_values() {
    let daemon = Daemon::start(POLICY).await;
    let mut many = String::new();
    for number in 0..65 {
        write!(many, r#""a{number}": "x","#).unwrap();
    }
    let many = format!(r#"{{"attributes": {{{}}}}}"#, many.trim_end_matches(','));
    let detail = daemon.post("/v1/check", &many).await.problem(400);
    assert!(detail.contains("more than 64 attributes"), "{detail}");
    let long = format!(r#"{{"attributes": {{"user": "{}"}}}}"#, "x".repeat(8193));
    let detail = daemon.post("/v1/check", &long).await.problem(400);
    assert!(detail.contains("longer than 8192 bytes"), "{detail}");
    let name = format!(r#"{{"attributes": {{"{}": "x"}}}}"#, "x".repeat(65));
    let detail = daemon.post("/v1/check", &name).await.problem(400);
    assert!(detail.contains("longer than 64 bytes"), "{detail}");

    let whole = r#"{"attributes": {}}"#;
    let padded = |bytes: usize| format!("{whole}{}", " ".repeat(bytes - whole.len()));
    assert_eq!(daemon.post("/v1/check", &padded(65_536)).await.status, 200);
    let detail = daemon.post("/v1/check", &padded(65_537)).await.problem(413);
    assert!(detail.contains("65536 bytes"), "{detail}");
}

#[tokio::test]
async fn a_body_that_does_not_say_its_length_is_bounded_too() {
    let daemon = Daemon::with(POLICY, |settings| settings.max_body = 100).await;
    let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
    let head = "POST /v1/check HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\n\r\n";
    let chunk = format!("64\r\n{}\r\n", " ".repeat(100));
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(chunk.as_bytes()).await.unwrap();
    stream.write_all(b"1\r\n \r\n").await.unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 413");
}

#[tokio::test]
async fn a_body_that_is_not_said_to_be_json_is_not_read() {
    let daemon = Daemon::start(POLICY).await;
    for headers in [
        &[][..],
        &[("content-type", "application/x-www-form-urlencoded")],
    ] {
        let sent = request("POST", "/v1/check", headers, "{\"attributes\": {}}");
        let detail = daemon.ask(sent).await.problem(415);
        assert!(
            detail.contains("Content-Type: application/json"),
            "{detail}"
        );
    }
}

#[tokio::test]
async fn unknown_paths_methods_and_parameters_are_told() {
    let daemon = Daemon::start(POLICY).await;
    let detail = daemon.get("/v1/chek").await.problem(404);
    assert!(detail.contains("`/v1/chek`"), "{detail}");
    let answer = daemon.get("/v1/check").await;
    answer.problem(405);
    assert_eq!(answer.field("allow"), Some("POST"));
    let answer = daemon.ask(request("DELETE", "/livez", &[], "")).await;
    answer.problem(405);
    assert_eq!(answer.field("allow"), Some("GET,HEAD"));
    let body = r#"{"attributes": {}}"#;
    let detail = daemon
        .post("/v1/check?statuss=decision", body)
        .await
        .problem(400);
    assert!(detail.contains("did you mean `status`?"), "{detail}");
    let detail = daemon.post("/v1/check?status=429", body).await.problem(400);
    assert!(detail.contains("`decision`"), "{detail}");
}

#[tokio::test]
async fn an_error_does_not_end_the_connection() {
    let daemon = Daemon::start(POLICY).await;
    let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
    let ask = "POST /v1/check HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
               content-length: 1\r\n\r\n{";
    for _ in 0..3 {
        stream.write_all(ask.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"}") {
            assert_ne!(stream.read_buf(&mut answer).await.unwrap(), 0);
        }
        assert!(answer.starts_with(b"HTTP/1.1 400"));
    }
}

#[tokio::test]
async fn a_head_without_end_is_an_error() {
    let daemon = Daemon::start(POLICY).await;
    let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
    let head = format!("GET /livez HTTP/1.1\r\nhost: {}", "a".repeat(80 * 1024));
    // The daemon may have answered and closed before all of it is written.
    let _ = stream.write_all(head.as_bytes()).await;
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 431");
}

#[tokio::test]
async fn a_body_that_is_announced_too_large_is_not_waited_for() {
    let daemon = Daemon::start(POLICY).await;
    let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
    let head = "POST /v1/check HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
                content-length: 65537\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 413");
}

#[tokio::test]
async fn a_request_of_http_1_1_has_one_host_and_an_error_says_so() {
    let daemon = Daemon::start(POLICY).await;
    for (version, fields, expected) in [
        ("1.1", "", "400"),
        ("1.1", "host: a\r\nhost: a\r\n", "400"),
        ("1.1", "host: a\r\n", "200"),
        ("1.0", "", "200"),
        ("1.0", "host: a\r\nhost: b\r\n", "400"),
    ] {
        let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
        let head = format!("GET /livez HTTP/{version}\r\nconnection: close\r\n{fields}\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut told = String::new();
        stream.read_to_string(&mut told).await.unwrap();
        assert_eq!(told.get(9..12), Some(expected), "{fields}: {told}");
        let is_problem = told.contains("application/problem+json");
        assert_eq!(is_problem, expected == "400", "{told}");
    }
}

#[tokio::test]
async fn a_head_of_too_many_fields_is_an_error_at_the_number_that_the_guide_says() {
    let daemon = Daemon::start(POLICY).await;
    for (fields, expected) in [(100, b"HTTP/1.1 200"), (101, b"HTTP/1.1 431")] {
        let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
        let fields = "x: 1\r\n".repeat(fields - 1);
        let head = format!("GET /livez HTTP/1.1\r\nhost: a\r\n{fields}\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        assert_eq!(&start, expected);
    }
}

/// Else a proxy would send its next request where nothing is read any more.
#[tokio::test]
async fn an_answer_after_which_nothing_more_is_read_says_so() {
    let daemon = Daemon::start(POLICY).await;
    for (path, length, status, is_last) in [
        ("/v1/check", "content-length: 65537", "413", true),
        ("/nothing", "content-length: 65537", "404", true),
        ("/nothing", "transfer-encoding: chunked", "404", true),
        ("/nothing", "content-length: 2", "404", false),
        ("/nothing", "content-length: 0", "404", false),
    ] {
        let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n{length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.windows(4).any(|it| it == b"\r\n\r\n") {
            assert_ne!(stream.read_buf(&mut answer).await.unwrap(), 0);
        }
        let answer = String::from_utf8(answer).unwrap();
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
        assert_eq!(
            answer.contains("connection: close"),
            is_last,
            "{length}: {answer}"
        );
    }
}
