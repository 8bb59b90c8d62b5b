//! The reference of all fields, for people.

use std::fmt::Write as _;

use super::field::TableShape;
use super::fields::{CLIENT, COST, POLICY, RESPONSE, STORE, TIER};
use super::schema::words;

/// Every field with its meaning, default, bounds, cost and danger, as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut text = String::new();
    for (title, shape) in [
        ("`[store]`", &STORE),
        ("`[client]`", &CLIENT),
        ("`[response]`", &RESPONSE),
        ("`[[policy]]`", &POLICY),
        ("A tier", &TIER),
        ("A cost from an attribute", &COST),
    ] {
        table(&mut text, title, shape);
    }
    text
}

fn table(text: &mut String, title: &str, shape: &TableShape) {
    // Writing to a string does not fail.
    let _ = write!(text, "### {title}\n\n");
    wrap(text, shape.doc);
    for field in shape.fields {
        let default = match (field.default, field.is_required) {
            (_, true) => "required".to_owned(),
            ("", false) => String::new(),
            (default, false) if is_code(default) => format!("default `{default}`"),
            (default, false) => format!("default: {default}"),
        };
        let note = if default.is_empty() {
            String::new()
        } else {
            format!(" ({default})")
        };
        let example = format!("For example `{} = {}`.", field.name, field.example);
        wrap(
            text,
            &format!("**`{}`**{note}. {} {example}", field.name, field.doc),
        );
        let words = words(field.shape);
        if !words.is_empty() {
            let _ = write!(text, "{words}\n\n");
        }
    }
}

/// True for what is written in a file, not in words.
pub(super) fn is_code(default: &str) -> bool {
    default.starts_with(['"', '['])
        || default.starts_with(|c: char| c.is_ascii_digit())
        || default == "false"
}

/// Writes a paragraph in lines of at most 120 characters.
fn wrap(text: &mut String, paragraph: &str) {
    const WIDTH: usize = 120;
    let mut width = 0;
    for word in paragraph.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push_str("\n\n");
}
