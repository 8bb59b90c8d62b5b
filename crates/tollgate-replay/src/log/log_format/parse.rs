//! The text of a format.

use std::str::FromStr;

use tollgate_policy::file::nearest;

use super::error::{LogFormatError, Problem};
use super::variable::Variable;
use super::{Escape, LogFormat, Part};

/// The most variables of a format.
const MOST: usize = 200;

impl FromStr for LogFormat {
    type Err = LogFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (escape, text) = taken_apart(text.trim()).map_err(LogFormatError)?;
        read(escape, &text).map_err(LogFormatError)
    }
}

fn read(escape: Escape, text: &str) -> Result<LogFormat, Problem> {
    let (begin, mut rest) = text.split_at(text.find('$').unwrap_or(text.len()));
    let mut parts: Vec<Part> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    while let Some(after) = rest.strip_prefix('$') {
        let (name, after) = name(after).ok_or_else(|| Problem::Name {
            at: rest.chars().take(20).collect(),
        })?;
        let (then, next) = after.split_at(after.find('$').unwrap_or(after.len()));
        if then.is_empty() && !next.is_empty() {
            let second = next.strip_prefix('$').and_then(self::name);
            return Err(Problem::Touching {
                first: name.to_owned(),
                second: second.map_or("", |(name, _)| name).to_owned(),
            });
        }
        parts.push(Part {
            variable: Variable::of(name),
            then: then.into(),
        });
        names.push(name);
        rest = next;
    }
    if parts.is_empty() {
        return Err(Problem::NoVariable);
    }
    if parts.len() > MOST {
        return Err(Problem::TooMany { limit: MOST });
    }
    if !parts.iter().any(|part| part.variable.is_time()) {
        let meant = similar(&names, Variable::is_time);
        return Err(Problem::NoTime { meant });
    }
    if !parts.iter().any(|part| part.variable.is_client()) {
        let meant = similar(&names, Variable::is_client);
        return Err(Problem::NoClient { meant });
    }
    Ok(LogFormat {
        escape,
        begin: begin.into(),
        parts,
    })
}

/// The variable of the kind that is missing which a name that is there was probably meant to be.
fn similar(names: &[&str], kind: impl Fn(&Variable) -> bool) -> Option<String> {
    let wanted = || {
        Variable::NAMED
            .iter()
            .filter(|(_, variable)| kind(variable))
    };
    names
        .iter()
        .filter(|name| Variable::of(name) == Variable::Other)
        .find_map(|name| nearest(wanted().map(|(known, _)| *known), name))
        .map(|meant| format!("${meant}"))
}

/// The name of `name` or `{name}`, and what follows it.
fn name(text: &str) -> Option<(&str, &str)> {
    if let Some(inside) = text.strip_prefix('{') {
        let (name, after) = inside.split_once('}')?;
        return (!name.is_empty()).then_some((name, after));
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (name, after) = text.split_at(end.unwrap_or(text.len()));
    (!name.is_empty()).then_some((name, after))
}

/// How values are escaped, and the format without quotes: of a whole directive, or of its text.
fn taken_apart(text: &str) -> Result<(Escape, String), Problem> {
    let mut rest = text;
    let mut is_directive = false;
    if let Some(after) = rest.strip_prefix("log_format")
        && after.starts_with(char::is_whitespace)
    {
        let after = after.trim_start();
        rest = after
            .split_once(char::is_whitespace)
            .map_or("", |(_, rest)| rest);
        rest = rest.trim_start();
        is_directive = true;
    }
    let mut escape = Escape::Default;
    if let Some(after) = rest.strip_prefix("escape=") {
        let (value, after) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
        escape = match value {
            "default" => Escape::Default,
            "json" => Escape::Json,
            "none" => Escape::None,
            value => {
                return Err(Problem::Escape {
                    value: value.chars().take(20).collect(),
                });
            }
        };
        rest = after.trim_start();
    }
    let in_quotes = rest.starts_with('\'') && rest.trim_end_matches(';').trim_end().ends_with('\'');
    if is_directive || in_quotes {
        return Ok((escape, unquoted(rest)?));
    }
    Ok((escape, rest.to_owned()))
}

/// The strings of a directive, joined, with nginx' own escapes undone.
fn unquoted(text: &str) -> Result<String, Problem> {
    let mut joined = String::new();
    let mut chars = text.chars();
    while let Some(first) = chars.next() {
        match first {
            ';' => break,
            first if first.is_whitespace() => {}
            quote @ ('\'' | '"') => loop {
                match chars.next().ok_or(Problem::Unclosed { quote })? {
                    '\\' => match chars.next().ok_or(Problem::Unclosed { quote })? {
                        't' => joined.push('\t'),
                        'n' => joined.push('\n'),
                        'r' => joined.push('\r'),
                        c @ ('\'' | '"' | '\\') => joined.push(c),
                        c => joined.extend(['\\', c]),
                    },
                    c if c == quote => break,
                    c => joined.push(c),
                }
            },
            first => {
                // A string without quotes ends at a blank.
                joined.push(first);
                let rest = chars.as_str();
                let end = rest.find(|c: char| c.is_whitespace() || c == ';');
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                joined.push_str(word);
                chars = after.chars();
            }
        }
    }
    Ok(joined)
}
