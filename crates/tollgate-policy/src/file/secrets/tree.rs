//! Secrets among the values that the parser found, by the names that they stand under.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::url::{in_url, passwords};
use super::{Secrets, is_url_name, is_variable};
use crate::file::fields;
use crate::file::text::Text;
use crate::secret_names::{sounds_secret, sounds_secret_or_key};

/// Longer names are none of attributes.
const LONGEST: usize = 256;

/// What the names above a value tell of it.
#[derive(Clone, Default)]
struct Above {
    is_secret: bool,
    is_url: bool,
    /// Whether it is in the table of the store, or in none.
    may_be_url: bool,
    /// The name of an attribute as far as it goes, in a condition.
    attribute: Option<String>,
}

impl Above {
    fn below(&self, name: &str, is_top: bool) -> Self {
        let attribute = match &self.attribute {
            Some(above) if above.is_empty() => Some(start_of(name).to_owned()),
            Some(above) => Some(start_of(&format!("{above}.{}", start_of(name))).to_owned()),
            None if matches!(name, "match" | "except" | "when") => Some(String::new()),
            None => None,
        };
        let is_secret_attribute = attribute.as_deref().is_some_and(is_secret_attribute);
        Self {
            is_secret: sounds_secret(name)
                || is_secret_attribute
                // A policy may be a table that is named for what it guards.
                || self.is_secret && !fields::is_known(name),
            is_url: self.is_url || is_url_name(name),
            may_be_url: is_top && !fields::is_known(name) || name == "store" || self.may_be_url,
            attribute,
        }
    }
}

/// Whether the values of what is tested may be secrets, also if it is no right name of an attribute.
fn is_secret_attribute(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_of_client = ["header", "query", "param"]
        .iter()
        .any(|group| lower.contains(group));
    sounds_secret(name) || is_of_client && sounds_secret_or_key(name)
}

fn start_of(name: &str) -> &str {
    let mut end = name.len().min(LONGEST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.get(..end).unwrap_or("")
}

/// Adds the secrets of a file.
pub(super) fn find(root: &DeTable<'_>, text: &str, found: &mut Secrets) {
    for (name, value) in root {
        let above = Above::default().below(name.get_ref(), true);
        in_name(name.get_ref(), name.span(), text, found);
        in_value(value, &above, text, found);
    }
}

fn in_value(value: &Spanned<DeValue<'_>>, above: &Above, text: &str, found: &mut Secrets) {
    let span = value.span();
    match value.get_ref() {
        DeValue::Array(items) => items
            .iter()
            .for_each(|item| in_value(item, above, text, found)),
        DeValue::Table(table) => {
            for (name, value) in table {
                in_name(name.get_ref(), name.span(), text, found);
                in_value(value, &above.below(name.get_ref(), false), text, found);
            }
        }
        DeValue::String(value) if above.is_secret && is_variable(value) => {}
        DeValue::String(value) if above.is_secret => {
            found.push_secret(inside(text, span), value);
        }
        DeValue::String(value) => {
            let may_be_url =
                above.is_url || value.contains("://") || above.may_be_url && value.contains('@');
            if may_be_url {
                in_text(value, span, text, found);
            }
        }
        _ if above.is_secret => {
            let raw = text.get(span.clone()).unwrap_or("");
            found.push_secret(span, raw);
        }
        _ => {}
    }
}

/// A URL may stand where a name must.
fn in_name(name: &str, span: Range<usize>, text: &str, found: &mut Secrets) {
    if name.contains("://") {
        in_text(name, span, text, found);
    }
}

fn in_text(value: &str, span: Range<usize>, text: &str, found: &mut Secrets) {
    let place = Text::read(value, text, span);
    found.spans.extend(
        in_url(value)
            .into_iter()
            .map(|secret| place.span_of(secret)),
    );
    for password in passwords(value) {
        found.hide(password);
    }
}

/// Where a text stands inside its quotes.
fn inside(text: &str, span: Range<usize>) -> Range<usize> {
    let raw = text.get(span.clone()).unwrap_or("");
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let quote = quotes
        .into_iter()
        .find(|quote| raw.starts_with(quote))
        .unwrap_or("");
    let is_closed = raw.len() >= 2 * quote.len() && raw.ends_with(quote);
    let end = if is_closed {
        span.end - quote.len()
    } else {
        span.end
    };
    span.start + quote.len()..end
}
