use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Insert(u64, u64),
    Remove(usize),
    Write(usize, u64),
}

/// Identities that crowd: in the same home, at both ends, and with equal upper halves.
fn high() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        0..3_u64,
        (u64::MAX - 2)..=u64::MAX,
        (0..4_u64).prop_map(|sixteenth| sixteenth << 60),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (high(), 0..1000_u64).prop_map(|(high, low)| Step::Insert(high, low)),
        1 => any::<usize>().prop_map(Step::Remove),
        1 => (any::<usize>(), any::<u64>()).prop_map(|(which, state)| Step::Write(which, state)),
    ]
}

fn identity(high: u64, low: u64) -> Identity {
    Identity { high, low }
}

fn entries(table: &Table) -> Vec<u64> {
    (0..table.slots())
        .filter_map(|slot| table.get(slot).map(|entry| entry.high))
        .collect()
}

proptest! {
    #[test]
    fn holds_what_a_map_holds(steps in proptest::collection::vec(step(), 1..600)) {
        let mut table = Table::default();
        let mut map: BTreeMap<(u64, u64), u128> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Insert(high, low) if !map.contains_key(&(high, low)) => {
                    let slot = table.insert(Entry::new(identity(high, low), 7, u128::from(low)));
                    prop_assert_eq!(table.find(identity(high, low)), Some(slot));
                    map.insert((high, low), u128::from(low));
                }
                Step::Insert(high, low) => {
                    prop_assert!(table.find(identity(high, low)).is_some());
                }
                Step::Remove(which) => {
                    let Some(key) = map.keys().nth(which % map.len().max(1)).copied() else {
                        continue;
                    };
                    map.remove(&key);
                    let slot = table.find(identity(key.0, key.1)).unwrap();
                    table.remove(slot);
                    prop_assert_eq!(table.find(identity(key.0, key.1)), None);
                }
                Step::Write(which, state) => {
                    let Some(key) = map.keys().nth(which % map.len().max(1)).copied() else {
                        continue;
                    };
                    let state = u128::from(state) << 64 | u128::from(state / 3);
                    map.insert(key, state);
                    let slot = table.find(identity(key.0, key.1)).unwrap();
                    table.get_mut(slot).unwrap().set_state(state);
                }
            }
            prop_assert_eq!(table.len(), map.len());
        }
        for ((high, low), state) in &map {
            let slot = table.find(identity(*high, *low)).unwrap();
            let entry = table.get(slot).unwrap();
            prop_assert_eq!(entry.state(), *state);
            prop_assert_eq!(entry.limit(), 7);
        }
        let order: Vec<u64> = map.keys().map(|(high, _)| *high).collect();
        prop_assert_eq!(entries(&table), order);
    }
}

#[test]
fn stays_between_82_and_88_hundredths_full_while_it_grows() {
    let mut table = Table::default();
    let mut high = 0_u64;
    for count in 1..=20_000_usize {
        high = high.wrapping_add(0x9e37_79b9_7f4a_7c15);
        table.insert(Entry::new(identity(high, 1), 0, 1));
        if count > 1_000 {
            let homes = table.homes;
            assert!(count * 8 <= homes * 7 + 8, "{count} in {homes}");
            assert!(count * 100 >= homes * 82, "{count} in {homes}");
        }
    }
}

#[test]
fn an_entry_takes_32_bytes() {
    assert_eq!(size_of::<Entry>(), 32);
    assert_eq!(align_of::<Entry>(), 32);
}

#[test]
fn keeps_the_greatest_identity_apart_from_an_empty_slot() {
    let mut table = Table::default();
    let greatest = identity(u64::MAX, u64::MAX);
    assert_eq!(table.find(greatest), None);
    table.insert(Entry::new(greatest, 0, 5));
    assert!(table.find(greatest).is_some());
    assert_eq!(table.find(identity(u64::MAX, 3)), None);
}

#[test]
fn tells_identities_apart_by_each_kept_bit() {
    let mut table = Table::default();
    let one = identity(42, 0);
    table.insert(Entry::new(one, 0, 5));
    for bit in 0..KEPT_BITS {
        assert_eq!(table.find(identity(42, 1 << bit)), None);
    }
    for bit in 0..64 {
        assert_eq!(table.find(identity(42 ^ (1 << bit), 0)), None);
    }
}
