//! The report for programs.

use std::collections::BTreeSet;

use serde_json::Value;
use tollgate_replay::render::json;

use crate::fixtures;

#[test]
fn is_one_object_with_the_numbers_as_they_are() {
    for (name, report) in fixtures::all() {
        let text = json(&report);
        assert_eq!(text, json(&report), "{name}");
        assert!(text.ends_with("}\n"), "{name}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["version"], 1);
        assert_eq!(value["totals"]["denied"], report.totals.denied);
        assert_eq!(
            value["policies"].as_array().unwrap().len(),
            report.policies.len()
        );
    }
    let value: Value = serde_json::from_str(&json(&fixtures::extreme())).unwrap();
    assert_eq!(value["totals"]["requests"].as_u64(), Some(u64::MAX));
    for (key, name) in value["policies"][0]["worst"]
        .as_array()
        .unwrap()
        .iter()
        .zip(fixtures::NASTY)
    {
        assert_eq!(key["key"], name);
    }
}

/// The first fields of a file that is not read to its end.
#[test]
fn begins_with_what_tells_how_to_read_it() {
    let text = json(&fixtures::rich());
    assert!(
        text.starts_with("{\n  \"version\": 1,\n  \"complete\": true,\n"),
        "{text}"
    );
}

/// The page has a row for each field, and for nothing else.
#[test]
fn each_field_is_on_the_page_that_tells_them() {
    let page = include_str!("../../../../docs/replay-json.md");
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let told: BTreeSet<String> = rows.map(|(field, _)| field.to_owned()).collect();
    let mut fields = BTreeSet::new();
    for (_, report) in fixtures::all() {
        let value = serde_json::from_str(&json(&report)).unwrap();
        collect(&value, "", &mut fields);
    }
    assert_eq!(told, fields);
}

/// The paths of all fields: `policies[].name`.
fn collect(value: &Value, path: &str, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                collect(value, &path, fields);
                fields.insert(path);
            }
        }
        Value::Array(list) => {
            for value in list {
                collect(value, &format!("{path}[]"), fields);
            }
        }
        _ => {}
    }
}
