//! What is wrong with a file as TOML, in words that help to mend it.

use std::ops::Range;

use toml::de::{DeTable, DeValue, Error};

use super::report::Report;
use super::suggestion::quoted;

/// What is not TOML in a file.
#[derive(Debug, Default)]
pub(super) struct Broken {
    /// Where reading went astray: what was found from there on is not to be trusted.
    pub(super) from: Option<usize>,
    /// The places of errors.
    pub(super) spans: Vec<Range<usize>>,
}

/// Reports the errors of the parser. One list or table that is not closed makes many errors of
/// what follows, of which the first is reported.
pub(super) fn report(
    text: &str,
    root: &DeTable<'_>,
    errors: Vec<Error>,
    report: &mut Report,
) -> Broken {
    let mut broken = Broken::default();
    let mut found: Vec<(Range<usize>, String)> = errors
        .into_iter()
        .map(|error| {
            let span = error.span().unwrap_or(0..0);
            (span, error.message().to_owned())
        })
        .collect();
    found.sort_by_key(|(span, _)| span.start);
    let opened = found
        .iter()
        .filter(|(_, message)| {
            message.starts_with("unclosed array,") || message.starts_with("unclosed inline")
        })
        .filter_map(|(span, _)| opening(text, root, span.start))
        .min();
    if let Some(start) = opened {
        let inside = found.iter().find(|(span, _)| span.start > start);
        let trouble = inside.map(|(span, _)| span.clone());
        let bracket = text.get(start..start + 1).unwrap_or("[");
        let closing = if bracket == "{" { "}" } else { "]" };
        let diagnostic = report.error(
            start..start + 1,
            format!("this `{bracket}` is never closed"),
        );
        if let Some(trouble) = trouble.filter(|span| !span.is_empty()) {
            diagnostic.related(trouble, "this cannot stand inside it");
        }
        diagnostic.help(format!("write `{closing}` where it ends"));
        broken.from = Some(start);
        broken.spans.push(start..start + 1);
    }
    let before = |span: &Range<usize>| opened.is_none_or(|start| span.start < start);
    let mut last_line = None;
    for (span, message) in found {
        let line = text
            .get(..span.start)
            .map(|before| before.matches('\n').count());
        // What follows on the same line is most often of the same mistake, unless it is another
        // text without quotes.
        let is_same = line == last_line && !message.starts_with("string values must");
        if !before(&span) || is_same {
            continue;
        }
        last_line = line;
        explain(text, &span, &message, report);
        broken.spans.push(span);
    }
    broken
}

/// Where the list or table begins that is open at the end.
fn opening(text: &str, table: &DeTable<'_>, end: usize) -> Option<usize> {
    fn search(value: &toml::Spanned<DeValue<'_>>, end: usize, found: &mut Option<usize>) {
        let span = value.span();
        let inner = value.get_ref();
        let is_list = matches!(inner, DeValue::Array(_) | DeValue::Table(_));
        if is_list && span.end == end {
            // The innermost is the one that lacks its end.
            *found = (*found).max(Some(span.start));
        }
        match inner {
            DeValue::Array(items) => items.iter().for_each(|item| search(item, end, found)),
            DeValue::Table(table) => table
                .iter()
                .for_each(|(_, value)| search(value, end, found)),
            _ => {}
        }
    }
    let mut found = None;
    for (_, value) in table {
        search(value, end, &mut found);
    }
    found.filter(|start| matches!(text.as_bytes().get(*start), Some(b'[' | b'{')))
}

