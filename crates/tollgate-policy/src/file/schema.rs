//! The JSON schema of policy files, for editors.

use serde_json::{Map, Value, json};

use super::field::{Field, Shape, TableShape};
use super::fields::FILE;

/// The JSON schema (draft 2020-12) of policy files: what editors complete and check by. A file that
/// is right by it may still be wrong by what it says.
#[must_use]
pub fn schema() -> String {
    let mut root = table(&FILE);
    root.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    root.insert("title".to_owned(), json!("Tollgate policy file"));
    let mut text = format!("{:#}", Value::Object(root));
    text.push('\n');
    text
}

fn table(shape: &TableShape) -> Map<String, Value> {
    let properties: Map<String, Value> = shape
        .fields
        .iter()
        .map(|field| (field.name.to_owned(), Value::Object(property(field))))
        .collect();
    let required: Vec<&str> = shape
        .fields
        .iter()
        .filter(|field| field.is_required)
        .map(|field| field.name)
        .collect();
    let mut table = Map::new();
    table.insert("type".to_owned(), json!("object"));
    table.insert("description".to_owned(), json!(shape.doc));
    table.insert("properties".to_owned(), Value::Object(properties));
    table.insert("additionalProperties".to_owned(), json!(false));
    if !required.is_empty() {
        table.insert("required".to_owned(), json!(required));
    }
    table
}

fn property(field: &Field) -> Map<String, Value> {
    let mut property = of(field.shape);
    let mut doc = field.doc.to_owned();
    let words = words(field.shape);
    if !words.is_empty() {
        doc.push_str("\n\n");
        doc.push_str(&words);
    }
    if !field.default.is_empty() {
        doc.push_str(&format!("\n\nDefault: {}.", field.default));
    }
    property.insert("description".to_owned(), json!(doc));
    property
}

/// The words of a field and their meanings.
pub(super) fn words(shape: Shape) -> String {
    match shape {
        Shape::Word(words) => {
            let lines: Vec<String> = words
                .iter()
                .map(|word| format!("* `{}`: {}", word.name, word.doc))
                .collect();
            lines.join("\n")
        }
        Shape::OneOrMany(item) | Shape::Many(item) => words(*item),
        Shape::AnyOf(shapes) => shapes.iter().map(|shape| words(*shape)).collect(),
        _ => String::new(),
    }
}

fn of(shape: Shape) -> Map<String, Value> {
    let value = match shape {
        Shape::Boolean => json!({ "type": ["boolean", "string"], "pattern": VARIABLE }),
        Shape::Integer { min, max } => json!({
            "type": ["integer", "string"],
            "minimum": min,
            "maximum": max,
            "pattern": VARIABLE,
        }),
        Shape::Word(words) => {
            let names: Vec<&str> = words.iter().map(|word| word.name).collect();
            json!({ "anyOf": [{ "enum": names }, { "type": "string", "pattern": VARIABLE }] })
        }
        Shape::Text(text) => match text.pattern() {
            Some(pattern) => json!({ "type": "string", "minLength": 1, "pattern": pattern }),
            None => json!({ "type": "string", "minLength": 1 }),
        },
        Shape::OneOrMany(item) => {
            let item = Value::Object(of(*item));
            json!({ "anyOf": [item, { "type": "array", "items": item }] })
        }
        Shape::Many(item) => json!({ "type": "array", "items": Value::Object(of(*item)) }),
        Shape::AnyOf(shapes) => {
            let all: Vec<Value> = shapes
                .iter()
                .map(|shape| Value::Object(of(*shape)))
                .collect();
            json!({ "anyOf": all })
        }
        Shape::Table(shape) => Value::Object(table(shape)),
        // The table in a table is what `client.ip = ...` without quotes is.
        Shape::Tests => json!({
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    { "type": "string", "minLength": 1 },
                    { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1 } },
                    { "type": "object" },
                ],
            },
        }),
    };
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// A text that holds a variable, which may stand for a value of another type.
const VARIABLE: &str = "\\$\\{";
