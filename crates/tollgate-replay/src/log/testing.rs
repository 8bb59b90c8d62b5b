//! What a line says, as one line of text that tests can compare.

use std::fmt::Write;

use super::detect::Detector;
use super::{Line, Peer, ReadOptions, Record};

/// What a line says in whichever form it has.
pub(crate) fn told(line: &str) -> String {
    told_with(&ReadOptions::default(), line)
}

pub(crate) fn told_with(options: &ReadOptions, line: &str) -> String {
    told_of_bytes(options, line.as_bytes())
}

pub(crate) fn told_of_bytes(options: &ReadOptions, line: &[u8]) -> String {
    match Detector::new(options, "a log").read(1, line) {
        Ok(found) => match found.line {
            Line::Request(record) => {
                let mut told = format!("{} ", found.form);
                describe(&record, &mut told);
                told
            }
            Line::Skipped(kind) => format!("skipped: {}", kind.as_str()),
        },
        Err(reason) => format!("rejected: {}", reason.as_str()),
    }
}

fn describe(record: &Record<'_>, told: &mut String) {
    let _ = write!(
        told,
        "{:?} {:?}/{:?}",
        record.at, record.basis, record.resolution
    );
    if let Some(took) = record.duration {
        let _ = write!(told, " took {took:?}");
    }
    let _ = match &record.peer {
        Peer::Address(address) => write!(told, " peer {address}"),
        Peer::Name(name) => write!(told, " peer named {name}"),
        Peer::Unix => write!(told, " peer unix"),
        Peer::Unknown => write!(told, " peer ?"),
    };
    if let Some(client) = record.client {
        let _ = write!(told, " client {client}");
    }
    let status = record.status.map(|status| status.to_string());
    for (name, value) in [
        ("list", record.forwarded_for.as_deref()),
        ("method", record.method.as_deref()),
        ("path", record.path.as_deref()),
        ("query", record.query.as_deref()),
        ("host", record.host.as_deref()),
        ("user", record.user.as_deref()),
        ("route", record.route.as_deref()),
        ("status", status.as_deref()),
        ("agent", record.user_agent.as_deref()),
        ("referer", record.referer.as_deref()),
    ] {
        if let Some(value) = value {
            let _ = write!(told, " {name} {value:?}");
        }
    }
    for (name, value) in &record.others {
        let _ = write!(told, " {name}={value:?}");
    }
}
