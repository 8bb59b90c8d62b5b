//! What servers say of the slots.

use redis::Value;

use crate::topology::slot::SLOTS;
use crate::url::Endpoint;

/// Slots that follow each other, both ends included, and their master.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: u16,
    pub(super) last: u16,
    pub(super) master: Endpoint,
}

/// What the answer to `CLUSTER SLOTS` says of masters. A server that does not know its own host's
/// name is at `asked`.
pub(super) fn ranges(answer: Value, asked: &Endpoint) -> Vec<Range> {
    let ranges = redis::from_redis_value::<Vec<Value>>(answer).unwrap_or_default();
    ranges
        .into_iter()
        .filter_map(|answer| range(answer, asked))
        .collect()
}

fn range(answer: Value, asked: &Endpoint) -> Option<Range> {
    let mut parts = list(answer)?;
    let first = number(parts.next()?)?;
    let last = number(parts.next()?)?;
    let mut master = list(parts.next()?)?;
    let host: Option<String> = redis::from_redis_value(master.next()?).ok()?;
    let port = number(master.next()?).filter(|port| *port > 0)?;
    // After the server's id, if at all.
    let more = master.nth(1);
    let host = match host.filter(|host| !host.is_empty()) {
        None => asked.host.clone(),
        // It prefers to be called by a name, and has none.
        Some(host) if host == "?" => more.and_then(ip).unwrap_or_else(|| asked.host.clone()),
        Some(host) => host,
    };
    (first <= last && last < SLOTS).then_some(Range {
        first,
        last,
        master: Endpoint { host, port },
    })
}

/// The address among what else a server says of itself: names and values by turns.
fn ip(more: Value) -> Option<String> {
    let more: Vec<String> = redis::from_redis_value(more).ok()?;
    let mut more = more.into_iter();
    more.find(|name| name == "ip")?;
    more.next().filter(|ip| !ip.is_empty())
}

fn number(value: Value) -> Option<u16> {
    // By way of a type that holds all of them: the client library would cut them off.
    let number: i64 = redis::from_redis_value(value).ok()?;
    number.try_into().ok()
}

fn list(value: Value) -> Option<impl Iterator<Item = Value>> {
    match value {
        Value::Array(values) => Some(values.into_iter()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::BulkString(text.as_bytes().to_vec())
    }

    fn answer(first: i64, last: i64, master: Vec<Value>) -> Value {
        let replica = Value::Array(vec![text("replica"), Value::Int(9)]);
        Value::Array(vec![
            Value::Int(first),
            Value::Int(last),
            Value::Array(master),
            replica,
        ])
    }

    fn endpoint(host: &str, port: u16) -> Endpoint {
        Endpoint {
            host: host.to_owned(),
            port,
        }
    }

    fn masters(answers: Vec<Value>) -> Vec<(u16, u16, String)> {
        ranges(Value::Array(answers), &endpoint("asked", 1))
            .into_iter()
            .map(|range| (range.first, range.last, range.master.to_string()))
            .collect()
    }

    #[test]
    fn reads_masters_however_they_are_called() {
        let id = || text("0123");
        let more = |ip| Value::Array(vec![text("hostname"), text(""), text("ip"), text(ip)]);
        let read = masters(vec![
            answer(0, 99, vec![text("10.0.0.1"), Value::Int(7001), id()]),
            answer(100, 199, vec![text("2001:db8::1"), Value::Int(7002)]),
            answer(
                200,
                299,
                vec![text("cache.example"), Value::Int(7003), id()],
            ),
            answer(300, 399, vec![text(""), Value::Int(7004), id()]),
            answer(400, 499, vec![Value::Nil, Value::Int(7005), id()]),
            answer(
                500,
                599,
                vec![text("?"), Value::Int(7006), id(), more("10.0.0.2")],
            ),
            answer(600, 699, vec![text("?"), Value::Int(7007), id()]),
        ]);
        let expected = [
            (0, 99, "10.0.0.1:7001"),
            (100, 199, "[2001:db8::1]:7002"),
            (200, 299, "cache.example:7003"),
            (300, 399, "asked:7004"),
            (400, 499, "asked:7005"),
            (500, 599, "10.0.0.2:7006"),
            (600, 699, "asked:7007"),
        ];
        let expected = expected.map(|(first, last, master)| (first, last, master.to_owned()));
        assert_eq!(read, expected);
    }

    #[test]
    fn passes_over_what_it_cannot_read() {
        let good = || vec![text("one"), Value::Int(7001)];
        let read = masters(vec![
            Value::Nil,
            Value::Array(vec![]),
            answer(5, 4, good()),
            answer(0, 16_384, good()),
            answer(-1, 5, good()),
            answer(0, 5, vec![text("one"), Value::Int(70_000)]),
            answer(0, 16_383, good()),
        ]);
        assert_eq!(read, [(0, 16_383, "one:7001".to_owned())]);
        assert!(ranges(Value::Nil, &endpoint("asked", 1)).is_empty());
    }
}
