use std::collections::HashSet;

use proptest::prelude::*;
use tollgate_core::Limit;

use super::*;

fn limit(text: &str) -> LimitId {
    text.parse::<Limit>().unwrap().id()
}

#[test]
fn is_the_same_for_the_same_count_in_one_store_and_another_in_another_store() {
    let (one, two) = (Identifier::random(), Identifier::random());
    let id = limit("10/min");
    for key in [
        "",
        "a",
        "198.51.100.7",
        "seven__",
        "eight___",
        &"x".repeat(300),
    ] {
        assert_eq!(one.identity(id, "auth", key), one.identity(id, "auth", key));
        assert_ne!(one.identity(id, "auth", key), two.identity(id, "auth", key));
    }
}

/// Case B53: parts are never joined so that different ones agree.
#[test]
fn tells_every_split_of_the_same_bytes_apart() {
    let identifier = Identifier::random();
    let id = limit("10/min");
    for text in ["user@example.comtest", &"ab".repeat(150), &"\0".repeat(40)] {
        let identities: HashSet<_> = (0..=text.len())
            .map(|at| {
                let (policy, key) = text.split_at(at);
                let identity = identifier.identity(id, policy, key);
                (identity.high, identity.low)
            })
            .collect();
        assert_eq!(identities.len(), text.len() + 1);
    }
}

#[test]
fn tells_texts_of_zeros_apart_by_their_length() {
    let identifier = Identifier::random();
    let identities: HashSet<_> = (0..600)
        .map(|length| {
            identifier
                .identity(limit("1/s"), "", &"\0".repeat(length))
                .high
        })
        .collect();
    assert_eq!(identities.len(), 600);
}

#[test]
fn tells_limits_of_other_periods_and_algorithms_apart_and_not_of_other_units() {
    let identifier = Identifier::random();
    let of = |text| identifier.identity(limit(text), "auth", "198.51.100.7");
    assert_eq!(of("10/min"), of("20/min burst 3"));
    let texts = [
        "10/min",
        "10/h",
        "10/min fixed-window",
        "10/min fixed-window anchor first-request",
        "10/min sliding-window",
        "10/min sliding-log",
    ];
    let identities: HashSet<_> = texts.into_iter().map(|text| of(text).high).collect();
    assert_eq!(identities.len(), texts.len());
}

#[test]
fn spreads_neighbouring_keys_over_all_shards() {
    let identifier = Identifier::random();
    let id = limit("10/min");
    let mut counts = [0_u32; 64];
    for number in 0..64_000 {
        let identity = identifier.identity(id, "auth", &format!("user:{number:06}"));
        counts[identity.shard(64)] += 1;
    }
    // A thousand each; eight standard deviations are about 250.
    assert!(
        counts.iter().all(|count| (750..1_250).contains(count)),
        "{counts:?}"
    );
}

proptest! {
    #[test]
    fn changes_with_any_byte(text in "\\PC{1,80}", at in any::<prop::sample::Index>(), bit in 0..7_u32) {
        let identifier = Identifier::random();
        let id = limit("10/min");
        let mut bytes = text.clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(changed) = String::from_utf8(bytes) {
            let (one, two) = (identifier.identity(id, "p", &text), identifier.identity(id, "p", &changed));
            prop_assert!(one.high != two.high && one.low != two.low);
        }
    }
}
