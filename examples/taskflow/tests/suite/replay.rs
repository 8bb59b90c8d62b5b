//! What was decided for live requests, and what a replay of the proxy's logs says of them.

use std::collections::BTreeMap;
use std::path::Path;

use tollgate_policy::file::PolicyFile;
use tollgate_replay::log::{Input, ReadOptions};
use tollgate_replay::report::{PolicyReport, Report, WarningKind};
use tollgate_replay::{Progress, Replay};

use crate::support::nginx::{Logged, Nginx, NginxClient, PRECISE, logged};
use crate::support::program::Program;

/// The policy of the service, as a file has it.
const POLICY: &str = r#"
[[policy]]
name = "auth"
match = { path = "/auth/**" }
key = ["client.ip"]
limits = ["10/min fixed-window"]
"#;

/// As many clients, each of which tries once more than the one before, and has five tries more than
/// the limit at most.
const CLIENTS: u8 = 8;

const MINUTE: u64 = 60_000_000;

/// Seconds that nginx's usual log cannot tell apart.
const RESOLUTION: u64 = 1_000_000;

/// Everyone tries to log in, one after the other in turns; how many tries were denied.
async fn everyone_tries(clients: &[NginxClient]) -> u64 {
    let mut denied = 0;
    for turn in 0..8 + CLIENTS {
        for (client, tries) in clients.iter().zip(8..) {
            if turn < tries {
                denied += u64::from(client.log_in().await == 429);
            }
        }
    }
    denied
}

/// Asks for what takes its time until a minute has begun that has 40 seconds left and more, and is
/// older than the log's resolution.
async fn into_a_minute(client: &NginxClient, other_than: Option<u8>) -> u8 {
    loop {
        let (minute, second) = client.slow().await;
        if other_than != Some(minute) && (2..20).contains(&second) {
            return minute;
        }
    }
}

/// Requests that may be in one minute by one log and in another by the limiter.
fn between_minutes(trace: &[Logged]) -> u64 {
    let logins = trace.iter().filter(|logged| logged.is_login);
    let between =
        logins.filter(|logged| (logged.begin - RESOLUTION) / MINUTE != logged.end / MINUTE);
    between.count().try_into().unwrap()
}

/// What a replay of one of nginx's logs says.
fn replay(log: &Path, options: ReadOptions) -> Report {
    let file = PolicyFile::parse("taskflow.toml", POLICY, &|_: &str| None).unwrap();
    let replay = Replay::new(file.policies)
        .read_options(options)
        .inputs(vec![Input::File(log.to_owned())]);
    replay.run(&Progress::new()).unwrap()
}

/// The requests of each client that was denied any, and those denied.
type ByClient = BTreeMap<String, (u64, u64)>;

fn by_client(trace: &[Logged]) -> ByClient {
    let mut clients = ByClient::new();
    for logged in trace.iter().filter(|logged| logged.is_login) {
        let (requests, denied) = clients.entry(logged.client.clone()).or_default();
        *requests += 1;
        *denied += u64::from(logged.status == 429);
    }
    clients.retain(|_, (_, denied)| *denied > 0);
    clients
}

fn by_client_of(policy: &PolicyReport) -> ByClient {
    let keys = policy.worst.iter();
    keys.map(|key| (key.key.clone(), (key.requests, key.denied)))
        .collect()
}

/// Eight clients try to log in, in two minutes, through nginx. Nothing is waited for: time passes
/// while one of them asks for what is sent slowly.
#[tokio::test]
async fn a_replay_of_the_proxys_log_says_what_was_decided_live() {
    let service = Program::start_with(&[("TRUSTED_PROXIES", "127.0.0.1")]);
    let nginx = Nginx::before(service.api());
    let clients: Vec<NginxClient> = (1..=CLIENTS).map(|number| nginx.client(number)).collect();
    let slow = nginx.client(100);

    let minute = into_a_minute(&slow, None).await;
    let mut denied = everyone_tries(&clients).await;
    into_a_minute(&slow, Some(minute)).await;
    denied += everyone_tries(&clients).await;

    let folder = nginx.end();
    let trace = logged(folder.path());
    let lived = by_client(&trace);
    // Those that tried 11 to 15 times, each time.
    assert_eq!(denied, 2 * (1 + 2 + 3 + 4 + 5));
    assert_eq!(
        lived.values().map(|(_, denied)| denied).sum::<u64>(),
        denied
    );
    // On a machine so busy that it takes more than a minute to try, nothing would be shown.
    assert_eq!(between_minutes(&trace), 0, "{trace:#?}");

    let precise = || PRECISE.parse().unwrap();
    for (name, options) in [
        ("combined.log", ReadOptions::default()),
        ("timed.log", ReadOptions::default()),
        ("precise.log", ReadOptions::default().log_format(precise())),
    ] {
        let report = replay(&folder.path().join(name), options);
        let all = u64::try_from(trace.len()).unwrap();
        assert_eq!(
            (report.input.rejected, report.totals.requests),
            (0, all),
            "{name}"
        );
        let auth = &report.policies[0];
        assert_eq!(
            (auth.denied, auth.allowed),
            (denied, auth.matched - denied),
            "{name}"
        );
        assert_eq!(by_client_of(auth), lived, "{name}");
        // The limiter that was there is in the log too.
        assert_eq!(report.totals.answered_429, denied);
        assert!(has(&report, WarningKind::LimitedAlready), "{name}");
    }
}

/// A log in seconds says of a bucket that refills each half of a second that it cannot tell; one in
/// milliseconds can.
#[tokio::test]
async fn a_report_says_what_the_seconds_of_a_log_cost() {
    const BUCKET: &str =
        "[[policy]]\nname = 'bucket'\nkey = ['client.ip']\nlimits = ['2/s burst 1']";
    let service = Program::start_with(&[("TRUSTED_PROXIES", "127.0.0.1")]);
    let nginx = Nginx::before(service.api());
    let client = nginx.client(1);
    for _ in 0..40 {
        client.log_in().await;
    }
    let folder = nginx.end();
    let file = PolicyFile::parse("bucket.toml", BUCKET, &|_: &str| None).unwrap();
    let run = |name: &str, options| {
        let replay = Replay::new(file.policies.clone()).read_options(options);
        let replay = replay.inputs(vec![Input::File(folder.path().join(name))]);
        replay.run(&Progress::new()).unwrap()
    };
    let coarse = run("combined.log", ReadOptions::default());
    let precise = ReadOptions::default().log_format(PRECISE.parse().unwrap());
    let fine = run("precise.log", precise);
    assert_eq!(
        (coarse.input.resolution, fine.input.resolution),
        (1.0, 0.001)
    );
    let [coarse_policy, fine_policy] = [&coarse.policies[0], &fine.policies[0]];
    // Whoever waits a second is admitted: every denial may be an error of the log's.
    assert!(coarse_policy.denied > 0);
    assert_eq!(coarse_policy.within_resolution, coarse_policy.denied);
    assert!(fine_policy.within_resolution < fine_policy.denied);
    assert!(has(&coarse, WarningKind::Resolution));
    assert!(has(&coarse, WarningKind::EndTimes));
    assert!(!has(&fine, WarningKind::Resolution));
    assert_eq!(fine.input.timed_by_end_less_duration, fine.totals.requests);
}

fn has(report: &Report, kind: WarningKind) -> bool {
    report.warnings.iter().any(|warning| warning.kind == kind)
}
