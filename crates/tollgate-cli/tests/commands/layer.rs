//! What `tollgate explain` tells is what the layer does.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::SocketAddr;
use std::process::Stdio;

use http::{Request, Response};
use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_http::{Headers, HttpLimiter, Peer, RateLimitLayer, RequestAttributes, Reset};
use tollgate_policy::PolicyLimiter;
use tollgate_policy::file::{PolicyFile, ResetUnit};
use tower::{Layer, ServiceExt, service_fn};

use crate::transcript::{shell, workspace};

const SHOP: &str = "crates/tollgate-cli/tests/transcripts/shop.toml";
const PHOTOPLACES: &str = "examples/photoplaces/tollgate.toml";
const EXAMPLE: &str = "crates/tollgate-policy/tests/file/right/example.toml";
const AT: u64 = 1_800_000_013;

/// A request, what the service adds to it, how many come before it, and how the service answers.
struct Case {
    file: &'static str,
    head: &'static str,
    peer: &'static str,
    added: &'static [(&'static str, &'static str)],
    after: usize,
    status: u16,
}

const fn case(file: &'static str, head: &'static str, after: usize) -> Case {
    Case {
        file,
        head,
        peer: "198.51.100.7:4711",
        added: &[],
        after,
        status: 200,
    }
}

fn cases() -> Vec<Case> {
    vec![
        case(PHOTOPLACES, "POST /auth/login HTTP/1.1", 0),
        case(PHOTOPLACES, "POST /auth/login HTTP/1.1", 9),
        case(PHOTOPLACES, "POST //auth/./login HTTP/1.1", 10),
        case(PHOTOPLACES, "GET /places/7 HTTP/1.1", 59),
        case(PHOTOPLACES, "GET /places/7 HTTP/1.1", 60),
        case(PHOTOPLACES, "GET /admin/users HTTP/1.1", 0),
        Case {
            added: &[("user", "7")],
            ..case(PHOTOPLACES, "GET /admin/users HTTP/1.1", 100)
        },
        case(PHOTOPLACES, "GET /nothing HTTP/1.1", 3),
        Case {
            peer: "10.0.0.1:1",
            ..case(
                EXAMPLE,
                "GET /places HTTP/1.1\r\nX-Forwarded-For: 203.0.113.9, 192.0.2.7",
                70,
            )
        },
        Case {
            peer: "10.0.0.1:1",
            ..case(
                EXAMPLE,
                "GET /places HTTP/1.1\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-For: 203.0.113.9",
                70,
            )
        },
        Case {
            peer: "10.0.0.1:1",
            ..case(EXAMPLE, "GET /places HTTP/1.1\r\nX-Forwarded-For: me", 0)
        },
        Case {
            added: &[("user", "7"), ("user.plan", "pro")],
            ..case(EXAMPLE, "HEAD /reviews HTTP/1.1", 70)
        },
        case(SHOP, "POST /login HTTP/1.1", 5),
        Case {
            status: 401,
            ..case(SHOP, "POST /login HTTP/1.1", 4)
        },
        Case {
            status: 401,
            ..case(SHOP, "POST /login HTTP/1.1", 5)
        },
        case(SHOP, "GET /internal/x HTTP/1.1", 0),
        case(SHOP, "GET /export HTTP/1.1", 0),
        case(SHOP, "GET /export HTTP/1.1\r\nX-Api-Key: sk-1234", 3),
        Case {
            added: &[("search.cost", "21")],
            ..case(SHOP, "GET /search HTTP/1.1", 1)
        },
        Case {
            added: &[("user.plan", "banned")],
            ..case(SHOP, "GET /search HTTP/1.1", 0)
        },
        case(
            SHOP,
            "OPTIONS /internal/x HTTP/1.1\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: GET",
            0,
        ),
    ]
}

/// Status, fields and body.
type Answer = (u16, BTreeSet<String>, Option<String>);

