//! A file as values with their places: what the TOML parser found, in the order of the file.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::environment::{self, Environment};
use super::report::Report;
use super::text::Text;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(Text),
    Integer(i128),
    Fraction,
    Boolean(bool),
    Date,
    List(Vec<Node>),
    Table(Table),
    /// Something is wrong with it that has been reported.
    Broken,
}

/// Entries in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) entries: Vec<(Name, Node)>,
}

/// The name of an entry.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

impl Node {
    pub(super) fn of(
        value: &Spanned<DeValue<'_>>,
        source: &str,
        environment: &dyn Environment,
        report: &mut Report,
    ) -> Self {
        let span = value.span();
        let value = match value.get_ref() {
            DeValue::String(text) => {
                let text = Text::read(text, source, span.clone());
                let expanded = environment::expand(text, environment, report);
                expanded.map_or(Value::Broken, Value::Text)
            }
            DeValue::Integer(number) => {
                // A number that does not even fit is out of every bound.
                let parsed = i128::from_str_radix(number.as_str(), number.radix());
                Value::Integer(parsed.unwrap_or(i128::MAX))
            }
            DeValue::Float(_) => Value::Fraction,
            DeValue::Boolean(value) => Value::Boolean(*value),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(items) => Value::List(
                items
                    .iter()
                    .map(|item| Self::of(item, source, environment, report))
                    .collect(),
            ),
            DeValue::Table(table) => Value::Table(Table::of(table, source, environment, report)),
        };
        Self { span, value }
    }

    /// The type, with an article.
    pub(super) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "a text",
            Value::Integer(_) => "a number",
            Value::Fraction => "a number with a fraction",
            Value::Boolean(_) => "true or false",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Broken => "a value",
        }
    }

    /// The items of a list, or the value as the only one.
    pub(super) fn one_or_many(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    pub(super) const fn text(&self) -> Option<&Text> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) const fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// A whole number, also where a variable holds it.
    pub(super) fn integer(&self) -> Option<i128> {
        match &self.value {
            Value::Integer(number) => Some(*number),
            Value::Text(text) if text.is_expanded() => text.value().parse().ok(),
            _ => None,
        }
    }

    /// True or false, also where a variable holds it.
    pub(super) fn boolean(&self) -> Option<bool> {
        match &self.value {
            Value::Boolean(value) => Some(*value),
            Value::Text(text) if text.is_expanded() => text.value().parse().ok(),
            _ => None,
        }
    }
}

impl Table {
    pub(super) fn of(
        table: &DeTable<'_>,
        source: &str,
        environment: &dyn Environment,
        report: &mut Report,
    ) -> Self {
        let mut entries: Vec<(Name, Node)> = table
            .iter()
            .map(|(name, value)| {
                let node = Node::of(value, source, environment, report);
                let name = Name {
                    text: name.get_ref().to_string(),
                    span: name.span(),
                };
                (name, node)
            })
            .collect();
        entries.sort_by_key(|(name, _)| name.span.start);
        Self { entries }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        self.entries
            .iter()
            .find(|(known, _)| known.text == name)
            .map(|(_, node)| node)
    }
}
