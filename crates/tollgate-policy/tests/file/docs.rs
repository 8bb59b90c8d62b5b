//! The guide, the reference in it, and the schema say what is so.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tollgate_policy::file::{PolicyFile, reference, schema};
use toml::de::{DeTable, DeValue};

use crate::golden::{environment, files};

const POLICY: &str = "\n[[policy]]\nname = \"any\"\nkey = [\"client.ip\"]\nlimits = [\"60/min\"]\n";

fn in_workspace(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The blocks of the guide: what follows the three backticks, and the text.
fn blocks(guide: &str) -> Vec<(&str, &str)> {
    let parts = guide.split("\n```").skip(1).step_by(2);
    parts.map(|block| block.split_once('\n').unwrap()).collect()
}

fn guide_environment(name: &str) -> Option<String> {
    let value = match name {
        "REDIS_PASSWORD" => "pw",
        "TOLLGATE_HASH_SECRET" => "0123456789abcdef",
        _ => return None,
    };
    Some(value.to_owned())
}

#[test]
fn the_examples_of_the_guide_are_right_and_wise() {
    let guide = fs::read_to_string(in_workspace("docs/policy-file.md")).unwrap();
    let mut count = 0;
    for (_, text) in blocks(&guide)
        .into_iter()
        .filter(|(kind, _)| *kind == "toml")
    {
        let policy = if text.contains("[[policy]]") {
            ""
        } else {
            POLICY
        };
        let text = format!("{text}\n{policy}");
        match PolicyFile::parse("guide.toml", &text, &guide_environment) {
            Ok(file) => assert!(file.warnings.is_empty(), "{}", file.warnings),
            Err(found) => panic!("{found}"),
        }
        count += 1;
    }
    assert!(count >= 11);
}

#[test]
fn the_errors_of_the_guide_are_what_is_said() {
    let guide = fs::read_to_string(in_workspace("docs/policy-file.md")).unwrap();
    let blocks = blocks(&guide);
    let mut pairs = blocks
        .windows(2)
        .filter(|pair| pair[0].0 == "toml wrong")
        .peekable();
    assert!(pairs.peek().is_some());
    for pair in pairs {
        let said = PolicyFile::parse("tollgate.toml", pair[0].1, &guide_environment).unwrap_err();
        assert_eq!(said.to_string().trim_end(), pair[1].1);
    }
}

#[test]
fn the_limits_of_the_guide_are_limits() {
    let guide = fs::read_to_string(in_workspace("docs/policy-file.md")).unwrap();
    let rows = guide.lines().filter_map(|line| line.strip_prefix("| `\""));
    let limits: Vec<&str> = rows
        .filter_map(|row| row.split_once("\"`"))
        .map(|(limit, _)| limit)
        .filter(|limit| limit.contains('/'))
        .collect();
    assert!(limits.len() >= 6);
    for limit in limits {
        assert!(limit.parse::<tollgate::Limit>().is_ok(), "{limit}");
    }
}

/// Compares a file with what a function writes, or writes it.
fn assert_current(path: &str, current: &str) {
    let path = in_workspace(path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, current).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == current,
        "{} is not what the fields say; write it anew with\n    UPDATE_GOLDEN=1 cargo test -p tollgate-policy --features file --test file docs\nand read what has changed",
        path.display()
    );
}

#[test]
fn the_schema_is_current() {
    assert_current("schema/tollgate.schema.json", &schema());
}

#[test]
fn the_reference_is_current() {
    let guide = fs::read_to_string(in_workspace("docs/policy-file.md")).unwrap();
    let (before, rest) = guide.split_once("<!-- reference: begin").unwrap();
    let (mark, rest) = rest.split_once("-->\n").unwrap();
    let (_, after) = rest.split_once("<!-- reference: end -->").unwrap();
    let reference = reference();
    let current = format!(
        "{before}<!-- reference: begin{mark}-->\n\n{reference}<!-- reference: end -->{after}"
    );
    assert_current("docs/policy-file.md", &current);
}

/// The names of a table of a Cargo.toml.
fn names<'t>(manifest: &'t DeTable<'_>, table: &str) -> Vec<&'t str> {
    let table = manifest
        .get(table)
        .and_then(|table| table.get_ref().as_table());
    let names = table.into_iter().flat_map(DeTable::keys);
    names.map(|name| name.get_ref().as_ref()).collect()
}