/// What the command prints.
fn printed(case: &Case, format: &str) -> String {
    let added: String = case
        .added
        .iter()
        .map(|(name, value)| format!(" --attr {name}={value}"))
        .collect();
    let command = format!(
        "tollgate explain {} --request - --peer {} --at {AT} --after {} --status {} --format {format}{added}",
        case.file, case.peer, case.after, case.status
    );
    let mut child = shell(&command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let head = format!("{}\r\n\r\n", case.head);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(head.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{command}");
    String::from_utf8(output.stdout).unwrap()
}

/// What it tells people.
fn told(case: &Case) -> Answer {
    let text = printed(case, "text");
    let (_, response) = text
        .split_once("\nresponse ")
        .unwrap_or_else(|| panic!("{text}"));
    let status = response.split("status").nth(1).unwrap().trim_start();
    let status = match status.split(' ').next().unwrap() {
        "the" => case.status,
        code => code.parse().unwrap(),
    };
    let fields = response
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.split(' ').next().unwrap().ends_with(':'))
        .map(ToOwned::to_owned)
        .collect();
    let body = response.lines().find(|line| line.starts_with("  {"));
    (status, fields, body.map(|body| body.trim().to_owned()))
}

/// What it tells programs.
fn told_programs(case: &Case) -> Answer {
    let text = printed(case, "json");
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let response = &report["response"];
    let status = response["status"].as_u64().map(u16::try_from);
    let status = status.transpose().unwrap();
    assert_eq!(response["is_allowed"], status.is_none(), "{text}");
    let fields = response["headers"].as_array().unwrap().iter();
    let text_of = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let fields =
        fields.map(|field| format!("{}: {}", text_of(&field["name"]), text_of(&field["value"])));
    (
        status.unwrap_or(case.status),
        fields.collect(),
        response["body"].as_str().map(ToOwned::to_owned),
    )
}

/// What the layer does.
async fn done(case: &Case) -> Answer {
    let text = std::fs::read_to_string(workspace().join(case.file)).unwrap();
    let environment =
        |name: &str| (name == "SECRET").then(|| "correct horse battery staple".to_owned());
    let file = PolicyFile::parse(case.file, &text, &environment).unwrap();
    let clock = ManualClock::new(Timestamp::from_secs(AT));
    let policies = PolicyLimiter::new(file.policies, MemoryStore::with_clock(clock));
    let response = &file.response;
    let mut headers = Headers::none();
    if response.ietf {
        headers = headers.ietf();
    }
    if let Some(unit) = response.x_ratelimit {
        let is_delta = unit == ResetUnit::Delta;
        headers = headers.x_ratelimit(if is_delta { Reset::Delta } else { Reset::Epoch });
    }
    let limiter = HttpLimiter::builder(policies)
        .identity(file.client)
        .headers(headers)
        .expose_headers(response.expose)
        .count_preflight(response.count_preflight)
        .build();
    let status = case.status;
    let service =
        RateLimitLayer::new(limiter).layer(service_fn(move |_: Request<()>| async move {
            let mut response = Response::new(bytes::Bytes::new());
            *response.status_mut() = status.try_into().unwrap();
            Ok::<_, std::convert::Infallible>(response)
        }));
    for _ in 0..case.after {
        service.clone().oneshot(request(case)).await.unwrap();
    }
    let response = service.oneshot(request(case)).await.unwrap();
    let fields = response.headers().iter();
    let fields = fields.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()));
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    (
        response.status().as_u16(),
        fields.collect(),
        (!body.is_empty()).then_some(body),
    )
}

/// The request as a server reads it.
fn request(case: &Case) -> Request<()> {
    let mut lines = case.head.split("\r\n");
    let mut words = lines.next().unwrap().split(' ');
    let mut request = Request::builder()
        .method(words.next().unwrap())
        .uri(words.next().unwrap());
    for line in lines {
        let (name, value) = line.split_once(": ").unwrap();
        request = request.header(name, value);
    }
    let peer: SocketAddr = case.peer.parse().unwrap();
    let added = case
        .added
        .iter()
        .fold(RequestAttributes::new(), |added, (name, value)| {
            added.with(*name, *value)
        });
    request
        .extension(Peer(Some(peer)))
        .extension(added)
        .body(())
        .unwrap()
}

#[tokio::test]
async fn explain_tells_what_the_layer_does() {
    let mut statuses = BTreeSet::new();
    for case in cases() {
        let done = done(&case).await;
        assert_eq!(told(&case), done, "{} after {}", case.head, case.after);
        let told = told_programs(&case);
        assert_eq!(told, done, "{} after {}", case.head, case.after);
        statuses.insert(done.0);
    }
    // Every kind of answer but that of a store that fails.
    assert_eq!(statuses, BTreeSet::from([200, 400, 401, 403, 429]));
}
