//! What the keys of a policy saw that were denied.

use tollgate::Micros;

use crate::instant::seconds;
use crate::report::Obeying;

/// The denials of each key that has any.
#[derive(Debug, Default)]
pub(crate) struct Denials {
    all: Vec<Denial>,
    /// Places of keys that are no longer followed.
    free: Vec<u32>,
    obeying: Waits,
}

/// The denials of one key.
#[derive(Debug)]
pub(crate) struct Denial {
    /// The number of the key.
    pub(crate) key: u32,
    /// The key as the policy writes it.
    pub(crate) text: Box<str>,
    pub(crate) denied: u64,
    /// In microseconds.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// Until when it was told to wait.
    until: u64,
    pub(crate) obeying: Waits,
}

/// What clients would have seen that obey `Retry-After`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waits {
    told: u64,
    held_back: u64,
    /// In microseconds.
    waited: u64,
    longest: u64,
}

impl Denials {
    /// Begins the denials of a key, and gives their number plus one.
    pub(super) fn begin(&mut self, key: u32, text: &str) -> u32 {
        let denial = Denial {
            key,
            text: text.into(),
            denied: 0,
            first: 0,
            last: 0,
            until: 0,
            obeying: Waits::default(),
        };
        if let Some(number) = self.free.pop()
            && let Some(free) = place(&mut self.all, number)
        {
            *free = denial;
            return number;
        }
        self.all.push(denial);
        u32::try_from(self.all.len()).unwrap_or(u32::MAX)
    }

    /// Counts a denial of the key whose denials have a number plus one. A wait is what the client is
    /// told; there is none if waiting does not help.
    pub(super) fn deny(&mut self, number: u32, at: u64, retry_after: Option<Micros>) {
        let Some(denial) = place(&mut self.all, number) else {
            return;
        };
        if denial.denied == 0 {
            denial.first = at;
        }
        denial.denied += 1;
        denial.last = at;
        if at < denial.until {
            denial.obeying.held_back += 1;
            self.obeying.held_back += 1;
            return;
        }
        let wait = retry_after.map_or(0, Micros::as_micros);
        denial.until = at.saturating_add(wait);
        denial.obeying.tell(wait);
        self.obeying.tell(wait);
    }

    /// Forgets a key: what it added to the sum stays.
    pub(super) fn forget(&mut self, number: u32) {
        if let Some(denial) = place(&mut self.all, number) {
            denial.denied = 0;
            denial.text = Box::default();
            self.free.push(number);
        }
    }

    pub(super) fn count(&self) -> u64 {
        u64::try_from(self.all.len() - self.free.len()).unwrap_or(u64::MAX)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Denial> {
        self.all.iter().filter(|denial| denial.denied > 0)
    }

    /// All keys together.
    pub(crate) const fn obeying(&self) -> Waits {
        self.obeying
    }
}

impl Waits {
    fn tell(&mut self, wait: u64) {
        self.told += 1;
        self.waited = self.waited.saturating_add(wait);
        self.longest = self.longest.max(wait);
    }

    pub(crate) fn report(self) -> Obeying {
        Obeying {
            told: self.told,
            held_back: self.held_back,
            waited: seconds(self.waited),
            longest_wait: seconds(self.longest),
        }
    }
}

fn place(all: &mut [Denial], number: u32) -> Option<&mut Denial> {
    all.get_mut(usize::try_from(number.checked_sub(1)?).ok()?)
}
