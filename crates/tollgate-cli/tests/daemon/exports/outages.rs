//! Collectors that are away, silent, or do not want what they are given.

use std::net::{TcpListener, TcpStream};
use std::os::unix::process::ExitStatusExt as _;

use tollgate_testkit::redis::until;

use super::collector::{Answer, Collector};
use super::{PROTOCOLS, ask, exporting};
use crate::client;
use crate::process::{Daemon, folder};

/// What `/metrics` says of this one.
fn counted(daemon: &Daemon, metric: &str) -> u64 {
    let mut stream = TcpStream::connect(daemon.port()).unwrap();
    let page = client::ask(&mut stream, "/metrics").unwrap();
    let value = page.lines().find_map(|line| line.strip_prefix(metric));
    value
        .unwrap_or_else(|| panic!("no {metric} in {page}"))
        .trim()
        .parse()
        .unwrap()
}

const DROPPED: &str = "tollgate_otlp_spans_dropped_total";
const NOT_TAKEN: &str = "tollgate_otlp_exports_total{signal=\"traces\",outcome=\"failed\"}";

fn spans(collector: &Collector) -> usize {
    let message = collector.traces().message;
    message.resource_spans[0].scope_spans[0].spans.len()
}

#[test]
fn a_collector_that_is_away_is_told_of_once_and_has_what_there_is_room_for_when_it_is_back() {
    for protocol in PROTOCOLS {
        let folder = folder();
        // Of addresses that no other test takes a free port of.
        let place = TcpListener::bind("127.0.0.77:0").unwrap();
        let address = place.local_addr().unwrap();
        drop(place);
        let elsewhere = Collector::start();
        let mut command = exporting(folder.path(), &elsewhere, protocol);
        command
            .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{address}"))
            .env("OTEL_BSP_MAX_QUEUE_SIZE", "10")
            .env(
                "TOLLGATE_LOG",
                "warn,tollgate::serve=info,tollgate_server=info",
            );
        let daemon = Daemon::start(&mut command);
        let line = daemon.line("was not taken");
        assert!(
            line.contains(" WARN ") && line.contains("cannot connect"),
            "{line}"
        );
        // More than wait, and than the batch that is tried again.
        ask(&daemon, 30);
        assert!(counted(&daemon, DROPPED) >= 10);
        until("both signals were not taken, again and again", || {
            counted(&daemon, NOT_TAKEN) > 2
        });
        let collector = Collector::at(TcpListener::bind(address).unwrap(), None);
        // The next line: there was none for all that failed since the first.
        let line = daemon.next_line();
        assert!(
            line.contains(" INFO ") && line.contains("taken again"),
            "{line}"
        );
        let arrived = spans(&collector);
        assert!((1..=10).contains(&arrived), "{arrived}");
        collector.metrics();
        // From now on nothing is lost.
        while collector.more_traces() > 0 {}
        let dropped = counted(&daemon, DROPPED);
        ask(&daemon, 1);
        spans(&collector);
        assert_eq!(counted(&daemon, DROPPED), dropped);
    }
}

#[test]
fn a_collector_that_never_answers_keeps_nobody_waiting_not_even_the_end() {
    for protocol in PROTOCOLS {
        let (folder, collector) = (folder(), Collector::start());
        collector.answer(Answer::Silence);
        // An export may take longer than this test is waited for.
        let mut command = exporting(folder.path(), &collector, protocol);
        let daemon = Daemon::start(command.env("OTEL_EXPORTER_OTLP_TIMEOUT", "86400000"));
        collector.metrics();
        ask(&daemon, 100);
        collector.traces();
        ask(&daemon, 100);
        daemon.signal("-TERM");
        let ended = daemon.end();
        assert_eq!((ended.code(), ended.signal()), (Some(0), None));
    }
}

#[test]
fn an_export_that_takes_too_long_is_one_that_was_not_taken() {
    let (folder, collector) = (folder(), Collector::start());
    collector.answer(Answer::Silence);
    let mut command = exporting(folder.path(), &collector, "grpc");
    // Long enough to connect.
    let daemon = Daemon::start(command.env("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"));
    let line = daemon.line("was not taken");
    assert!(line.contains("no answer within 1s"), "{line}");
    collector.answer(Answer::Take);
    daemon.line("taken again");
}

#[test]
fn what_a_collector_refuses_for_now_is_given_again_and_what_it_refuses_for_good_is_not() {
    for (protocol, later, never) in [
        ("http/protobuf", Answer::Status(503), Answer::Status(400)),
        ("grpc", Answer::GrpcStatus(14), Answer::GrpcStatus(3)),
    ] {
        let (folder, collector) = (folder(), Collector::start());
        let mut command = exporting(folder.path(), &collector, protocol);
        let daemon = Daemon::start(command.env("OTEL_METRICS_EXPORTER", "none"));
        collector.answer(later);
        ask(&daemon, 1);
        let refused = collector.traces();
        let line = daemon.line("was not taken");
        assert!(line.contains("it answers"), "{line}");
        assert_eq!(collector.traces().bytes, refused.bytes);
        collector.answer(Answer::Take);
        daemon.line("taken again");
        assert_eq!(counted(&daemon, DROPPED), 0);

        while collector.more_traces() > 0 {}
        collector.answer(never);
        ask(&daemon, 1);
        let refused = collector.traces();
        daemon.line("was not taken");
        until("it was dropped", || counted(&daemon, DROPPED) == 1);
        collector.answer(Answer::Take);
        ask(&daemon, 1);
        assert_ne!(collector.traces().bytes, refused.bytes);
    }
}

#[test]
fn what_a_collector_does_not_want_of_an_export_is_told_and_counted() {
    for protocol in PROTOCOLS {
        let (folder, collector) = (folder(), Collector::start());
        collector.answer(Answer::TakeAllButOne);
        let mut command = exporting(folder.path(), &collector, protocol);
        let daemon = Daemon::start(command.env("OTEL_METRICS_EXPORTER", "none"));
        ask(&daemon, 1);
        let line = daemon.line("took only a part");
        assert!(
            line.contains("rejected=1") && line.contains("too old"),
            "{line}"
        );
        until("it was counted", || counted(&daemon, DROPPED) == 1);
    }
}
