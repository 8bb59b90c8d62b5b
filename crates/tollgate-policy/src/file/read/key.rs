//! `key` and `shared`.

use std::ops::Range;

use super::attribute::{Role, attribute};
use crate::AttributeName;
use crate::file::check::Fields;
use crate::file::report::{Report, about};
use crate::file::suggestion::quoted;
use crate::file::text::Text;

/// The most parts of a key, and the most alternatives of a part.
const MAX_PARTS: usize = 8;

/// A part of a key, with its places.
#[derive(Clone, Debug)]
pub(in crate::file) struct Part {
    pub(in crate::file) text: Text,
    pub(in crate::file) attributes: Vec<(AttributeName, Range<usize>)>,
}

/// Reads the parts. What is wrong is reported, and left out.
pub(super) fn parts(fields: &Fields<'_>, report: &mut Report) -> Vec<Part> {
    let items = fields.items("key");
    let span = fields.span_of("key");
    if items.is_empty() && fields.is_written("key") {
        report
            .error(span, "the key has no parts")
            .help("add one such as `client.ip`, or write `shared = true` instead to count all requests together");
    } else if items.len() > MAX_PARTS {
        report
            .error(span, format!("the key has {} parts", items.len()))
            .help(format!("write at most {MAX_PARTS}"));
    }
    let is_skipped = fields.text("missing_key").map(Text::value) == Some("skip");
    let role = if is_skipped {
        Role::SkippedKey
    } else {
        Role::Key
    };
    let mut parts: Vec<Part> = Vec::new();
    if let Some(at) = fields.texts("key").position(is_word_between) {
        report_word_between(fields, at, report);
        return parts;
    }
    for text in fields.texts("key").take(MAX_PARTS) {
        let Some(part) = part(text, role, report) else {
            continue;
        };
        let is_same = |other: &&Part| {
            let theirs = other.attributes.iter().map(|(name, _)| name);
            theirs.eq(part.attributes.iter().map(|(name, _)| name))
        };
        if let Some(twice) = parts.iter().find(is_same) {
            report
                .error(
                    text.span(),
                    format!("the key has the part {} twice", quoted(text.value())),
                )
                .related(twice.text.span(), "first here")
                .help("remove one");
            continue;
        }
        parts.push(part);
    }
    parts
}

/// True for a word that is written between attributes, in a text of its own.
fn is_word_between(text: &Text) -> bool {
    ["or", "and"].contains(&text.value().trim().to_ascii_lowercase().as_str())
}

/// Reports a word that stands as a part by itself.
fn report_word_between(fields: &Fields<'_>, at: usize, report: &mut Report) {
    let mut texts = fields.texts("key").skip(at.saturating_sub(1));
    let before = (at > 0).then(|| texts.next()).flatten();
    let Some(text) = texts.next() else {
        return;
    };
    let between = before.zip(texts.next());
    let (before, after) = between.map_or(("user", "client.ip"), |(before, after)| {
        (before.shown(), after.shown())
    });
    let word = text.value().trim().to_ascii_lowercase();
    let help = match word.as_str() {
        "or" => format!(
            "write one text for both: {}",
            quoted(&format!("\"{before} or {after}\""))
        ),
        _ => "leave it out: all parts of a list count together".to_owned(),
    };
    report
        .error(
            text.span(),
            format!("`{word}` in quotes of its own is a part of the key, and no request has such an attribute"),
        )
        .help(help);
}

fn part(text: &Text, role: Role, report: &mut Report) -> Option<Part> {
    const OR: &str = " or ";
    let before = report.errors();
    let mut attributes: Vec<(AttributeName, Range<usize>)> = Vec::new();
    let role = if text.value().contains(OR) {
        Role::Alternative
    } else {
        role
    };
    let mut start = 0;
    for piece in text.value().split(OR) {
        let blanks = piece.len() - piece.trim_start().len();
        let name = piece.trim();
        let span = text.span_of(start + blanks..start + blanks + name.len());
        start += piece.len() + OR.len();
        if let Some(joined) = joined(name) {
            report
                .error(
                    span,
                    format!("{} is not the name of an attribute", quoted(name)),
                )
                .help(about(&joined, name));
            continue;
        }
        let Some(attribute) = attribute(name, span.clone(), role, report) else {
            continue;
        };
        if let Some((_, twice)) = attributes.iter().find(|(name, _)| *name == attribute) {
            report
                .error(
                    span,
                    about(
                        &format!("`{attribute}` stands twice in a part of the key"),
                        text.value(),
                    ),
                )
                .related(twice.clone(), "first here")
                .help("remove one");
            continue;
        }
        attributes.push((attribute, span));
    }
    if attributes.len() > MAX_PARTS {
        report
            .error(
                text.span(),
                format!("a part of the key has {} alternatives", attributes.len()),
            )
            .help(format!("write at most {MAX_PARTS}"));
    }
    (report.errors() == before).then(|| Part {
        text: text.clone(),
        attributes,
    })
}

/// What to write instead of names that are joined in another way.
fn joined(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    for or in [" or ", "||", "|"] {
        if let Some((left, right)) = lower.split_once(or) {
            return Some(format!(
                "write `{} or {}` for the first of them that a request has",
                left.trim(),
                right.trim_start_matches('|').trim()
            ));
        }
    }
    for and in [" and ", "&&", ",", "+", "&"] {
        if let Some((left, right)) = lower.split_once(and) {
            return Some(format!(
                "write `key = [\"{}\", \"{}\"]` to count by all of them together",
                left.trim(),
                right.trim_start_matches('&').trim()
            ));
        }
    }
    None
}