#[test]
fn every_feature_of_every_published_crate_is_told() {
    let page = fs::read_to_string(in_workspace("docs/features.md")).unwrap();
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `tollgate"));
    let mut told: Vec<String> = rows
        .map(|row| row.split('|').take(2).collect::<Vec<_>>().join("|"))
        .map(|row| format!("tollgate{}", row.replace(['`', ' '], "")))
        .collect();
    let mut all = Vec::new();
    for entry in fs::read_dir(in_workspace("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let text = fs::read_to_string(&path).unwrap();
        let manifest = DeTable::parse(&text).unwrap();
        let manifest = manifest.get_ref();
        if names(manifest, "package").contains(&"publish") {
            continue;
        }
        let package = manifest
            .get("package")
            .and_then(|table| table.get_ref().as_table());
        let name = package.unwrap().get("name").unwrap().get_ref();
        let name = name.as_str().unwrap();
        all.push(format!("{name}|"));
        let features = names(manifest, "features");
        let features = features.iter().filter(|feature| **feature != "default");
        all.extend(features.map(|feature| format!("{name}|{feature}")));
    }
    told.sort_unstable();
    all.sort_unstable();
    assert_eq!(told, all);
}

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => Value::from(number.as_str().parse::<i64>().unwrap()),
        DeValue::Boolean(value) => Value::from(*value),
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => object(table),
        DeValue::Float(_) | DeValue::Datetime(_) => Value::Null,
    }
}

fn object(table: &DeTable<'_>) -> Value {
    let entries = table.iter();
    let entries = entries.map(|(name, value)| (name.get_ref().to_string(), json(value.get_ref())));
    Value::Object(entries.collect())
}

/// Where a value does not fit a schema: the words that ours uses, but patterns.
fn misfit(schema: &Value, value: &Value) -> Option<String> {
    let Value::Object(words) = schema else {
        panic!("a schema is an object");
    };
    for (word, argument) in words {
        let fits = match word.as_str() {
            "type" => {
                let types = match argument {
                    Value::Array(types) => types.clone(),
                    one => vec![one.clone()],
                };
                types
                    .iter()
                    .any(|name| is_of_type(value, name.as_str().unwrap()))
            }
            "enum" => argument.as_array().unwrap().contains(value),
            "anyOf" => {
                let mut all = argument.as_array().unwrap().iter();
                all.any(|schema| misfit(schema, value).is_none())
            }
            "minimum" => value
                .as_i64()
                .is_none_or(|number| number >= argument.as_i64().unwrap()),
            "maximum" => value
                .as_i64()
                .is_none_or(|number| number <= argument.as_i64().unwrap()),
            "minLength" => value.as_str().is_none_or(|text| !text.is_empty()),
            "minItems" => value.as_array().is_none_or(|items| !items.is_empty()),
            "items" => {
                let items = value.as_array().into_iter().flatten();
                let mut wrong = items.filter_map(|item| misfit(argument, item));
                if let Some(wrong) = wrong.next() {
                    return Some(wrong);
                }
                true
            }
            "required" => {
                let mut names = argument.as_array().unwrap().iter();
                names.all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "properties" | "additionalProperties" => {
                let properties = &schema["properties"];
                for (name, value) in value.as_object().into_iter().flatten() {
                    let known = properties.get(name);
                    let schema = match (word.as_str(), known) {
                        ("properties", Some(schema)) => schema,
                        ("additionalProperties", None) if argument == &Value::Bool(false) => {
                            return Some(format!("{name} is unknown"));
                        }
                        ("additionalProperties", None) => argument,
                        _ => continue,
                    };
                    if let Some(wrong) = misfit(schema, value) {
                        return Some(format!("{name}: {wrong}"));
                    }
                }
                true
            }
            // That a value comes from a variable; other patterns are left to editors.
            "pattern" if argument == "\\$\\{" => {
                value.as_str().is_none_or(|text| text.contains("${"))
            }
            "pattern" | "description" | "title" | "$schema" => true,
            other => panic!("{other} is not checked"),
        };
        if !fits {
            return Some(format!("{word} {argument} does not hold for {value}"));
        }
    }
    None
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64(),
        other => panic!("{other} is not a type that is checked"),
    }
}

#[test]
fn what_is_right_fits_the_schema() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let all = ["right", "warned"].into_iter().flat_map(files);
    for path in all {
        let text = fs::read_to_string(&path).unwrap();
        assert!(PolicyFile::parse("x", &text, &environment).is_ok());
        let value = object(DeTable::parse(&text).unwrap().get_ref());
        assert_eq!(misfit(&schema, &value), None, "{}", path.display());
    }
}

#[test]
fn unknown_fields_and_wrong_types_do_not_fit_the_schema() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    for name in [
        "unknown-table",
        "policy-with-one-bracket",
        "policy-unknown-fields",
        "policy-words",
        "store-timeout-number",
        "client-prefix",
        "limit-number",
        "cost-forms",
        "policy-without-anything",
        "only-comments",
    ] {
        let path = files("wrong")
            .into_iter()
            .find(|path| path.ends_with(format!("{name}.toml")));
        let text = fs::read_to_string(path.unwrap()).unwrap();
        let value = object(DeTable::parse(&text).unwrap().get_ref());
        assert!(misfit(&schema, &value).is_some(), "{name}");
    }
}
