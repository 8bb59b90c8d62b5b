//! Whether a table has the fields that it may have, with values of their types.

use std::ops::Range;
use std::time::Duration;

use super::document::{Name, Node, Table, Value};
use super::duration;
use super::field::{Field, Shape, TableShape, TextShape, Word};
use super::report::Report;
use super::suggestion::{alternatives, nearest, quoted};
use super::text::Text;

/// The fields of a table, of which the wrong ones have been reported.
#[derive(Debug)]
pub(super) struct Fields<'n> {
    span: Range<usize>,
    entries: Vec<Entry<'n>>,
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
        let mut entries = Vec::with_capacity(table.entries.len());
        for (name, node) in &table.entries {
            match shape.field(&name.text) {
                Some(field) => entries.push(Entry {
                    name,
                    node,
                    is_right: is_right(node, field.shape, field, report),
                }),
                None => unknown(name, shape, table, report),
            }
        }
        let fields = Self { span, entries };
        for field in shape.fields {
            if field.is_required && !fields.has(field.name) && !is_misspelt(field, shape, table) {
                missing(&fields.span, field, shape, report);
            }
        }
        fields
    }

    /// Where the table stands.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether a field is there, right or wrong.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entry(name).is_some()
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
    let owner = shape.name;
    if name == "policy" {
        report
            .error(span.clone(), "the file has no policy, so that nothing would be limited")
            .help("add one: `[[policy]]`, and below it `name = \"api\"`, `key = [\"client.ip\"]` and `limits = [\"60/min\"]`");
        return;
    }
    report
        .error(span.clone(), format!("{owner} has no `{name}`"))
        .help(format!("add one, such as `{name} = {example}`"));
}

/// True if an unknown field has been reported that was meant for this one.
fn is_misspelt(field: &Field, shape: &'static TableShape, table: &Table) -> bool {
    table.entries.iter().any(|(name, _)| {
        shape.field(&name.text).is_none() && meant(&name.text, shape) == Some(field.name)
    })
}

fn meant(name: &str, shape: &'static TableShape) -> Option<&'static str> {
    let plural = [
        ("policies", "policy"),
        ("rules", "policy"),
        ("rule", "policy"),
    ];
    if let Some((_, meant)) = plural.iter().find(|(word, _)| *word == name) {
        return shape.field(meant).map(|field| field.name);
    }
    nearest(shape.fields.iter().map(|field| field.name), name)
}

fn unknown(name: &Name, shape: &'static TableShape, table: &Table, report: &mut Report) {
    let message = if shape.name == "the file" {
        format!("a policy file has no {} at its top", quoted(&name.text))
    } else {
        format!(
            "{} is not a field of {}",
            quoted(&name.text),
            in_code(shape.name)
        )
    };
    let instead = shape.instead.iter().find(|(word, _)| *word == name.text);
    let help = match (instead, meant(&name.text, shape)) {
        (Some((_, instead)), _) => (*instead).to_owned(),
        (None, Some(meant)) if table.get(meant).is_some() => {
            format!("`{meant}` is here already; remove one of both")
        }
        (None, Some(meant)) => format!("did you mean `{meant}`?"),
        (None, None) => format!(
            "it may hold {}",
            alternatives(shape.fields.iter().map(|field| field.name)).replace(" or ", " and ")
        ),
    };
    report.error(name.span.clone(), message).help(help);
}

fn in_code(name: &str) -> String {
    if name.starts_with('[') {
        format!("`{name}`")
    } else {
        name.to_owned()
    }
}

/// Whether a value is of a shape; what is wrong is reported.
fn is_right(node: &Node, shape: Shape, field: &Field, report: &mut Report) -> bool {
    match (shape, &node.value) {
        (_, Value::Broken) => false,
        (Shape::Boolean, _) if node.boolean().is_some() => true,
        (Shape::Integer { min, max }, _) => match node.integer() {
            Some(number) => is_within(number, min, max, node, field, report),
            None => wrong_type(node, shape, field, report),
        },
        (Shape::Word(words), Value::Text(text)) => is_word(text, words, field, report),
        (Shape::Text(_), Value::Text(text)) => {
            if text.value().is_empty() {
                report
                    .error(node.span.clone(), format!("`{}` is empty", field.name))
                    .help(format!("write {}, or leave it out", quoted(field.example)));
            }
            !text.value().is_empty()
        }
        (Shape::OneOrMany(item), Value::List(items)) | (Shape::Many(item), Value::List(items)) => {
            // Every item is looked at, also after one that is wrong.
            let wrong = items
                .iter()
                .filter(|node| !is_right(node, *item, field, report))
                .count();
            wrong == 0
        }
        (Shape::OneOrMany(item), _) if fits(node, *item) => is_right(node, *item, field, report),
        (Shape::AnyOf(shapes), _) => match shapes.iter().find(|shape| fits(node, **shape)) {
            Some(shape) => is_right(node, *shape, field, report),
            None => wrong_type(node, shape, field, report),
        },
        (Shape::Table(_) | Shape::Tests, Value::Table(_)) => true,
        _ => wrong_type(node, shape, field, report),
    }
}

/// Whether a value is of the type of a shape, whatever else is wrong with it.
fn fits(node: &Node, shape: Shape) -> bool {
    match shape {
        Shape::Boolean => node.boolean().is_some(),
        Shape::Integer { .. } => node.integer().is_some(),
        Shape::Word(_) | Shape::Text(_) => matches!(node.value, Value::Text(_)),
        Shape::Many(_) => matches!(node.value, Value::List(_)),
        Shape::OneOrMany(item) => matches!(node.value, Value::List(_)) || fits(node, *item),
        Shape::AnyOf(shapes) => shapes.iter().any(|shape| fits(node, *shape)),
        Shape::Table(_) | Shape::Tests => matches!(node.value, Value::Table(_)),
    }
}

fn is_within(
    number: i128,
    min: u64,
    max: u64,
    node: &Node,
    field: &Field,
    report: &mut Report,
) -> bool {
    let is_within = (i128::from(min)..=i128::from(max)).contains(&number);
    if !is_within {
        let shown = if number == i128::MAX {
            "too large".to_owned()
        } else {
            number.to_string()
        };
        report
            .error(
                node.span.clone(),
                format!(
                    "`{}` is {shown}; it must be from {min} to {max}",
                    field.name
                ),
            )
            .help(format!(
                "write a number within the bounds, such as {}",
                field.example
            ));
    }
    is_within
}

fn is_word(text: &Text, words: &[Word], field: &Field, report: &mut Report) -> bool {
    let names = || words.iter().map(|word| word.name);
    if names().any(|name| name == text.value()) {
        return true;
    }
    let meant = nearest(names(), text.value());
    let mut help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "write".to_owned(),
    };
    let all = alternatives(names());
    match meant {
        Some(_) => help.push_str(&format!(" It may be {all}")),
        None => help.push_str(&format!(" {all}")),
    }
    report
        .error(
            text.span(),
            format!("`{}` cannot be {}", field.name, quoted(text.value())),
        )
        .help(help);
    false
}

