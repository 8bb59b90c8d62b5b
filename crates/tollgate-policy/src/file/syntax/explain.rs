//! The words for an error of the TOML parser.

use std::ops::Range;

use super::{is_yaml, repeats};
use crate::file::Source;
use crate::file::report::{Report, about, quotation};
use crate::file::suggestion::quoted;

/// What is wrong, and what to write instead.
type Words = (String, String);

/// Reports an error of the parser in words of our own. The parser's are known to these prefixes
/// only; what they do not fit is passed on as it is.
pub(super) fn explain(source: &Source, span: &Range<usize>, message: &str, report: &mut Report) {
    let text = source.text();
    let wrong = text.get(span.clone()).unwrap_or("");
    let line = source.line(source.line_number(span.start));
    let line_start = line.start;
    let line = text.get(line).unwrap_or("").trim();
    let is_secret = source.is_secret(line_start);
    let name = report.quoted_name(wrong, span);
    let (message, help) = match repeats(source, span) {
        Some(header) if message.starts_with("duplicate key") => several(&name, line, header),
        _ if message.starts_with("duplicate key") => duplicate(&name, line),
        _ => words(message, wrong, line, is_secret),
    };
    // Nothing is hard to see: what stands before it is marked.
    let before = span.start.saturating_sub(1)..span.start;
    let can_be_seen = !wrong.is_empty() || span.start <= line_start;
    let shown = if can_be_seen || !text.is_char_boundary(before.start) {
        span.clone()
    } else {
        before
    };
    report.error(shown, message).help(help);
}

fn words(message: &str, wrong: &str, line: &str, is_secret: bool) -> Words {
    let is = |start: &str| message.starts_with(start);
    match message {
        _ if is_yaml(line) => colon(line, is_secret),
        _ if is("cannot extend value") => said(
            &format!(
                "{} has a value already, and a name with a dot begins with it",
                quoted(wrong)
            ),
            "put the name with the dot in quotes, such as `\"user.plan\"`",
        ),
        _ if is("string values must be quoted") && !wrong.trim().is_empty() => unquoted(wrong),
        _ if is("string values must be quoted") || is("missing value") || is("extra `=`") => said(
            "there is no value after the `=`",
            "write one: a text in quotes, a number, `true`, a list in `[ ]` or a table in `{ }`",
        ),
        // `ietf` begins like `inf`.
        _ if is("invalid")
            && message.contains("float")
            && wrong.starts_with(char::is_alphabetic) =>
        {
            unquoted(wrong)
        }
        _ if is("missing comma") => said(
            "there is no comma between two values",
            "write `,` between them",
        ),
        _ if is("recursion limit") => said(
            "tables and lists are nested too deep",
            "nothing in a policy file is that deep",
        ),
        _ if is("invalid boolean") => said(
            &format!("{} is not true or false", quoted(wrong)),
            "write `true` or `false` in small letters, or a text in quotes",
        ),
        _ if message.contains("basic string") || message.contains("literal string") => {
            in_a_text(wrong)
        }
        _ if is("missing escaped value") => said(
            "a `\\` in a text in double quotes begins an escape, and this is none",
            "write `\\\\` for a backslash, or put the text in single quotes",
        ),
        _ if is("unclosed array table") => said(
            "the name of this table is never closed",
            "write `]]` after it",
        ),
        _ if is("unclosed table") => said(
            "the name of this table is never closed",
            "write `]` after it",
        ),
        _ if is("key with no value") => said("this field has no value", "write `name = value`"),
        _ if is("unexpected key or value") => said(
            "there is something after the end of the value",
            "begin a new line for the next field; write several values as a list in `[ ]`",
        ),
        _ => match message.split_once(", expected ") {
            Some((message, expected)) => said(
                &about(&format!("this is not TOML: {message}"), wrong),
                &about(&format!("here may stand {expected}"), wrong),
            ),
            None => said(
                &about(&format!("this is not TOML: {message}"), wrong),
                "see https://toml.io for the format",
            ),
        },
    }
}

fn said(message: &str, help: &str) -> Words {
    (message.to_owned(), help.to_owned())
}

fn duplicate(name: &str, line: &str) -> Words {
    let (what, help) = if line.starts_with('[') {
        ("table", "write all of it below one of them")
    } else {
        ("field", "keep one of both")
    };
    said(&format!("the {what} {name} is there already"), help)
}

/// One header too many, where there may be several of another form.
fn several(name: &str, line: &str, header: &str) -> Words {
    let message = if line.starts_with("[[") {
        format!("{name} is there already, with one bracket, which makes it one table")
    } else {
        format!("one bracket makes one table, and {name} is there already")
    };
    said(
        &message,
        &format!("write `{header}`, with two brackets, before each: there may be several"),
    )
}

fn colon(line: &str, is_secret: bool) -> Words {
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    let value = value.trim();
    let is_value = value.starts_with(|c: char| "\"'[{-".contains(c) || c.is_ascii_digit())
        || matches!(value, "true" | "false");
    let name = name.trim();
    let name = if is_secret {
        quotation(name)
    } else {
        name.to_owned()
    };
    let value = if is_value {
        value.to_owned()
    } else {
        format!("\"{value}\"")
    };
    said(
        "a `:` stands where `=` must",
        &format!("write `{name} = {}`", quotation(&value)),
    )
}

fn unquoted(wrong: &str) -> Words {
    let typographic = ['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '\u{201e}'];
    if wrong.starts_with(typographic) {
        return said("these are typographic quotes", "write straight ones: `\"`");
    }
    let value = quoted(wrong.trim_end());
    let inner = value.trim_matches('`');
    said(
        &format!("{value} has no quotes"),
        &format!("write `\"{inner}\"`"),
    )
}

fn in_a_text(wrong: &str) -> Words {
    if wrong.is_empty() {
        return said(
            "this text has no quote at its end",
            "write the same quote at its end as at its beginning",
        );
    }
    said(
        &format!("a text cannot hold {}", quoted(wrong)),
        "write it as an escape, such as `\\n`, `\\t` or `\\u0000`",
    )
}
