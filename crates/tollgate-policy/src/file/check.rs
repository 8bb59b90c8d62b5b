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
    let message = if shape.name == "the file" {
        format!("a policy file has no {} at its top", quoted(&name.text))
    } else {
        format!(
            "{} is not a field of {}",
            quoted(&name.text),
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
                    .help(if field.is_required {
                        format!("write {}", text_of(shape))
                    } else {
                        format!("write {}, or leave it out", text_of(shape))
                    });
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

fn text_of(shape: Shape) -> &'static str {
    match shape {
        Shape::Text(text) => text.describe(),
        _ => "a value",
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
            grouped(number)
        };
        let (min, max) = (grouped(min.into()), grouped(max.into()));
        let mut examples = [field.example, field.default].into_iter();
        let example = examples.find(|text| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'_')
                && !text.is_empty()
        });
        let example = example.map_or(String::new(), |example| format!(", such as {example}"));
        report
            .error(
                node.span.clone(),
                format!("`{}` cannot be {shown}", field.name),
            )
            .help(format!("write a number from {min} to {max}{example}"));
    }
    is_within
}

/// A number with `_` between thousands, as TOML has it.
fn grouped(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digits.len() > 4 {
            text.push('_');
        }
        text.push(digit);
    }
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{text}")
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
        Shape::Integer { min, max } => format!(
            "a whole number from {} to {}",
            grouped(min.into()),
            grouped(max.into())
        ),
        Shape::Word(words) => alternatives(words.iter().map(|word| word.name)),
        Shape::Text(text) => text.describe().to_owned(),
        Shape::OneOrMany(Shape::Tests) => {
            "a table of attributes, or a list of such tables".to_owned()
        }
        Shape::OneOrMany(item) => format!("{}, or a list of them", describe(*item)),
        Shape::Many(Shape::Table(_)) => "a list of tables".to_owned(),
        Shape::Many(Shape::AnyOf([.., item])) | Shape::Many(item) => {
            format!("a list of {}", describe(*item))
        }
        Shape::AnyOf(shapes) => {
            let all: Vec<String> = shapes.iter().map(|shape| describe(*shape)).collect();
            all.join(", or ")
        }
        Shape::Table(_) => "a table".to_owned(),
        Shape::Tests => "a table of attributes".to_owned(),
    }
}
