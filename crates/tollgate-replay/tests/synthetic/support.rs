//! The other way to the same numbers: the requests that were made up, decided without any log.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io::Write as _;

use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{AttributeName, Decision, Mode, PolicyLimiter};
use tollgate_replay::log::{Field, FieldMap, Input, ReadOptions};
use tollgate_replay::report::Report;
use tollgate_replay::{Progress, Replay, Request};
use tollgate_testkit::access_log::{Form, Known, Log, Traffic};

/// One policy of each kind: by address and by user, of each algorithm, several limits at once, only
/// failures, tiers, one in shadow, one whose key some logs do not have.
pub(crate) const POLICIES: &str = r#"
[client]
trusted_proxies = ["10.20.0.0/16"]

[[policy]]
name = "auth"
match = { path = "/auth/**" }
key = ["client.ip"]
limits = ["4/min fixed-window"]

[[policy]]
name = "guesses"
match = { method = "POST", path = "/auth/login" }
key = ["client.ip"]
count = [401]
limits = ["5/10min sliding-log"]

[[policy]]
name = "reads"
match = { method = ["GET", "HEAD"], path = ["/places/**", "/api/**", "/search"] }
key = ["user or client.ip"]
limits = ["4/min", "40/h sliding-window"]

[[policy]]
name = "everything"
key = ["client.ip"]
limits = ["1/s burst 6"]

[[policy]]
name = "agents"
match = { path = "/assets/**" }
key = ["header.user-agent", "client.ip"]
limits = ["6/min"]
missing_key = "skip"
mode = "shadow"
"#;

/// The file that holds them.
pub(crate) fn policies() -> PolicyFile {
    let nothing = |_: &str| None;
    PolicyFile::parse("tollgate.toml", POLICIES, &nothing).unwrap()
}

/// Some traffic, of which the policies deny a part.
pub(crate) fn traffic() -> Traffic {
    Traffic::new(20_261_105).clients(150).requests(6000)
}

/// How a log of a form is read: with nothing said, wherever the form can be found out.
pub(crate) fn options(form: Form) -> ReadOptions {
    let mut options = ReadOptions::default();
    if let Some(format) = form.log_format() {
        options = options.log_format(format.parse().unwrap());
    }
    if !form.fields().is_empty() {
        let fields = form.fields().iter();
        let fields = fields.map(|(name, path)| format!("{name}={path}").parse().unwrap());
        let fields: Vec<Field> = fields.collect();
        options = options.fields(FieldMap::new(fields).unwrap());
    }
    if form == Form::HaProxy {
        options = options.time_zone("UTC".parse().unwrap());
    }
    options
}

/// A log in memory.
pub(crate) fn input(log: &Log) -> Input {
    text(log.text())
}

pub(crate) fn text(text: String) -> Input {
    bytes(text.into_bytes())
}

pub(crate) fn bytes(bytes: Vec<u8>) -> Input {
    Input::Text {
        name: "access.log".to_owned(),
        bytes,
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A replay that reports every key.
pub(crate) fn replaying(file: &PolicyFile, form: Form, inputs: Vec<Input>) -> Replay {
    Replay::new(file.policies.clone())
        .identity(file.client.clone())
        .read_options(options(form))
        .worst_keys(100_000)
        .inputs(inputs)
}

/// What it reports, without what other numbers would have done.
pub(crate) fn replay(file: &PolicyFile, form: Form, inputs: Vec<Input>) -> Report {
    let replay = replaying(file, form, inputs).what_if(false);
    replay.run(&Progress::new()).unwrap()
}

/// An instant, as reports write it.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_microsecond(at.as_micros().try_into().unwrap());
    at.unwrap().to_string()
}

/// What a reader of a log can know, as requests: in order of time, those of the same instant in
/// order of their lines.
pub(crate) fn requests(log: &Log, file: &PolicyFile) -> Vec<Request> {
    let lines = log.lines.iter().map(|line| request(&line.known, file));
    let mut requests: Vec<Request> = lines.collect();
    requests.sort_by_key(|request| request.at);
    requests
}

fn request(known: &Known, file: &PolicyFile) -> Request {
    let named = [
        (AttributeName::Method, &known.method),
        (AttributeName::Path, &known.path),
        (AttributeName::Host, &known.host),
        (
            AttributeName::Header("user-agent".into()),
            &known.user_agent,
        ),
        (AttributeName::Header("referer".into()), &known.referer),
        (AttributeName::Other("user".into()), &known.user),
    ];
    let present = named
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.clone()?)));
    Request {
        at: known.at,
        duration: known.duration,
        status: known.status,
        client: Ok(file.client.client_at(known.client)),
        attributes: present.collect(),
    }
}

