//! Lines are read as what servers meant by them.

use std::borrow::Cow;

use tollgate_replay::log::{LogSource, Peer, Record, TimeBasis};
use tollgate_testkit::access_log::{Basis, Form, Known, Log, LogLine, Wrapper};

use crate::support::{options, text, traffic};

/// Reads a log, and holds each record to what can be known of its request.
fn hold_all(log: &Log) {
    let name = log.form.name();
    let mut source = LogSource::open(&text(log.text()), &options(log.form)).unwrap();
    let mut lines = log.lines.iter();
    let mut each = |_, record: &Record<'_>| match lines.next() {
        Some(line) => hold(record, line, log.form),
        None => panic!("{name} has one more: {record:?}"),
    };
    while source.read_some(&mut each).unwrap() {}
    let rejects = source.findings().rejects();
    assert!(rejects.is_empty(), "{name}: {rejects:?}");
    assert_eq!(lines.next().map(|line| &line.text), None, "{name}");
}

fn hold(record: &Record<'_>, line: &LogLine, form: Form) {
    let known = &line.known;
    let host = owned(&record.host);
    let read = Known {
        at: record.at,
        basis: match record.basis {
            TimeBasis::Start => Basis::Start,
            TimeBasis::EndLessDuration => Basis::EndLessDuration,
            TimeBasis::End => Basis::End,
        },
        resolution: record.resolution,
        duration: record.duration,
        client: known.client,
        method: owned(&record.method),
        path: owned(&record.path),
        query: owned(&record.query),
        // A port may follow.
        host: host.map(|host| host.trim_end_matches(":443").to_owned()),
        user: owned(&record.user),
        status: record.status,
        user_agent: owned(&record.user_agent),
        referer: owned(&record.referer),
    };
    assert_eq!(read, *known, "{}: {}", form.name(), line.text);
    if form.logs_peer() {
        let peer = Peer::Address(line.exchange.peer);
        assert_eq!(record.peer, peer, "{}: {}", form.name(), line.text);
    }
}

fn owned(text: &Option<Cow<'_, str>>) -> Option<String> {
    text.as_deref().map(str::to_owned)
}

#[test]
fn every_form_is_read_as_its_server_meant_it() {
    for form in Form::ALL {
        hold_all(&Log::of(form, Wrapper::None, traffic().requests(3000)));
        hold_all(&Log::of(
            form,
            Wrapper::None,
            traffic().behind_proxies(true),
        ));
    }
}

#[test]
fn every_form_is_read_within_every_wrapper() {
    for form in Form::ALL {
        // Columns are named by lines that have no wrapper.
        if !form.head().is_empty() {
            continue;
        }
        for wrapper in [Wrapper::Cri, Wrapper::Docker, Wrapper::Syslog] {
            hold_all(&Log::of(form, wrapper, traffic().requests(700)));
        }
    }
}
