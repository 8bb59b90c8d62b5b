//! Which server has which slot.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::ranges::Range;
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

    /// True if a server of other slots is there that is not known to have failed.
    pub(super) fn serves_others(&self, slot: u16) -> bool {
        let own = self.serving(slot);
        self.members
            .values()
            .filter(|member| !own.as_ref().is_some_and(|own| Arc::ptr_eq(own, member)))
            .any(|member| !member.is_failing())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(host: &str, port: u16) -> Endpoint {
        Endpoint {
            host: host.to_owned(),
            port,
        }
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