fn explain(text: &str, span: &Range<usize>, message: &str, report: &mut Report) {
    let wrong = text.get(span.clone()).unwrap_or("");
    let (line_start, line) = line_around(text, span.start);
    let trimmed = line.trim_start();
    let (words, help): (String, String) = if trimmed.starts_with("- ")
        || (message.starts_with("key with no value") && is_yaml(trimmed))
    {
        (
            "this is not TOML; it looks like YAML".to_owned(),
            "write `name = \"value\"` for fields, and `[[policy]]` before each policy".to_owned(),
        )
    } else if trimmed.starts_with('{') {
        (
            "this is not TOML; it looks like JSON".to_owned(),
            "write `name = \"value\"` for fields, and `[[policy]]` before each policy".to_owned(),
        )
    } else if message.starts_with("string values must be quoted") {
        unquoted(wrong)
    } else if message.starts_with("duplicate key") {
        let what = if trimmed.starts_with('[') {
            ("the table", "write all of it below one of them")
        } else {
            ("the field", "keep one of both")
        };
        (
            format!("{} {} is there already", what.0, quoted(wrong)),
            what.1.to_owned(),
        )
    } else if message.starts_with("invalid boolean") {
        (
            format!("{} is not true or false", quoted(wrong)),
            "write `true` or `false` in small letters, or a text in quotes".to_owned(),
        )
    } else if message.contains("basic string") || message.contains("literal string") {
        if wrong.is_empty() {
            (
                "this text has no quote at its end".to_owned(),
                "write the same quote at its end as at its beginning".to_owned(),
            )
        } else {
            (
                format!("a text cannot hold {}", quoted(wrong)),
                "write it as an escape, such as `\\n`, `\\t` or `\\u0000`".to_owned(),
            )
        }
    } else if message.starts_with("missing escaped value") {
        (
            "a `\\` in a text in double quotes begins an escape, and this is none".to_owned(),
            "write `\\\\` for a backslash, or put the text in single quotes".to_owned(),
        )
    } else if message.starts_with("unclosed table") || message.starts_with("unclosed array table") {
        let brackets = if message.contains("array") { "]]" } else { "]" };
        (
            "the name of this table is never closed".to_owned(),
            format!("write `{brackets}` after it"),
        )
    } else if message.starts_with("key with no value") {
        (
            "this field has no value".to_owned(),
            "write `name = value`".to_owned(),
        )
    } else if message.starts_with("missing value") || message.starts_with("extra `=`") {
        (
            "there is no value after the `=`".to_owned(),
            "write one: a text in quotes, a number, `true`, a list in `[ ]` or a table in `{ }`"
                .to_owned(),
        )
    } else if message.starts_with("unexpected key or value") {
        (
            "there is something after the end of the value".to_owned(),
            "begin a new line for the next field; write several values as a list in `[ ]`"
                .to_owned(),
        )
    } else {
        let (words, expected) = match message.split_once(", expected ") {
            Some((words, expected)) => (words, Some(expected)),
            None => (message, None),
        };
        (
            format!("this is not TOML: {words}"),
            expected.map_or_else(
                || "see https://toml.io for the format".to_owned(),
                |expected| format!("here may stand {expected}"),
            ),
        )
    };
    let shown = if wrong.is_empty() && span.start > line_start {
        // Nothing is hard to see.
        span.start.saturating_sub(1)..span.start
    } else {
        span.clone()
    };
    let shown = if text.is_char_boundary(shown.start) {
        shown
    } else {
        span.clone()
    };
    report.error(shown, words).help(help);
}

fn unquoted(wrong: &str) -> (String, String) {
    if wrong.starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '\u{201e}']) {
        return (
            "these are typographic quotes".to_owned(),
            "write straight ones: `\"`".to_owned(),
        );
    }
    let value = quoted(wrong.trim_end());
    let inner = value.trim_matches('`');
    (
        format!("{value} has no quotes"),
        format!("write `\"{inner}\"`"),
    )
}

fn is_yaml(line: &str) -> bool {
    let name = line
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .count();
    name > 0 && line.get(name..).is_some_and(|rest| rest.starts_with(':'))
}

fn line_around(text: &str, at: usize) -> (usize, &str) {
    let start = text
        .get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |newline| newline + 1);
    let rest = text.get(start..).unwrap_or("");
    (start, rest.split('\n').next().unwrap_or(""))
}
