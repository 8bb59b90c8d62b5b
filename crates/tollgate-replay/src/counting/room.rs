//! How many more keys may be followed.

/// How many more keys may be followed. Each policy has a share of its own, of half of all, and takes
/// of the other half as it comes.
#[derive(Debug)]
pub(super) struct Room {
    common: usize,
    own: Vec<usize>,
}

impl Room {
    /// Room for some keys of so many policies, of which some are on.
    pub(super) fn new(keys: usize, policies: usize, on: usize) -> Self {
        Self {
            common: keys / 2,
            own: vec![keys.div_ceil(2) / on.max(1); policies],
        }
    }

    /// Takes the room of one more key, if there is any.
    pub(super) fn take(&mut self, policy: usize) -> bool {
        match self.own.get_mut(policy) {
            Some(own) if *own > 0 => *own -= 1,
            _ if self.common > 0 => self.common -= 1,
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_shared_but_for_a_part_that_each_policy_has_for_itself() {
        let mut room = Room::new(100, 3, 2);
        let takes = |room: &mut Room, policy| (0..1_000).filter(|_| room.take(policy)).count();
        assert_eq!(takes(&mut room, 0), 75);
        assert_eq!(takes(&mut room, 1), 25);
    }
}
