//! A client that is not ours: `buf curl`, which learns all that it needs by reflection.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::Command;

use crate::support::{Daemon, TWO_A_MINUTE};

const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/parts/buf/buf");

fn program() -> PathBuf {
    let program = env::var_os("TOLLGATE_BUF").map_or_else(|| INSTALLED.into(), PathBuf::from);
    assert!(
        Path::new(&program).exists(),
        "there is no buf at {}; install it with: scripts/parts",
        program.display()
    );
    program
}

/// Calls a method with a message in JSON, by one of the versions of reflection.
pub(crate) async fn call(
    daemon: &Daemon,
    reflection: &str,
    method: &str,
    message: &Value,
) -> Value {
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(program())
        .args(["curl", "--protocol", "grpc", "--http2-prior-knowledge"])
        .args([
            "--reflect-protocol",
            reflection,
            "--data",
            &message.to_string(),
        ])
        .arg(format!("http://{}/{method}", daemon.address))
        .env("HOME", home.path())
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn buf_learns_the_services_and_calls_them() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let method = "envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    let entries = json!([{ "key": "remote_address", "value": "192.0.2.1" }]);
    let asked = json!({ "domain": "edge", "descriptors": [{ "entries": entries }] });
    for (reflection, code) in [
        ("grpc-v1", "OK"),
        ("grpc-v1alpha", "OK"),
        ("grpc-v1", "OVER_LIMIT"),
    ] {
        let answer = call(&daemon, reflection, method, &asked).await;
        assert_eq!(answer["overallCode"], code, "{answer}");
        let limit = &answer["statuses"][0]["currentLimit"];
        assert_eq!(
            *limit,
            json!({ "name": "two", "requestsPerUnit": 2, "unit": "MINUTE" })
        );
    }
    let back = json!({
        "domain": "edge",
        "descriptors": [{ "entries": entries, "hitsAddend": "2", "isNegativeHits": true }],
    });
    let answer = call(&daemon, "grpc-v1", method, &back).await;
    assert_eq!(answer["statuses"][0]["limitRemaining"], 2, "{answer}");
    let health = call(
        &daemon,
        "grpc-v1",
        "grpc.health.v1.Health/Check",
        &json!({}),
    )
    .await;
    assert_eq!(health["status"], "SERVING");
}
