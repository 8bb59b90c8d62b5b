//! Metrics and readiness.

use std::process::{Command, Stdio};

use tokio::net::TcpStream;
use tollgate_server::Metrics;

use crate::support::{Daemon, ask, port, settings};

#[tokio::test]
async fn metrics_are_what_prometheus_reads() {
    let metrics = Metrics::install().unwrap();
    let daemon = Daemon::start(settings(|it| {
        it.metrics = Some(metrics);
        it.operations = Some("127.0.0.1:0".parse().unwrap());
    }))
    .await;
    let mut client = daemon.connect().await;
    let answer = ask(&mut client, "/metrics").await.unwrap();
    assert!(answer.contains("content-type: text/plain; version=0.0.4"));
    let (_, text) = answer.split_once("\r\n\r\n").unwrap();
    for line in [
        "tollgate_server_connections{surface=\"http\"} 1",
        "tollgate_server_connections_accepted_total{surface=\"http\"} 1",
        "tollgate_server_connections_refused_total{surface=\"operations\",reason=\"max_connections\"} 0",
        "tollgate_server_requests_total{surface=\"http\",outcome=\"deny\"} 0",
        "tollgate_server_request_seconds_count{surface=\"http\"} 0",
        "tollgate_server_draining 0",
        "tollgate_policy_generation 1",
        "tollgate_memory_keys{store=\"memory\"} 0",
        &format!(
            "tollgate_build_info{{version=\"{}\"}} 1",
            env!("CARGO_PKG_VERSION")
        ),
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\n{text}");
    }
    // There is no gRPC.
    assert!(!text.contains("grpc"), "{text}");
    let mut nearby = TcpStream::connect(port(daemon.addresses.operations.as_ref()))
        .await
        .unwrap();
    let same = ask(&mut nearby, "/metrics").await.unwrap();
    assert!(same.contains("tollgate_policy_generation 1"), "{same}");
    let nothing_else = ask(&mut nearby, "/v1/check").await.unwrap();
    assert!(nothing_else.starts_with("HTTP/1.1 404"), "{nothing_else}");

    checked_by_promtool(text);
    documented(text);
}

fn documented(text: &str) {
    let guides = concat!(
        include_str!("../../../../docs/metrics.md"),
        include_str!("../../../../docs/daemon/operations.md")
    );
    let types = text.lines().filter_map(|it| it.strip_prefix("# TYPE "));
    let names: Vec<_> = types.filter_map(|it| it.split(' ').next()).collect();
    assert!(names.len() > 10);
    for name in names {
        assert!(guides.contains(&format!("| `{name}` |")), "{name}");
    }
}

fn checked_by_promtool(text: &str) {
    let child = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap_or_else(|error| {
        panic!("cannot run promtool ({error}); install it with: apt-get install prometheus")
    });
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, text.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}\n{text}");
}
