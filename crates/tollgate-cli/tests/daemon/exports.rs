//! Metrics and spans that are exported to a collector.

mod collector;
mod encrypted;
mod metrics;
mod outages;
mod python;
mod spans;
mod variables;

use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use crate::client::check;
use crate::process::{Daemon, serve};
use collector::Collector;

/// Both ways in which OTLP is spoken here.
const PROTOCOLS: [&str; 2] = ["http/protobuf", "grpc"];

/// `tollgate serve`, which exports to a collector.
fn exporting(folder: &Path, collector: &Collector, protocol: &str) -> Command {
    let mut command = serve(folder);
    command
        .env(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            format!("http://{}", collector.address),
        )
        .env("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
        .env("OTEL_METRIC_EXPORT_INTERVAL", "20")
        .env("OTEL_BSP_SCHEDULE_DELAY", "20");
    command
}

/// Asks for decisions of one client's requests.
fn ask(daemon: &Daemon, times: usize) {
    let mut stream = TcpStream::connect(daemon.port()).unwrap();
    for _ in 0..times {
        let answer = check(&mut stream, r#"{"attributes": {"client.ip": "192.0.2.1"}}"#);
        let answer = answer.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

impl Daemon {
    /// The line with these words, whether it was logged before it listened or is yet to be.
    fn line(&self, words: &str) -> String {
        match self.has_said(words) {
            true => self.said(words).to_owned(),
            false => self.await_line(words),
        }
    }
}
