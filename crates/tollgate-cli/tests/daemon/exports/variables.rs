//! What is said by variables of the process, and by the option.

use super::collector::{Answer, Collector};
use super::{PROTOCOLS, ask, exporting};
use crate::process::{Daemon, folder, serve};

#[test]
fn secrets_in_headers_reach_the_collector_and_no_line_of_the_log() {
    for protocol in PROTOCOLS {
        let (folder, collector) = (folder(), Collector::start());
        let mut command = exporting(folder.path(), &collector, protocol);
        command
            .env(
                "OTEL_EXPORTER_OTLP_HEADERS",
                "authorization=Bearer%20c2VjcmV0,x-scope=a",
            )
            .env("TOLLGATE_LOG", "trace");
        let daemon = Daemon::start(&mut command);
        ask(&daemon, 1);
        for headers in [collector.metrics().headers, collector.traces().headers] {
            assert_eq!(headers["authorization"], "Bearer c2VjcmV0");
            assert_eq!(headers["x-scope"], "a");
            assert!(
                headers["user-agent"]
                    .to_str()
                    .unwrap()
                    .starts_with("tollgate/")
            );
        }
        // What goes wrong is told, too.
        collector.answer(Answer::Status(401));
        let before = daemon.lines_until("was not taken");
        daemon.signal("-INT");
        let all: Vec<_> = before.into_iter().chain(daemon.rest()).collect();
        let secret = |line: &&String| line.contains("c2VjcmV0");
        assert_eq!(all.iter().find(secret), None);
    }
}

#[test]
fn an_option_names_the_collector_too() {
    let (folder, collector) = (folder(), Collector::start());
    let mut command = serve(folder.path());
    let endpoint = format!("http://{}", collector.address);
    let daemon = Daemon::start(command.args(["--otlp-endpoint", &endpoint]));
    let line = daemon.said("exporting by OTLP");
    assert!(
        line.contains(&format!("metrics=\"{endpoint}/v1/metrics\"")),
        "{line}"
    );
    collector.metrics();
}

#[test]
fn nothing_is_exported_and_nothing_said_of_it_unless_it_is_asked_for() {
    let (folder, collector) = (folder(), Collector::start());
    let mut command = exporting(folder.path(), &collector, "grpc");
    let daemon = Daemon::start(command.env("OTEL_SDK_DISABLED", "true"));
    ask(&daemon, 1);
    assert!(!daemon.has_said("OTLP"));
    daemon.signal("-INT");
    assert!(daemon.end().success());
    assert_eq!(collector.more_traces(), 0);
}

#[test]
fn a_variable_that_cannot_be_used_keeps_it_from_beginning() {
    let (folder, collector) = (folder(), Collector::start());
    let mut command = exporting(folder.path(), &collector, "thrift");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    let expected = "tollgate: cannot export by OTLP: OTEL_EXPORTER_OTLP_PROTOCOL is `thrift`, which is \
                    not supported; it can be `http/protobuf`, `grpc`\n";
    assert!(said.ends_with(expected), "{said}");
}