/// What became of requests.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) requests: u64,
    pub(crate) allowed: u64,
    pub(crate) denied: u64,
    pub(crate) denied_in_shadow: u64,
    pub(crate) unmatched: u64,
    pub(crate) policies: BTreeMap<String, OfPolicy>,
}

/// What one policy did.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct OfPolicy {
    pub(crate) matched: u64,
    pub(crate) allowed: u64,
    pub(crate) denied: u64,
    pub(crate) missing_key: u64,
    pub(crate) keys: u64,
    pub(crate) keys_denied: u64,
    pub(crate) first_denial: Option<Timestamp>,
    pub(crate) last_denial: Option<Timestamp>,
    /// The requests of each key, and those denied.
    pub(crate) by_key: BTreeMap<String, (u64, u64)>,
}

/// Decides requests one after the other, and settles each when it is over.
pub(crate) fn decide(file: &PolicyFile, requests: &[Request]) -> Outcome {
    let clock = ManualClock::new(Timestamp::EPOCH);
    let store = MemoryStore::builder().clock(clock.clone()).build();
    let limiter = PolicyLimiter::new(file.policies.clone(), store);
    let mut outcome = Outcome::default();
    for policy in file.policies.policies() {
        let _ = outcome
            .policies
            .insert(policy.name().to_owned(), OfPolicy::default());
    }
    let mut running: BinaryHeap<Reverse<(Timestamp, usize)>> = BinaryHeap::new();
    let mut decisions: Vec<Option<Decision>> = Vec::new();
    for (number, request) in requests.iter().enumerate() {
        while let Some(&Reverse((over, first))) = running.peek()
            && over <= request.at
        {
            let _ = running.pop();
            clock.set(over);
            settle(&limiter, decisions[first].take(), requests[first].status);
        }
        clock.set(request.at);
        let decision = limiter.decide_now(request);
        outcome.add(request, &decision);
        decisions.push(None);
        if decision.needs_settling() {
            let over = request
                .at
                .saturating_add(request.duration.unwrap_or_default());
            decisions[number] = Some(decision);
            running.push(Reverse((over, number)));
        }
    }
    outcome.count_keys();
    outcome
}

fn settle(
    limiter: &PolicyLimiter<MemoryStore<ManualClock>>,
    decision: Option<Decision>,
    status: Option<u16>,
) {
    if let (Some(decision), Some(status)) = (decision, status) {
        limiter.settle_now(&decision, status);
    }
}

impl Outcome {
    fn add(&mut self, request: &Request, decision: &Decision) {
        self.requests += 1;
        *(if decision.is_allowed() {
            &mut self.allowed
        } else {
            &mut self.denied
        }) += 1;
        let mut matched = false;
        let mut in_shadow = false;
        for judged in decision.policies() {
            matched = true;
            let of = self.policies.get_mut(judged.policy().name()).unwrap();
            of.matched += 1;
            if judged.missing_key().is_some() {
                of.missing_key += 1;
            }
            let allowed = judged.is_allowed();
            if allowed {
                of.allowed += 1;
            } else {
                of.denied += 1;
                of.first_denial = of.first_denial.or(Some(request.at));
                of.last_denial = Some(request.at);
                in_shadow |= judged.mode() == Mode::Shadow;
            }
            if let Some(key) = judged.key() {
                let (requests, denied) = of.by_key.entry(key.to_owned()).or_default();
                *requests += 1;
                *denied += u64::from(!allowed);
            }
        }
        self.unmatched += u64::from(!matched);
        self.denied_in_shadow += u64::from(in_shadow && decision.is_allowed());
    }

    fn count_keys(&mut self) {
        for of in self.policies.values_mut() {
            of.keys = u64::try_from(of.by_key.len()).unwrap();
            let denied = of.by_key.values().filter(|(_, denied)| *denied > 0);
            of.keys_denied = u64::try_from(denied.count()).unwrap();
        }
    }
}
