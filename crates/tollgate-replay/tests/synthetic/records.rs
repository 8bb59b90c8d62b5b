//! Lines are read as what servers meant by them.

use tollgate_replay::log::{Peer, Record, TimeBasis};
use tollgate_testkit::access_log::{Basis, Form, Known, LogLine};

/// Holds a record to what can be known of its request.
#[track_caller]
pub(crate) fn hold(record: &Record<'_>, line: &LogLine, form: Form) {
    let known = &line.known;
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
        host: owned(&record.host).map(|host| host.split(':').next().unwrap().to_owned()),
        user: owned(&record.user),
        status: record.status,
        user_agent: owned(&record.user_agent),
        referer: owned(&record.referer),
    };
    assert_eq!(read, *known, "{}: {}", form.name(), line.text);
    let peer = match record.peer {
        Peer::Address(peer) => Some(peer),
        _ => None,
    };
    if form.logs_peer() {
        assert_eq!(peer, Some(line.exchange.peer), "{}", line.text);
    }
}

fn owned(text: &Option<std::borrow::Cow<'_, str>>) -> Option<String> {
    text.as_deref().map(str::to_owned)
}
