//! Access logs of a day of a shop, the same each time: two thousand clients, and one that takes all
//! there is.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A policy that the busiest clients of it do not keep to.
pub(crate) const POLICIES: &str = "
[[policy]]
name = \"places\"
match = { path = \"/places/**\" }
key = [\"client.ip\"]
limits = [\"30/min\"]
";

/// The client that takes all there is.
pub(crate) const SCRAPER: &str = "203.0.113.66";
/// When the day begins, in seconds since the Unix epoch: 2026-11-05T00:00:00Z.
const START: u64 = 1_793_836_800;

/// A request, with its end and how long it took in milliseconds.
struct Request {
    end: u64,
    took: u64,
    client: String,
    method: &'static str,
    path: String,
    status: u16,
}

/// A new directory with logs: `access.log` and `access.log.1` of nginx, `api.log` of a `log_format`,
/// `app.log` of JSON, and `proxied.log` of nginx behind a proxy.
pub(crate) fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // What is left of an earlier run.
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    let requests = day();
    let write = |name: &str, line: fn(&Request) -> String, requests: &[Request]| {
        let text: String = requests.iter().map(line).collect();
        fs::write(directory.join(name), text).unwrap();
    };
    let (first, second) = requests.split_at(requests.len() / 2);
    write("access.log.1", combined, first);
    write("access.log", combined, second);
    write("api.log", iso, &requests);
    write("app.log", json, &requests);
    write("proxied.log", proxied, first);
    directory
}

fn day() -> Vec<Request> {
    let mut seed = 7_u64;
    let mut chance = move |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 20) % below
    };
    let mut requests = Vec::new();
    let mut push = |at: u64, took, client: &str, method, path, status| {
        requests.push(Request {
            end: START * 1_000 + at + took,
            took,
            client: client.to_owned(),
            method,
            path,
            status,
        });
    };
    for number in 0..2_000 {
        let client = format!("198.51.{}.{}", 100 + number / 250, 1 + number % 250);
        let mut at = chance(86_000_000);
        for login in 0..=chance(3) {
            let status = if login == 0 { 200 } else { 401 };
            push(at, 80, &client, "POST", "/auth/login".to_owned(), status);
            at += 1_500 + chance(20_000);
        }
        for _ in 0..=chance(3) * chance(4) * chance(4) {
            push(at, 5, &client, "GET", "/places".to_owned(), 200);
            for _ in 0..chance(5) {
                at += chance(400);
                let path = format!("/places/{}", chance(900));
                push(at, 12, &client, "GET", path, 200);
            }
            if chance(8) == 0 {
                push(at, 30, &client, "POST", "/places/7/reviews".to_owned(), 201);
            }
            at += 1_000 + chance(30_000);
        }
    }
    for number in 0..12_000 {
        let path = format!("/places/{number}");
        push(3_600_000 + number * 500, 12, SCRAPER, "GET", path, 200);
    }
    requests.sort_by_key(|request| request.end);
    requests
}

/// `05/Nov/2026:06:25:02`, `06:25:02.120` and the like: the whole log is of one day.
fn clock(millis: u64) -> (String, u64) {
    let second = millis / 1_000 - START;
    let (day, second) = (5 + second / 86_400, second % 86_400);
    let text = format!(
        "{:02}:{:02}:{:02}",
        second / 3_600,
        second / 60 % 60,
        second % 60
    );
    (text, day)
}

fn target(request: &Request) -> String {
    format!("{} {} HTTP/1.1", request.method, request.path)
}

fn combined(request: &Request) -> String {
    let (time, day) = clock(request.end);
    format!(
        "{} - - [{day:02}/Nov/2026:{time} +0000] \"{}\" {} 512 \"-\" \"Mozilla/5.0\" rt=0.{:03}\n",
        request.client,
        target(request),
        request.status,
        request.took
    )
}

fn proxied(request: &Request) -> String {
    let (time, day) = clock(request.end);
    format!(
        "10.0.0.7 - - [{day:02}/Nov/2026:{time} +0000] \"{}\" {} 512 \"-\" \"Mozilla/5.0\" \"{}\"\n",
        target(request),
        request.status,
        request.client
    )
}

fn iso(request: &Request) -> String {
    let (time, day) = clock(request.end);
    format!(
        "2026-11-{day:02}T{time}+00:00 {} {} {} {} 0.{:03}\n",
        request.client, request.method, request.path, request.status, request.took
    )
}

fn json(request: &Request) -> String {
    let mut line = String::new();
    let _ = writeln!(
        line,
        r#"{{"when":{},"who":{{"addr":"{}"}},"http":{{"verb":"{}","target":"{}?lang=en","code":{}}},"took_ms":{}}}"#,
        request.end, request.client, request.method, request.path, request.status, request.took
    );
    line
}
