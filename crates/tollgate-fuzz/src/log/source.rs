//! Logs from their first byte to their last: what they are packed in, their lines, their forms.

use std::io;

use tollgate_replay::log::{
    Field, FieldMap, Findings, Form, LogFormat, LogSource, ReadOptions, Record,
};

use super::{input, record};
use crate::first_line;

/// Reads a log to its end.
///
/// Every line is counted once: as a request that is plausible, with a reason why it is none, or as
/// one that was skipped. Reading it again, or after another one with the same options, says the same.
fn read(data: &[u8], options: impl Fn() -> ReadOptions) {
    let options = options();
    let (first, requests) = read_once(data, &options);
    let again = options.clone();
    // What was delivered once is known by then.
    let (second, _) = read_once(data, &again);
    assert_eq!(first.lines(), second.lines());
    let rejected: u64 = first.rejects().iter().map(|reject| reject.count).sum();
    let skipped: u64 = first.skipped().iter().map(|skipped| skipped.count).sum();
    assert_eq!(first.requests(), requests, "those that were given");
    assert_eq!(first.rejected(), rejected, "by reason");
    assert_eq!(first.lines(), requests + rejected + skipped, "of {data:?}");
    for reject in first.rejects() {
        assert!(!reject.examples.is_empty() && !reject.meaning.is_empty());
        for example in &reject.examples {
            assert!(
                (1..=first.lines().max(1)).contains(&example.line),
                "{example:?}"
            );
        }
    }
}

fn read_once(data: &[u8], options: &ReadOptions) -> (Findings, u64) {
    let (mut requests, mut last) = (0, 0);
    let mut each = |number: u64, read: &Record<'_>| {
        assert!(number > last, "lines come in their order");
        last = number;
        requests += 1;
        record::check(read);
    };
    let findings = (|| -> io::Result<Findings> {
        let mut source = LogSource::open(&input(data), options)?;
        while source.read_some(&mut each)? {}
        Ok(source.findings().clone())
    })();
    match findings {
        Ok(findings) => (findings, requests),
        // Packed in a way that is not read, which is said before any line.
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert_eq!(requests, 0);
            (read_nothing(), 0)
        }
    }
}

/// What is found in a log without lines.
fn read_nothing() -> Findings {
    match LogSource::open(&input(&[]), &ReadOptions::default()) {
        Ok(source) => source.findings().clone(),
        Err(error) => unreachable!("an empty log can be opened: {error}"),
    }
}

fn read_as(data: &[u8], form: Form) {
    read(data, || ReadOptions::default().format(form));
}

/// A file of any kind: its compression, wrappers and forms are found out.
pub fn log_source(data: &[u8]) {
    read(data, ReadOptions::default);
}

/// Lines of Caddy.
pub fn log_caddy(data: &[u8]) {
    read_as(data, Form::Caddy);
}

/// Lines of Traefik's JSON.
pub fn log_traefik_json(data: &[u8]) {
    read_as(data, Form::TraefikJson);
}

/// Lines of Envoy's JSON.
pub fn log_envoy_json(data: &[u8]) {
    read_as(data, Form::EnvoyJson);
}

/// Lines of Cloudflare.
pub fn log_cloudflare(data: &[u8]) {
    read_as(data, Form::Cloudflare);
}

/// The first line is a map, its fields between spaces; the others are lines of JSON.
pub fn log_fields(data: &[u8]) {
    let (map, lines) = first_line(data);
    let Ok(map) = str::from_utf8(map) else {
        return;
    };
    let fields: Result<Vec<Field>, _> = map.split(' ').map(str::parse).collect();
    match fields.and_then(FieldMap::new) {
        Ok(map) => read(lines, || ReadOptions::default().fields(map.clone())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The first line is a `log_format`; the others are lines of it.
pub fn log_format(data: &[u8]) {
    let (format, lines) = first_line(data);
    let Ok(format) = str::from_utf8(format) else {
        return;
    };
    match format.parse::<LogFormat>() {
        Ok(format) => read(lines, || ReadOptions::default().log_format(format.clone())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
