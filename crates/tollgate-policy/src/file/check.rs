//! Whether a table has the fields that it may have, with values of their types.

mod value;

use std::ops::Range;
use std::time::Duration;

use super::document::{Name, Node, Table, Value};
use super::duration;
use super::field::{Field, TableShape};
use super::fields::TWO_BRACKETS;
use super::report::Report;
use super::suggestion::{alternatives, nearest};
use super::text::Text;
use value::is_right;

/// The fields of a table, of which the wrong ones have been reported.
#[derive(Debug)]
pub(super) struct Fields<'n> {
    span: Range<usize>,
    entries: Vec<Entry<'n>>,
    /// Fields that are probably meant by names which are not fields.
    meant: Vec<&'static str>,
}

#[derive(Debug)]
struct Entry<'n> {
    name: &'n Name,
    node: &'n Node,
    is_right: bool,
}

impl<'n> Fields<'n> {
    /// Checks a table; what it lacks is reported at `span`.
    pub(super) fn check(
        table: &'n Table,
        span: Range<usize>,
        shape: &'static TableShape,
        report: &mut Report,
    ) -> Self {
        let mut fields = Self {
            span,
            entries: Vec::with_capacity(table.entries.len()),
            meant: Vec::new(),
        };
        for (name, node) in &table.entries {
            match shape.field(&name.text) {
                Some(field) => fields.entries.push(Entry {
                    name,
                    node,
                    is_right: is_right(node, field.shape, field, report),
                }),
                None => fields.meant.extend(unknown(name, shape, table, report)),
            }
        }
        for field in shape.fields {
            if field.is_required && !fields.has(field.name) {
                missing(&fields.span, field, shape, report);
            }
        }
        fields
    }

    /// Where the table stands.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether a field is there, right or wrong, or under a name that is nearly its own.
    pub(super) fn has(&self, name: &str) -> bool {
        self.is_written(name) || self.meant.contains(&name)
    }

    /// Whether a field is there, right or wrong.
    pub(super) fn is_written(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// Whether a field is a list.
    pub(super) fn is_list(&self, name: &str) -> bool {
        self.entry(name)
            .is_some_and(|entry| matches!(entry.node.value, Value::List(_)))
    }

    /// The items of a field that is a value or a list of them, also where some have been reported.
    pub(super) fn items(&self, name: &str) -> &'n [Node] {
        self.entry(name)
            .map_or(&[], |entry| entry.node.one_or_many())
    }

    /// The texts among the items of a field, without those that have been reported for being
    /// empty.
    pub(super) fn texts(&self, name: &str) -> impl Iterator<Item = &'n Text> {
        let texts = self.items(name).iter().filter_map(Node::text);
        texts.filter(|text| !text.value().is_empty())
    }

    /// The value of a field, if it is of a right type.
    pub(super) fn node(&self, name: &str) -> Option<&'n Node> {
        self.entry(name)
            .filter(|entry| entry.is_right)
            .map(|entry| entry.node)
    }

    /// Where the value of a field stands; if there is none, where the table does.
    pub(super) fn span_of(&self, name: &str) -> Range<usize> {
        self.entry(name)
            .map_or_else(|| self.span(), |entry| entry.node.span.clone())
    }

    /// Where the name of a field stands.
    pub(super) fn span_of_name(&self, name: &str) -> Range<usize> {
        self.entry(name)
            .map_or_else(|| self.span(), |entry| entry.name.span.clone())
    }

    pub(super) fn text(&self, name: &str) -> Option<&'n Text> {
        self.node(name).and_then(Node::text)
    }

    /// Whether it is there, and true.
    pub(super) fn is_true(&self, name: &str) -> bool {
        self.node(name).and_then(Node::boolean) == Some(true)
    }

    /// A number within the bounds of its shape.
    pub(super) fn integer<N: TryFrom<i128>>(&self, name: &str) -> Option<N> {
        let number = self.node(name)?.integer()?;
        N::try_from(number).ok()
    }

    /// A time from `least` to `most`; another one is reported.
    pub(super) fn duration(
        &self,
        name: &str,
        least: Duration,
        most: Duration,
        report: &mut Report,
    ) -> Option<Duration> {
        let text = self.text(name)?;
        duration::read(text, name, least, most, report)
    }

    fn entry(&self, name: &str) -> Option<&Entry<'n>> {
        self.entries.iter().find(|entry| entry.name.text == name)
    }
}

fn missing(span: &Range<usize>, field: &Field, shape: &TableShape, report: &mut Report) {
    let (name, example) = (field.name, field.example);
    if name == "policy" {
        report
            .missing(span.clone(), "the file has no policy, so that nothing would be limited")
            .help("add one: `[[policy]]`, and below it `name = \"api\"`, `key = [\"client.ip\"]` and `limits = [\"60/min\"]`");
        return;
    }
    report
        .missing(
            span.clone(),
            format!("{} has no `{name}`", in_code(shape.name)),
        )
        .help(format!("add one, such as `{name} = {example}`"));
}

/// Reports a name that is no field, and gives the field that was probably meant.
fn unknown(
    name: &Name,
    shape: &'static TableShape,
    table: &Table,
    report: &mut Report,
) -> Option<&'static str> {
    if report.has_enough_errors() {
        // Words are looked for no more, only counted.
        report.error(name.span.clone(), "");
        return None;
    }
    let message = if shape.name == "the file" {
        format!(
            "a policy file has no {} at its top",
            report.quoted_name(&name.text, &name.span)
        )
    } else {
        format!(
            "{} is not a field of {}",
            report.quoted_name(&name.text, &name.span),
            in_code(shape.name)
        )
    };
    let names = || shape.fields.iter().map(|field| field.name);
    let mut instead = shape.instead.iter();
    let instead = instead.find(|(word, _)| *word == name.text);
    let meant = match instead {
        // What it says to write instead begins with a field, in backticks.
        Some((_, help)) => help
            .split(['`', ' ', '[', ']'])
            .find(|word| names().any(|name| name == *word)),
        None => nearest(names(), &name.text),
    };
    let help = match (instead, meant) {
        (None, Some("policy")) => TWO_BRACKETS.to_owned(),
        (_, Some(meant))
            if table.get(meant).is_some() && nearest([meant], &name.text).is_some() =>
        {
            format!("`{meant}` is here already; remove one of both")
        }
        (Some((_, help)), _) => (*help).to_owned(),
        (None, Some(meant)) => format!("did you mean `{meant}`?"),
        (None, None) => format!(
            "it may hold {}",
            alternatives(names()).replace(" or ", " and ")
        ),
    };
    report.error(name.span.clone(), message).help(help);
    meant
}

fn in_code(name: &str) -> String {
    if name.starts_with('[') {
        format!("`{name}`")
    } else {
        name.to_owned()
    }
}
