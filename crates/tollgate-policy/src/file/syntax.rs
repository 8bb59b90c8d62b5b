//! What is wrong with a file as TOML, in words that help to mend it.

mod explain;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use toml::de::{DeTable, DeValue, Error};

use super::Source;
use super::report::Report;
use explain::explain;

/// What is not TOML in a file.
#[derive(Debug, Default)]
pub(super) struct Broken {
    /// Where reading went astray: what was found from there on is not to be trusted.
    pub(super) from: Option<usize>,
    /// The lines of errors.
    pub(super) lines: BTreeSet<usize>,
}

/// Reports the errors of the parser. One list or table that is not closed makes many errors of
/// what follows, of which the first is reported.
pub(super) fn report(
    source: &Source,
    root: &DeTable<'_>,
    errors: Vec<Error>,
    report: &mut Report,
) -> Broken {
    let text = source.text();
    let mut broken = Broken::default();
    let mut found: Vec<(Range<usize>, String)> = errors
        .into_iter()
        .map(|error| {
            let span = error.span().unwrap_or(0..0);
            (span, error.message().to_owned())
        })
        .collect();
    found.sort_by_key(|(span, _)| span.start);
    let Some((first, _)) = found.first() else {
        return broken;
    };
    if let Some(language) = other_language(text) {
        report
            .error(
                said_on(source, first.start),
                format!("this is not TOML; it looks like {language}"),
            )
            .help("write `name = \"value\"` for fields, and `[[policy]]` before each policy");
        broken.from = Some(0);
        return broken;
    }
    let opened = first_opening(root, &found);
    if let Some(start) = opened {
        never_closed(text, start, &found, report);
        broken.from = Some(start);
    }
    let mut last_line = None;
    let mut repeated = 0..0;
    for (span, message) in found {
        let line = Some(source.line_number(span.start));
        // What follows on the same line is most often of the same mistake, unless it is another
        // text without quotes.
        let is_same = line == last_line && !message.starts_with("string values must");
        let is_inside = opened.is_some_and(|start| span.start >= start);
        // Fields of a second policy are not written twice.
        let is_of_repeated = repeated.contains(&span.start);
        if is_same || is_inside || is_of_repeated {
            continue;
        }
        last_line = line;
        broken.lines.extend(line);
        if report.has_enough_errors() {
            report.error(span, "");
            continue;
        }
        explain(source, &span, &message, report);
        if message.starts_with("duplicate key") && repeats(source, &span).is_some() {
            let rest = text.get(span.end..).unwrap_or("");
            let length = rest.find("\n[").unwrap_or(rest.len());
            repeated = span.end..span.end + length;
        }
        if message.starts_with("unclosed") {
            // Whose fields follow is not known.
            broken.from = broken.from.or(Some(span.start));
        }
    }
    broken
}

/// The header to write before each of what there may be several of, if a name that is there already
/// stands in a header of it.
fn repeats(source: &Source, name: &Range<usize>) -> Option<&'static str> {
    let line = source.text().get(said_on(source, name.start))?;
    if !line.starts_with('[') {
        return None;
    }
    match source.text().get(name.clone())? {
        "policy" | "policies" | "rule" | "rules" => Some("[[policy]]"),
        "tiers" => Some("[[policy.tiers]]"),
        _ => None,
    }
}

/// What the text is, if it is not even meant to be TOML.
fn other_language(text: &str) -> Option<&'static str> {
    let is_said = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().filter(is_said).map(str::trim_start);
    let first = lines.clone().next()?;
    if first.starts_with('{') {
        return Some("JSON");
    }
    (is_yaml(first) && lines.all(|line| line.starts_with("- ") || is_yaml(line))).then_some("YAML")
}

/// True for `name:` and `name: value`.
fn is_yaml(line: &str) -> bool {
    let letters = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let name = line.bytes().take_while(letters).count();
    let rest = line.get(name..).unwrap_or("").trim_end();
    name > 0 && (rest == ":" || rest.starts_with(": "))
}

/// What stands on the line of a place.
fn said_on(source: &Source, at: usize) -> Range<usize> {
    let line = source.line(source.line_number(at));
    let text = source.text().get(line.clone()).unwrap_or("");
    let blanks = text.len() - text.trim_start().len();
    line.start + blanks..line.start + text.trim_end().len().max(blanks)
}

/// Reports the list or table that begins at `start`, and the first thing that it cannot hold.
fn never_closed(text: &str, start: usize, found: &[(Range<usize>, String)], report: &mut Report) {
    let bracket = text.get(start..start + 1).unwrap_or("[");
    let closing = if bracket == "{" { "}" } else { "]" };
    let diagnostic = report.error(
        start..start + 1,
        format!("this `{bracket}` is never closed"),
    );
    let mut inside = found.iter();
    let inside =
        inside.find(|(span, message)| span.start > start && !message.starts_with("unclosed"));
    if let Some((span, _)) = inside {
        let rest = text.get(span.start..).unwrap_or("");
        let word = rest.trim_start();
        let start = span.start + rest.len() - word.len();
        let length = word
            .bytes()
            .take_while(|byte| !byte.is_ascii_whitespace())
            .count();
        if length > 0 {
            diagnostic.related(start..start + length, "this cannot stand inside it");
        }
    }
    diagnostic.help(format!("write `{closing}` where it ends"));
}

/// Where the first list or table begins that errors say is never closed.
fn first_opening(root: &DeTable<'_>, found: &[(Range<usize>, String)]) -> Option<usize> {
    /// For each end and kind, where the innermost begins: it is the one that lacks its end.
    type Openings = HashMap<(usize, bool), usize>;
    fn collect(value: &toml::Spanned<DeValue<'_>>, openings: &mut Openings) {
        let span = value.span();
        let is_list = match value.get_ref() {
            DeValue::Array(items) => {
                items.iter().for_each(|item| collect(item, openings));
                true
            }
            DeValue::Table(table) => {
                table.iter().for_each(|(_, value)| collect(value, openings));
                false
            }
            _ => return,
        };
        let start = openings.entry((span.end, is_list)).or_insert(span.start);
        *start = span.start.max(*start);
    }
    let ends = found.iter().filter_map(|(span, message)| {
        let is_list = message.starts_with("unclosed array,");
        (is_list || message.starts_with("unclosed inline")).then_some((span.start, is_list))
    });
    let ends: Vec<(usize, bool)> = ends.collect();
    if ends.is_empty() {
        return None;
    }
    let mut openings = Openings::new();
    for (_, value) in root {
        collect(value, &mut openings);
    }
    ends.iter()
        .filter_map(|end| openings.get(end).copied())
        .min()
}
