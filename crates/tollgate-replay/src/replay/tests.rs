use std::fmt::Write as _;

use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{AttributeName, ClientAddress, PolicyLimiter};

use super::*;
use crate::Request;
use crate::report::PolicyReport;

mod direct;
mod files;
mod keys;
mod shadow;
mod warnings;

/// Policies of all kinds: stacked limits, tiers, exceptions, costs, shadow, failures, blocks.
const POLICIES: &str = r#"
[[policy]]
name = "stacked"
match = { path = "/api/**" }
except = { "client.ip" = "192.0.2.0/30" }
key = ["client.ip"]
limits = ["5/10s", "20/min sliding-window", "40/2min fixed-window", "60/5min sliding-log"]

[[policy]]
name = "tiered"
match = { method = ["GET", "POST"] }
key = ["user or client.ip"]
limits = ["30/min"]
tiers = [
    { when = { "user" = "gold*" }, limits = ["90/min", "5/s burst 9"] },
    { when = { "user" = "free" }, unlimited = true },
]

[[policy]]
name = "shadow"
mode = "shadow"
shared = true
limits = ["3/s burst 30"]

[[policy]]
name = "login"
match = { path = "/auth/login", method = "POST" }
key = ["client.ip"]
limits = ["3/min fixed-window", "9/h sliding-log"]
count = "failures"

[[policy]]
name = "admin"
match = { path = "/admin/**" }
shared = true
block = true

[[policy]]
name = "users"
match = { path = "/boards/**" }
key = ["user"]
limits = ["8/min"]
missing_key = "skip"

[[policy]]
name = "costly"
match = { path = "/search" }
key = ["client.ip"]
limits = ["12/min"]
cost = { attribute = "query.n", max = 20 }

[[policy]]
name = "off"
mode = "off"
shared = true
limits = ["1/h"]
"#;

fn policies(text: &str) -> PolicySet {
    let nothing = |_: &str| None;
    match PolicyFile::parse("policies.toml", text, &nothing) {
        Ok(file) => file.policies,
        Err(errors) => panic!("{errors}"),
    }
}

fn one(limits: &str) -> PolicySet {
    policies(&format!(
        "[[policy]]\nname = \"one\"\nkey = [\"client.ip\"]\nlimits = [{limits}]\n"
    ))
}

/// A random number, reproducibly.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % below
    }
}

/// A request of a made-up log.
#[derive(Clone, Debug)]
struct Made {
    micros: u64,
    millis_taken: u64,
    client: String,
    user: Option<&'static str>,
    method: &'static str,
    target: String,
    status: u16,
}

const BEGIN: u64 = 1_793_860_702_000_000;

/// Requests at different instants, in order, that all of the policies have something to say to.
fn made(count: u64, clients: u64, seed: u64) -> Vec<Made> {
    let mut random = Random(seed);
    let mut micros = BEGIN;
    (0..count)
        .map(|_| {
            micros += 1_000 * (1 + random.next(150));
            let target = match random.next(8) {
                0 | 1 => format!("/api/items/{}", random.next(9)),
                2 => "/auth/login".to_owned(),
                3 => "/boards/7".to_owned(),
                4 => format!("/search?n={}", random.next(25)),
                5 if random.next(9) == 0 => "/admin/x".to_owned(),
                _ => "/static/app.js".to_owned(),
            };
            Made {
                micros,
                millis_taken: random.next(4) * random.next(3_000),
                client: format!("192.0.2.{}", random.next(clients)),
                user: [None, None, Some("gold-7"), Some("free"), Some("alice")]
                    [usize::try_from(random.next(5)).unwrap()],
                method: if target == "/auth/login" || random.next(4) == 0 {
                    "POST"
                } else {
                    "GET"
                },
                status: if random.next(3) == 0 { 401 } else { 200 },
                target,
            }
        })
        .collect()
}

impl Made {
    /// As Caddy writes it: at the end, with the duration and an end to a microsecond.
    fn line(&self) -> String {
        let end = self.micros + 1_000 * self.millis_taken;
        format!(
            r#"{{"level":"info","ts":{}.{:06},"logger":"http.log.access","msg":"handled request","request":{{"remote_ip":"{}","method":"{}","host":"example.net","uri":"{}"}},"user_id":"{}","duration":{}.{:03},"size":5,"status":{}}}"#,
            end / 1_000_000,
            end % 1_000_000,
            self.client,
            self.method,
            self.target,
            self.user.unwrap_or_default(),
            self.millis_taken / 1_000,
            self.millis_taken % 1_000,
            self.status
        )
    }

    fn request(&self) -> Request {
        let (path, query) = self.target.split_once('?').unwrap_or((&self.target, ""));
        let mut attributes = vec![
            (AttributeName::Method, self.method.to_owned()),
            (AttributeName::Path, path.to_owned()),
        ];
        if let Some(number) = query.strip_prefix("n=") {
            attributes.push((AttributeName::Query("n".into()), number.to_owned()));
        }
        if let Some(user) = self.user {
            attributes.push((AttributeName::Other("user".into()), user.to_owned()));
        }
        Request {
            at: Timestamp::from_micros(self.micros),
            duration: Some(Micros::from_millis(self.millis_taken)),
            status: Some(self.status),
            client: Ok(ClientAddress::new(self.client.parse().unwrap())),
            attributes,
        }
    }
}

fn text(lines: impl IntoIterator<Item = String>) -> Input {
    let mut text = String::new();
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
    Input::Text {
        name: "made up".into(),
        bytes: text.into_bytes(),
    }
}

fn log(made: &[Made]) -> Input {
    text(made.iter().map(Made::line))
}

/// A line of combined form, in the second so many after the begin.
fn combined(second: u64, client: &str, target: &str, status: u16) -> String {
    format!(
        r#"{client} - - [05/Nov/2026:06:{:02}:{:02} +0000] "GET {target} HTTP/1.1" {status} 5 "-" "-""#,
        second / 60 % 60,
        second % 60
    )
}

fn run(policies: PolicySet, inputs: Vec<Input>) -> Report {
    let replay = Replay::new(policies).inputs(inputs);
    replay.run(&Progress::new()).unwrap()
}

fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).unwrap()
}

fn policy<'r>(report: &'r Report, name: &str) -> &'r PolicyReport {
    let mut policies = report.policies.iter();
    policies.find(|policy| policy.name == name).unwrap()
}
