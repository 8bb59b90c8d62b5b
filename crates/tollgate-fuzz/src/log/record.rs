//! What is true of every request that was read.

use tollgate::Micros;
use tollgate_replay::log::{Peer, Record, TimeBasis};

/// Nothing is there that is not: texts are not empty, numbers are possible. Only a query may be empty,
/// after a question mark at the end of a target.
pub(super) fn check(record: &Record<'_>) {
    let texts = [
        &record.forwarded_for,
        &record.method,
        &record.path,
        &record.host,
        &record.user,
        &record.route,
        &record.user_agent,
        &record.referer,
    ];
    for text in texts.into_iter().flatten() {
        assert!(!text.is_empty(), "an empty text: {record:?}");
    }
    if let Peer::Name(name) = &record.peer {
        assert!(!name.is_empty(), "a peer without a name: {record:?}");
    }
    for (name, value) in &record.others {
        assert!(!name.is_empty() && !value.is_empty(), "{record:?}");
    }
    assert!(
        record
            .status
            .is_none_or(|status| (100..1000).contains(&status)),
        "{record:?}"
    );
    assert!(record.resolution > Micros::ZERO, "{record:?}");
    assert!(record.resolution <= Micros::MINUTE, "{record:?}");
    if record.basis == TimeBasis::EndLessDuration {
        assert!(record.duration.is_some(), "{record:?}");
    }
}
