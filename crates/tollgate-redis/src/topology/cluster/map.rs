//! Which server has which slot.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redis::Value;

use crate::node::Node;
use crate::topology::slot::SLOTS;
use crate::url::Endpoint;

/// A server of the cluster.
pub(super) struct Member {
    pub(super) endpoint: Endpoint,
    pub(super) node: Node,
    /// Set when it could not be reached or took no writes; then another takes its place, at the
    /// same address or not.
    is_failing: AtomicBool,
}

/// Slots that follow each other, both ends included, and their master.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Range {
    first: u16,
    last: u16,
    master: Endpoint,
}

/// The servers and the slots, which are empty until the first answer.
#[derive(Default)]
pub(super) struct Map {
    members: HashMap<Endpoint, Arc<Member>>,
    slots: Vec<Option<Arc<Member>>>,
}

impl Member {
    pub(super) fn new(endpoint: Endpoint, node: Node) -> Arc<Self> {
        Arc::new(Self {
            endpoint,
            node,
            is_failing: AtomicBool::new(false),
        })
    }

    pub(super) fn fails(&self) {
        self.is_failing.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }
}

impl Map {
    pub(super) fn add(&mut self, member: Arc<Member>) -> Arc<Member> {
        let known = self.members.entry(member.endpoint.clone());
        Arc::clone(known.or_insert(member))
    }

    pub(super) fn assign(&mut self, slot: u16, member: &Arc<Member>) {
        if let Some(place) = self.slots.get_mut(usize::from(slot)) {
            *place = Some(Arc::clone(member));
        }
    }

    /// Takes over what a server has said. Servers that are still masters stay as they are.
    pub(super) fn update(
        &mut self,
        ranges: Vec<Range>,
        make: impl Fn(&Endpoint) -> Option<Arc<Member>>,
    ) {
        let mut slots = vec![None; usize::from(SLOTS)];
        let mut members = HashMap::new();
        for range in ranges {
            let member = members
                .get(&range.master)
                .or_else(|| self.members.get(&range.master))
                .cloned()
                .or_else(|| make(&range.master));
            let Some(member) = member else {
                continue;
            };
            let served = usize::from(range.first)..=usize::from(range.last);
            if let Some(places) = slots.get_mut(served) {
                places.fill(Some(Arc::clone(&member)));
            }
            members.insert(range.master, member);
        }
        self.slots = slots;
        self.members = members;
    }

    pub(super) fn replace(&mut self, old: &Arc<Member>, new: &Arc<Member>) {
        let mut places: Vec<_> = self.slots.iter_mut().flatten().collect();
        places.extend(self.members.get_mut(&old.endpoint));
        for place in places {
            if Arc::ptr_eq(place, old) {
                *place = Arc::clone(new);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub(super) fn member(&self, endpoint: &Endpoint) -> Option<Arc<Member>> {
        self.members.get(endpoint).cloned()
    }

    pub(super) fn serving(&self, slot: u16) -> Option<Arc<Member>> {
        self.slots.get(usize::from(slot))?.clone()
    }

    pub(super) fn masters(&self) -> Vec<Arc<Member>> {
        self.members.values().cloned().collect()
    }

    pub(super) fn failing(&self) -> Vec<Arc<Member>> {
        let members = self.members.values();
        members
            .filter(|member| member.is_failing())
            .cloned()
            .collect()
    }

    /// Whom to ask about the slots: known servers by chance, since any of them may hang without
    /// having failed yet; then the seeds, and last what has failed.
    pub(super) fn in_the_order_to_ask(&self, seeds: &[Endpoint]) -> Vec<Endpoint> {
        let (failing, mut well): (Vec<_>, Vec<_>) = self
            .members
            .values()
            .partition(|member| member.is_failing());
        fastrand::shuffle(&mut well);
        let endpoint = |member: &Arc<Member>| member.endpoint.clone();
        let failing: Vec<_> = failing.into_iter().map(endpoint).collect();
        let mut order: Vec<_> = well.into_iter().map(endpoint).collect();
        for seed in seeds {
            if !order.contains(seed) && !failing.contains(seed) {
                order.push(seed.clone());
            }
        }
        order.extend(failing);
        order
    }
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

    fn member(endpoint: &Endpoint) -> Option<Arc<Member>> {
        let target = crate::url::Target::parse("redis-cluster://host").unwrap();
        let info = target.data_server(endpoint, None).unwrap();
        Some(Member::new(endpoint.clone(), Node::new(info).unwrap()))
    }

    fn range_of(first: u16, last: u16, port: u16) -> Range {
        let master = endpoint("host", port);
        Range {
            first,
            last,
            master,
        }
    }

    #[test]
    fn keeps_servers_that_are_still_masters_and_forgets_others() {
        let mut map = Map::default();
        assert!(map.is_empty());
        map.update(vec![range_of(0, 99, 1), range_of(100, 199, 2)], member);
        let (one, two) = (map.serving(99).unwrap(), map.serving(100).unwrap());
        assert!(map.serving(200).is_none());
        map.update(vec![range_of(0, 50, 1), range_of(51, 16_383, 3)], member);
        assert!(Arc::ptr_eq(&map.serving(50).unwrap(), &one));
        assert_eq!(map.serving(16_383).unwrap().endpoint.port, 3);
        assert!(map.member(&two.endpoint).is_none());
        assert!(map.serving(SLOTS).is_none());
    }

    #[test]
    fn a_server_that_failed_is_asked_last_and_replaced_wherever_it_stands() {
        let mut map = Map::default();
        map.update(
            vec![range_of(0, 0, 1), range_of(1, 1, 2), range_of(2, 2, 1)],
            member,
        );
        let old = map.serving(0).unwrap();
        old.fails();
        let seeds = [endpoint("host", 1), endpoint("seed", 9)];
        let order: Vec<_> = map.in_the_order_to_ask(&seeds);
        assert_eq!(
            order,
            [
                endpoint("host", 2),
                endpoint("seed", 9),
                endpoint("host", 1)
            ]
        );
        let new = member(&old.endpoint).unwrap();
        map.replace(&old, &new);
        for slot in [0, 2] {
            assert!(Arc::ptr_eq(&map.serving(slot).unwrap(), &new));
        }
        assert!(map.failing().is_empty());
    }
}
