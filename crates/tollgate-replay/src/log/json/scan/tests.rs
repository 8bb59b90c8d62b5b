//! The scan agrees with a strict reader of JSON where that one reads a line, and never panics.

use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::Value as Strict;

use super::*;

/// The value as a strict reader has it.
fn strict(value: Value<'_, '_>) -> Strict {
    match value.kind() {
        Kind::Null => Strict::Null,
        Kind::Text => Strict::String(value.text().unwrap().to_str().unwrap().into_owned()),
        Kind::Bare => serde_json::from_slice(&value.text().unwrap().bytes()).unwrap(),
        Kind::List => value.members().map(|(_, value)| strict(value)).collect(),
        Kind::Object => {
            let name = |name: Text<'_>| name.to_str().map(Cow::into_owned).unwrap();
            let members = value.members();
            Strict::Object(members.map(|(n, value)| (name(n), strict(value))).collect())
        }
    }
}

fn json() -> impl Strategy<Value = Strict> {
    let leaf = prop_oneof![
        Just(Strict::Null),
        any::<bool>().prop_map(Strict::from),
        any::<i64>().prop_map(Strict::from),
        any::<f64>().prop_map(Strict::from),
        any::<String>().prop_map(Strict::from),
    ];
    leaf.prop_recursive(4, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Strict::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| Strict::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn reads_what_a_strict_reader_reads(
        members in prop::collection::btree_map(any::<String>(), json(), 0..6),
        pretty: bool,
    ) {
        let value = Strict::Object(members.into_iter().collect());
        let line = if pretty {
            serde_json::to_vec_pretty(&value).unwrap()
        } else {
            serde_json::to_vec(&value).unwrap()
        };
        let mut nodes = Nodes::default();
        // Not the value that was written: the strict reader rounds some numbers.
        let expected: Strict = serde_json::from_slice(&line).unwrap();
        prop_assert_eq!(strict(read(&line, &mut nodes).unwrap()), expected);
    }

    #[test]
    fn never_panics_and_accepts_what_a_strict_reader_accepts(
        line in "[{}\\[\\]:,\"\\\\a-fnu0-9 .eE+-]{0,40}",
    ) {
        let line = format!("{{{line}");
        let mut nodes = Nodes::default();
        let read = read(line.as_bytes(), &mut nodes);
        if let Ok(value) = serde_json::from_str::<Strict>(&line) {
            prop_assert_eq!(strict(read.unwrap()), value);
        }
    }

    #[test]
    fn never_panics_on_bytes(bytes: Vec<u8>) {
        let line = [&b"{\""[..], &bytes].concat();
        let _ = read(&line, &mut Nodes::default());
        let _ = read(&bytes, &mut Nodes::default());
    }

    #[test]
    fn a_line_that_was_cut_is_unfinished(value in json(), at: prop::sample::Index) {
        let line = serde_json::json!({ "a": value, "b": null }).to_string();
        let line = &line.as_bytes()[..at.index(line.len())];
        let reason = read(line, &mut Nodes::default()).unwrap_err();
        let expected = if line.is_empty() { Reject::Json } else { Reject::Unfinished };
        // A word that was cut is nothing that JSON knows, unless the line ends there.
        prop_assert_eq!(reason, expected);
    }
}

#[test]
fn accepts_what_hand_written_formats_leave() {
    let line = br#"{"a":,"b":-,"c":000,"d":"\x22","e":"x	y","f":.5,"g":}"#;
    let mut nodes = Nodes::default();
    let value = read(line, &mut nodes).unwrap();
    let text = |name| {
        value
            .get(name)
            .unwrap()
            .text()
            .map(|text| text.to_str().unwrap())
    };
    for null in ["a", "b", "g"] {
        assert_eq!(text(null), None);
    }
    assert_eq!(text("c").unwrap(), "000");
    assert_eq!(text("d").unwrap(), "\"");
    assert_eq!(text("e").unwrap(), "x\ty");
    assert_eq!(text("f").unwrap(), ".5");
}

// T29
#[test]
fn the_last_of_several_members_with_one_name_counts() {
    let mut nodes = Nodes::default();
    let value = read(br#"{"a":1,"b":{"a":9},"\u0061":2}"#, &mut nodes).unwrap();
    assert!(value.get("a").unwrap().text().unwrap().is("2"));
    assert!(value.get("c").is_none());
    assert!(value.get("a").unwrap().get("a").is_none());
}

#[test]
fn refuses_what_is_no_object() {
    for line in [
        "",
        "[]",
        "1",
        "{}x",
        "{1:2}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{,}",
        "{\"a\":what}",
        "{]",
        "{\"a\":[1}",
        "{} {}",
    ] {
        let reason = read(line.as_bytes(), &mut Nodes::default()).unwrap_err();
        assert_eq!(reason, Reject::Json, "{line}");
    }
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    let reason = read(deep.as_bytes(), &mut Nodes::default()).unwrap_err();
    assert_eq!(reason, Reject::Json);
}
