//! `match`, `except` and `when`.

use std::collections::BTreeMap;
use std::ops::Range;

use super::attribute::{Role, attribute};
use crate::condition::Condition;
use crate::file::document::{Node, Table, Value};
use crate::file::report::{Report, about, in_two, quotation};
use crate::file::text::Text;
use crate::{AttributeName, When};

/// The tests of a condition, with their places.
#[derive(Clone, Debug, Default)]
pub(in crate::file) struct Tests {
    pub(in crate::file) list: Vec<Test>,
    pub(in crate::file) span: Range<usize>,
    names: BTreeMap<AttributeName, Range<usize>>,
}

/// An attribute with the values that it may have.
#[derive(Clone, Debug)]
pub(in crate::file) struct Test {
    pub(in crate::file) attribute: AttributeName,
    pub(in crate::file) name: Range<usize>,
    pub(in crate::file) patterns: Vec<Text>,
}

impl Tests {
    /// Reads a condition. What is wrong is reported, and left out.
    pub(super) fn read(node: &Node, role: Role, report: &mut Report) -> Self {
        let mut tests = Self {
            list: Vec::new(),
            span: node.span.clone(),
            names: BTreeMap::new(),
        };
        if let Some(table) = node.table() {
            tests.collect(table, "", role, report);
        }
        tests
    }

    /// `client.ip` without quotes is a table in a table.
    fn collect(&mut self, table: &Table, above: &str, role: Role, report: &mut Report) {
        for (name, node) in &table.entries {
            let full = format!("{above}{}", name.text);
            if let Value::Table(inner) = &node.value {
                if inner.entries.is_empty() {
                    let shown = report.quoted_name(&full, &name.span);
                    report
                        .error(node.span.clone(), format!("{shown} has no values"))
                        .help(format!("write a value for {shown}, or leave it out"));
                }
                self.collect(inner, &format!("{full}."), role, report);
                continue;
            }
            let Some(attribute) = attribute(&full, name.span.clone(), role, report) else {
                continue;
            };
            if let Some(first) = self.names.get(&attribute) {
                report
                    .error(name.span.clone(), format!("`{attribute}` is tested twice"))
                    .related(first.clone(), "first here")
                    .help("list all values in one of them");
                continue;
            }
            self.names.insert(attribute.clone(), name.span.clone());
            let patterns = patterns(&attribute, node, report);
            self.list.push(Test {
                attribute,
                name: name.span.clone(),
                patterns,
            });
        }
    }

    /// False if a test has lost its values, all of which are wrong.
    pub(in crate::file) fn is_whole(&self) -> bool {
        self.list.iter().all(|test| !test.patterns.is_empty())
    }

    /// The same, for a builder.
    pub(in crate::file) fn to_when(&self) -> When {
        self.list.iter().fold(When::always(), |when, test| {
            when.and(&test.attribute.to_string(), test.values())
        })
    }
}

impl Test {
    /// The values that the attribute may have.
    pub(in crate::file) fn values(&self) -> Vec<&str> {
        self.patterns.iter().map(Text::value).collect()
    }
}

/// Reads the values of a test. What is wrong is reported, and left out.
fn patterns(attribute: &AttributeName, node: &Node, report: &mut Report) -> Vec<Text> {
    let items = node.one_or_many();
    if items.is_empty() {
        report
            .error(
                node.span.clone(),
                format!(
                    "the list of values for `{attribute}` is empty, so that nothing would match"
                ),
            )
            .help(format!("list values, or leave `{attribute}` out"));
    }
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let text = match &item.value {
            Value::Text(text) => text,
            Value::Broken => continue,
            Value::Integer(number) => {
                report
                    .error(
                        item.span.clone(),
                        format!("the values of `{attribute}` are texts, not numbers"),
                    )
                    .help(format!("write `\"{}\"`", quotation(&number.to_string())));
                continue;
            }
            Value::Boolean(value) => {
                report
                    .error(
                        item.span.clone(),
                        format!("the values of `{attribute}` are texts, not true or false"),
                    )
                    .help(format!("write `\"{value}\"`"));
                continue;
            }
            _ => {
                report
                    .error(
                        item.span.clone(),
                        format!("the values of `{attribute}` are texts, not {}", item.kind()),
                    )
                    .help("write a text in quotes, or a list of texts");
                continue;
            }
        };
        if text.value().is_empty() {
            report
                .error(
                    item.span.clone(),
                    format!("a value of `{attribute}` is empty, which no attribute is"),
                )
                .help(format!("write a value, or leave `{attribute}` out"));
            continue;
        }
        let alone = When::is(&attribute.to_string(), text.value());
        match Condition::compile(&alone) {
            Ok(_) => {
                report.remember(attribute, text);
                texts.push(text.clone());
            }
            Err(error) => {
                let problem = text.as_shown(&error.problem);
                let (message, help) = in_two(&problem);
                let help = help.unwrap_or("write a network such as `192.0.2.0/24`, or an address");
                report
                    .error(text.span(), about(message, text.value()))
                    .help(about(help, text.value()));
            }
        }
    }
    texts
}
