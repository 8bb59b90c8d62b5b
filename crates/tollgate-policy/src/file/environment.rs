//! Variables of the environment in the texts of a file.

use std::env::VarError;
use std::ops::Range;

use super::report::Report;
use super::text::Text;
use crate::secret_names::sounds_secret_or_key;

/// Where the values of variables come from.
///
/// A closure from names to values is one, for tests.
pub trait Environment {
    /// The value of a variable.
    ///
    /// # Errors
    ///
    /// If there is none, or it is not Unicode.
    fn variable(&self, name: &str) -> Result<String, VarError>;
}

/// The environment of the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn variable(&self, name: &str) -> Result<String, VarError> {
        std::env::var(name)
    }
}

impl<F: Fn(&str) -> Option<String>> Environment for F {
    fn variable(&self, name: &str) -> Result<String, VarError> {
        self(name).ok_or(VarError::NotPresent)
    }
}

/// What stands at a `$`.
enum Dollar<'t> {
    Escaped,
    Variable {
        name: &'t str,
        default: Option<&'t str>,
        /// The bytes of `${…}`.
        length: usize,
    },
    Wrong {
        length: usize,
        message: String,
        help: String,
    },
}

/// What stands in the place of a `$`.
struct Filled {
    value: String,
    /// What is shown of it.
    shown: String,
}

impl Filled {
    /// What stands in the file itself.
    fn alike(text: &str) -> Self {
        Self {
            value: text.to_owned(),
            shown: text.to_owned(),
        }
    }
}

/// Puts the values of variables in their places. What cannot be is reported, and the text is then
/// not to be looked at any further: `None`.
pub(super) fn expand(
    text: Text,
    environment: &dyn Environment,
    report: &mut Report,
) -> Option<Text> {
    if !text.value().contains('$') {
        return Some(text);
    }
    let mut expanded = text.emptied();
    let mut is_whole = true;
    let mut position = 0;
    while let Some(found) = text.value().get(position..).and_then(|rest| rest.find('$')) {
        let dollar = position + found;
        expanded.push_part(&text, position..dollar);
        let (length, value) = match read(text.value().get(dollar..).unwrap_or("")) {
            Dollar::Escaped => (2, Some(Filled::alike("$"))),
            Dollar::Variable {
                name,
                default,
                length,
            } => {
                let span = text.span_of(dollar..dollar + length);
                (length, value_of(name, default, span, environment, report))
            }
            Dollar::Wrong {
                length,
                message,
                help,
            } => {
                let span = text.span_of(dollar..dollar + length);
                report.error(span, message).help(help);
                (length, None)
            }
        };
        position = dollar + length;
        match value {
            Some(Filled { value, shown }) => {
                expanded.push_value(&value, &shown, text.span_of(dollar..position));
            }
            None => is_whole = false,
        }
    }
    expanded.push_part(&text, position..text.value().len());
    is_whole.then_some(expanded)
}

fn value_of(
    name: &str,
    default: Option<&str>,
    span: Range<usize>,
    environment: &dyn Environment,
    report: &mut Report,
) -> Option<Filled> {
    let problem = match environment.variable(name) {
        Ok(value) if !value.is_empty() => {
            report.hide(&value, sounds_secret_or_key(name));
            return Some(Filled {
                value,
                shown: format!("${{{name}}}"),
            });
        }
        Ok(_) => "is empty",
        Err(VarError::NotPresent) => "is not set",
        Err(VarError::NotUnicode(_)) => {
            report
                .error(
                    span,
                    format!("the environment variable `{name}` is not UTF-8"),
                )
                .help(format!("set `{name}` to a text"));
            return None;
        }
    };
    if let Some(default) = default.filter(|default| !default.is_empty()) {
        return Some(Filled::alike(default));
    }
    report
        .error(span, format!("the environment variable `{name}` {problem}"))
        .help(format!(
            "set `{name}`, or write `${{{name}:-...}}` with a value for when it is not set"
        ));
    None
}

/// Reads what begins with a `$`.
fn read(text: &str) -> Dollar<'_> {
    if text.starts_with("$$") {
        return Dollar::Escaped;
    }
    let Some(rest) = text.strip_prefix("${") else {
        let name = text.get(1..).unwrap_or("");
        let length = name.bytes().take_while(|byte| is_word(*byte)).count();
        let name = name.get(..length).unwrap_or("");
        return Dollar::Wrong {
            length: 1 + length,
            message: "a `$` by itself means nothing".to_owned(),
            help: if name.is_empty() {
                "write `$$` for a dollar".to_owned()
            } else {
                format!("write `${{{name}}}` for the environment variable, or `$$` for a dollar")
            },
        };
    };
    let Some(end) = rest.find('}') else {
        return Dollar::Wrong {
            length: text.len(),
            message: "`${` is never closed".to_owned(),
            help: "write `${NAME}`, or `$$` for a dollar".to_owned(),
        };
    };
    let inner = rest.get(..end).unwrap_or("");
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inner, None),
    };
    let length = end + 3;
    let begins_well = name
        .bytes()
        .next()
        .is_some_and(|byte| !byte.is_ascii_digit());
    if !begins_well || !name.bytes().all(is_word) {
        return Dollar::Wrong {
            length,
            message: "this is not the name of an environment variable".to_owned(),
            help: "write `${NAME}` or `${NAME:-default}`; a name has letters, digits and `_`, and does not begin with a digit".to_owned(),
        };
    }
    Dollar::Variable {
        name,
        default,
        length,
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
