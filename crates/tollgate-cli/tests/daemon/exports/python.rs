//! What is exported, read by somebody else's code: the messages of OpenTelemetry for Python.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::collector::Collector;
use super::{PROTOCOLS, ask, exporting};
use crate::process::{Daemon, folder};

fn read(kind: &str, bytes: &[u8]) -> String {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let installed = crate_folder.join("../../target/clients/python");
    let messages = installed.join("opentelemetry/proto");
    assert!(
        messages.exists(),
        "missing: {}; run scripts/clients",
        messages.display()
    );
    let mut child = Command::new("python3")
        .env("PYTHONPATH", installed)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(crate_folder.join("tests/daemon/exports/decode.py"))
        .arg(kind)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn others_read_what_is_exported() {
    for protocol in PROTOCOLS {
        let (folder, collector) = (folder(), Collector::start());
        let mut command = exporting(folder.path(), &collector, protocol);
        command.env("OTEL_SERVICE_NAME", "limits");
        let daemon = Daemon::start(&mut command);
        ask(&daemon, 1);
        let spans = read("traces", &collector.traces().bytes);
        assert_eq!(
            spans,
            "service limits\n\
             check SPAN_KIND_SERVER 16 8 allowed=True decisions=1 degraded=False policy=all \
             reason=allowed surface=http\n"
        );
        let metrics = read("metrics", &collector.later_metrics().bytes);
        for line in [
            "service limits",
            "tollgate_requests_total sum {outcome=allow,reason=allowed} 1",
            "tollgate_policy_generation gauge {} 1.0",
            "tollgate_server_requests_total sum {surface=http,outcome=allow} 1",
            "tollgate_server_request_seconds histogram {surface=http} 1 of 15 buckets",
        ] {
            assert!(metrics.lines().any(|it| it == line), "{line}\n{metrics}");
        }
    }
}