fn wrong_type(node: &Node, shape: Shape, field: &Field, report: &mut Report) -> bool {
    let name = field.name;
    let help = match (&node.value, shape) {
        (Value::Table(_), Shape::Many(Shape::Table(inner))) if inner.name.starts_with('[') => {
            format!("write `[[{name}]]`, with two brackets, before each")
        }
        (Value::Table(_), Shape::Many(Shape::Table(_))) => {
            format!("write `{name} = [{{ ... }}]`, or `[[policy.{name}]]`, with two brackets")
        }
        (Value::Text(text), Shape::Boolean) if matches!(text.value(), "true" | "false") => {
            format!("write `{name} = {}`, without quotes", text.value())
        }
        (Value::Text(text), Shape::Integer { .. }) if text.value().parse::<u64>().is_ok() => {
            format!("write {} without quotes", text.value())
        }
        (Value::Integer(number), Shape::Text(TextShape::Duration)) => {
            format!("write it with a unit, such as `{name} = \"{number}ms\"`")
        }
        _ => format!("write `{name} = {}`, for example", field.example),
    };
    report
        .error(
            node.span.clone(),
            format!("`{name}` takes {}, not {}", describe(shape), node.kind()),
        )
        .help(help);
    false
}

fn describe(shape: Shape) -> String {
    match shape {
        Shape::Boolean => "true or false".to_owned(),
        Shape::Integer { min, max } => format!("a whole number from {min} to {max}"),
        Shape::Word(words) => alternatives(words.iter().map(|word| word.name)),
        Shape::Text(text) => text.describe().to_owned(),
        Shape::OneOrMany(Shape::Tests) => {
            "a table of attributes, or a list of such tables".to_owned()
        }
        Shape::OneOrMany(item) => format!("{}, or a list of them", describe(*item)),
        Shape::Many(Shape::Table(_)) => "a list of tables".to_owned(),
        Shape::Many(item) => format!("a list of {}", describe(*item)),
        Shape::AnyOf(shapes) => {
            let all: Vec<String> = shapes.iter().map(|shape| describe(*shape)).collect();
            all.join(", or ")
        }
        Shape::Table(_) => "a table".to_owned(),
        Shape::Tests => "a table of attributes".to_owned(),
    }
}
