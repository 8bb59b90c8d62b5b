//! What a test left in a server, and for how long it will be there.

use std::time::Duration;

use super::cluster::Cluster;
use super::commands::Reply;
use super::server::RedisServer;

/// How many keys a server is asked for at once.
const AT_ONCE: &str = "1000";

/// A key, and when it will be gone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredKey {
    /// Its name.
    pub key: String,
    /// How long it will be there, in whole milliseconds; `None` if for ever.
    pub lifetime: Option<Duration>,
    /// What it holds, as `TYPE` says it: `string`, `hash`, `zset`, …
    pub kind: String,
}

impl RedisServer {
    /// All keys that begin with `prefix`, in order.
    ///
    /// # Panics
    ///
    /// If the server does not answer.
    #[must_use]
    pub fn keys_under(&self, prefix: &str) -> Vec<StoredKey> {
        let mut names = Vec::new();
        let mut cursor = "0".to_owned();
        loop {
            let page = self.command(&["SCAN", &cursor, "COUNT", AT_ONCE]).array();
            let [next, keys] = &*page else {
                panic!("{page:?} where a cursor and keys were expected");
            };
            // Not by `MATCH`: a prefix may contain what is special in a pattern.
            let keys = keys.clone().array();
            let keys = keys.iter().map(Reply::text);
            names.extend(keys.filter(|key| key.starts_with(prefix)));
            cursor = next.text();
            if cursor == "0" {
                break;
            }
        }
        names.sort_unstable();
        // A scan may give a key twice.
        names.dedup();
        names.iter().filter_map(|key| self.stored(key)).collect()
    }

    /// Checks that something is stored under `prefix`, that all of it will be gone by itself, and
    /// nothing later than after `longest`.
    ///
    /// # Panics
    ///
    /// If not, naming the keys; or if the server does not answer.
    pub fn assert_lifetimes(&self, prefix: &str, longest: Duration) {
        assert_lifetimes(&self.keys_under(prefix), longest);
    }

    /// `None` if it has gone meanwhile.
    fn stored(&self, key: &str) -> Option<StoredKey> {
        let kind = self.command(&["TYPE", key]).text();
        let lifetime = match self.command(&["PTTL", key]).integer() {
            -2 => return None,
            millis => u64::try_from(millis).ok().map(Duration::from_millis),
        };
        Some(StoredKey {
            key: key.into(),
            lifetime,
            kind,
        })
    }
}

impl Cluster {
    /// All keys of all masters that begin with `prefix`, in order.
    ///
    /// # Panics
    ///
    /// If a master does not answer.
    #[must_use]
    pub fn keys_under(&self, prefix: &str) -> Vec<StoredKey> {
        let masters = self.masters().into_iter();
        let keys = masters.flat_map(|master| self.nodes()[master].keys_under(prefix));
        let mut keys: Vec<_> = keys.collect();
        keys.sort_unstable();
        keys
    }

    /// Checks that something is stored under `prefix`, that all of it will be gone by itself, and
    /// nothing later than after `longest`.
    ///
    /// # Panics
    ///
    /// If not, naming the keys; or if a master does not answer.
    pub fn assert_lifetimes(&self, prefix: &str, longest: Duration) {
        assert_lifetimes(&self.keys_under(prefix), longest);
    }
}

fn assert_lifetimes(keys: &[StoredKey], longest: Duration) {
    assert!(!keys.is_empty(), "nothing is stored");
    let stays = |key: &&StoredKey| key.lifetime.is_none_or(|lifetime| lifetime > longest);
    let staying: Vec<_> = keys.iter().filter(stays).collect();
    assert!(
        staying.is_empty(),
        "longer than {longest:?} stay {staying:#?}"
    );
}
