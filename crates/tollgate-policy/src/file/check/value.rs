//! Whether a value is of the type and within the bounds of its field.

use crate::file::document::{Node, Value};
use crate::file::field::{Field, Shape, TextShape, Word};
use crate::file::report::{Report, quotation};
use crate::file::suggestion::{alternatives, nearest, quoted};
use crate::file::text::Text;

/// Whether a value is of a shape; what is wrong is reported.
pub(super) fn is_right(node: &Node, shape: Shape, field: &Field, report: &mut Report) -> bool {
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
            "is too large".to_owned()
        } else {
            format!("cannot be {}", quotation(&grouped(number)))
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
            .error(node.span.clone(), format!("`{}` {shown}", field.name))
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
            format!(
                "write `[[{name}]]`, with two brackets, before each, since there may be several, and below it `name = \"...\"`"
            )
        }
        (Value::Table(_), Shape::Many(Shape::Table(_))) => {
            format!("write `{name} = [{{ ... }}]`, or `[[policy.{name}]]`, with two brackets")
        }
        (Value::List(_), Shape::Table(inner)) if inner.name.starts_with('[') => {
            format!("write `{}`, with one bracket, once", inner.name)
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
