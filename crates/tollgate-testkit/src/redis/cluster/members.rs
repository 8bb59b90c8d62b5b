//! The members of a cluster, as one of them sees them.

use super::super::ports::TO_BUS;
use super::super::server::RedisServer;

/// A line of `CLUSTER NODES`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) id: String,
    pub(super) port: u16,
    /// What it is: `master`, `slave`, `fail`, …
    flags: Vec<String>,
    /// The id of its master.
    master: String,
    /// First and last.
    slots: Vec<(u16, u16)>,
}

impl Member {
    pub(super) fn all(node: &RedisServer) -> Vec<Self> {
        let nodes = node.command(&["CLUSTER", "NODES"]).text();
        nodes.lines().filter_map(Self::parse).collect()
    }

    /// All of them in one order and without what is true of the node that sees them only, so that
    /// what nodes see can be compared.
    pub(super) fn seen_by(node: &RedisServer) -> Vec<Self> {
        let mut members = Self::all(node);
        for member in &mut members {
            member.flags.retain(|flag| flag != "myself");
        }
        members.sort_by(|one, other| one.id.cmp(&other.id));
        members
    }

    pub(super) fn myself(node: &RedisServer) -> String {
        node.command(&["CLUSTER", "MYID"]).text()
    }

    fn parse(line: &str) -> Option<Self> {
        let words: Vec<_> = line.split(' ').collect();
        let [
            id,
            address,
            flags,
            master,
            _ping,
            _pong,
            _epoch,
            _link,
            slots @ ..,
        ] = &*words
        else {
            return None;
        };
        // The port before it is 0 where only TLS is spoken.
        let (_, bus) = address.split_once('@')?;
        let bus = bus.split_once(',').map_or(bus, |(bus, _host)| bus);
        Some(Self {
            id: (*id).into(),
            port: bus.parse::<u16>().ok()?.checked_sub(TO_BUS)?,
            flags: flags.split(',').map(Into::into).collect(),
            master: (*master).into(),
            // Slots that are moving have other forms, and are among these too.
            slots: slots
                .iter()
                .filter_map(|range| parse_range(range))
                .collect(),
        })
    }

    pub(super) fn is_known(&self) -> bool {
        !self.flags.iter().any(|flag| flag == "handshake")
    }

    /// True for a replica of this master.
    pub(super) fn follows(&self, master: &str) -> bool {
        self.master == master
    }

    pub(super) const fn has_slots(&self) -> bool {
        !self.slots.is_empty()
    }

    pub(super) fn has_slot(&self, slot: u16) -> bool {
        let mut slots = self.slots.iter();
        slots.any(|(first, last)| (*first..=*last).contains(&slot))
    }
}

fn parse_range(text: &str) -> Option<(u16, u16)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.parse().ok()?, last.parse().ok()?))
}
