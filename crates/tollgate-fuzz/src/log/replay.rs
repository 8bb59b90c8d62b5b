//! Whole logs, from their first byte to a report.

use std::sync::{Arc, LazyLock};

use tollgate_policy::PolicySet;
use tollgate_policy::file::PolicyFile;
use tollgate_replay::{Progress, Replay};

use super::input;

/// Policies that deny early, of every kind.
const POLICIES: &str = r#"
[client]
trusted_proxies = ["10.20.0.0/16"]

[[policy]]
name = "each"
key = ["client.ip"]
limits = ["2/s", "3/min sliding-log"]

[[policy]]
name = "failures"
match = { path = "/auth/**" }
key = ["user or client.ip"]
count = "failures"
limits = ["1/min fixed-window"]

[[policy]]
name = "agents"
match = { method = ["GET", "POST"] }
key = ["header.user-agent"]
limits = ["1/h sliding-window"]
missing_key = "skip"
mode = "shadow"

[[policy]]
name = "blocked"
match = { path = "/blocked", "query.x" = "*" }
block = true
"#;

static FILE: LazyLock<Option<(PolicyFile, Arc<PolicySet>)>> = LazyLock::new(|| {
    let file = PolicyFile::parse("fuzz.toml", POLICIES, &|_: &str| None).ok()?;
    let policies = Arc::new(file.policies.clone());
    Some((file, policies))
});

/// A file of any kind, replayed through policies.
///
/// Every request of it is decided and counted once, by each policy that matches it; and two replays
/// say the same.
pub fn log_replay(data: &[u8]) {
    let Some((file, policies)) = &*FILE else {
        unreachable!("the policies are valid")
    };
    let run = |buffer| {
        let replay = Replay::new(Arc::clone(policies))
            .identity(file.client.clone())
            .buffer(buffer)
            .inputs(vec![input(data)]);
        replay.run(&Progress::new())
    };
    let report = match run(1000) {
        Ok(report) => report,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let (read, totals) = (&report.input, &report.totals);
    let skipped: u64 = read.skipped.iter().map(|skipped| skipped.count).sum();
    assert_eq!(read.lines, read.requests + read.rejected + skipped);
    assert_eq!(read.requests, totals.requests);
    assert_eq!(read.late, 0, "the buffer holds them all");
    assert_eq!(totals.requests, totals.allowed + totals.denied);
    for policy in &report.policies {
        assert_eq!(
            policy.matched,
            policy.allowed + policy.denied,
            "{}",
            policy.name
        );
        assert!(policy.decided <= policy.denied && policy.keys_denied <= policy.keys);
    }
    let written = serde_json::to_string(&report);
    let again = run(1000).map(|report| serde_json::to_string(&report).ok());
    assert_eq!(again.ok().flatten(), written.ok());
    // With a small buffer some come too late; none is lost.
    if let Ok(small) = run(2) {
        assert_eq!(small.totals.requests, totals.requests);
    }
}
