//! Identifiers of requests that were seen lately, to know the ones that are logged twice.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of identifiers that are remembered: this many at least, twice as many at most.
const REMEMBERED: usize = 250_000;

/// Identifiers of requests that were seen lately, in any log that was opened with the same options:
/// a delivery that is repeated comes as another file. Memory is bounded.
#[derive(Clone, Default)]
pub(crate) struct Recent(Arc<Mutex<Generations>>);

/// A line: the name of its log, hashed, and its number. A log that is read a second time does not
/// repeat itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) log: u64,
    pub(crate) line: u64,
}

struct Generations {
    remembered: usize,
    hasher: RandomState,
    new: HashMap<u64, Origin>,
    old: HashMap<u64, Origin>,
}

/// Without the identifiers, which are many.
impl fmt::Debug for Recent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recent").finish_non_exhaustive()
    }
}

impl Default for Generations {
    fn default() -> Self {
        Self {
            remembered: REMEMBERED,
            hasher: RandomState::new(),
            new: HashMap::new(),
            old: HashMap::new(),
        }
    }
}

impl Recent {
    /// The name of a log, as origins have it.
    pub(crate) fn log(&self, name: &str) -> u64 {
        let generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        generations.hasher.hash_one(name)
    }

    /// True if another line has had this identifier lately.
    pub(crate) fn is_repeated(&self, identifier: &[u8], origin: Origin) -> bool {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Generations {
            remembered,
            hasher,
            new,
            old,
        } = &mut *generations;
        let hash = hasher.hash_one(identifier);
        if let Some(first) = new.get(&hash).or_else(|| old.get(&hash)) {
            return *first != origin;
        }
        if new.len() >= *remembered {
            std::mem::swap(new, old);
            new.clear();
        }
        new.insert(hash, origin);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_repeated_by_another_line_only() {
        let recent = Recent::default();
        let origin = |log, line| Origin { log, line };
        assert!(!recent.is_repeated(b"a", origin(1, 1)));
        assert!(!recent.is_repeated(b"b", origin(1, 2)));
        assert!(recent.is_repeated(b"a", origin(1, 3)));
        assert!(recent.is_repeated(b"a", origin(2, 1)));
        assert!(!recent.is_repeated(b"a", origin(1, 1)), "read again");
    }

    #[test]
    fn memory_is_bounded_and_what_is_recent_is_known() {
        let remembered = 1_000;
        let recent = Recent(Arc::new(Mutex::new(Generations {
            remembered,
            ..Generations::default()
        })));
        let repeated = |number: usize| {
            let line = u64::try_from(number).unwrap();
            recent.is_repeated(&number.to_le_bytes(), Origin { log: 1, line })
        };
        let many = 3 * remembered;
        for number in 0..many {
            assert!(!repeated(number));
        }
        let generations = recent.0.lock().unwrap();
        assert!(generations.new.len() + generations.old.len() <= 2 * remembered);
        drop(generations);
        let other = Origin { log: 2, line: 0 };
        assert!(recent.is_repeated(&(many - remembered).to_le_bytes(), other));
    }
}
